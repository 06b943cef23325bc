// Clients on a disk that fills up, with checks of which responses are acceptable.
import { type Call, call, described, type CallResponse } from '../client.ts'
import { sendUntil } from '../load/keep-sending.ts'
import { type Acknowledged, Ledger } from '../ledger.ts'
import { malformed, failureIn } from '../failure-response.ts'

const clients = 4
const withinMs = 120_000

export class DiskClients {
  readonly url: string
  readonly token: string
  readonly ledger = new Ledger()
  #wrongs: string[] = []
  #answers = new Map<number, number>()

  constructor(url: string, token: string) {
    this.url = url
    this.token = token
  }

  /** Acknowledged uploads that were not deleted. */
  get images(): Acknowledged[] {
    return this.ledger.acknowledged.filter(({ deletion }) => deletion === undefined)
  }

  /** Responses since the last call. */
  takeAnswers(): { wrongs: string[]; answers: string } {
    const answers = [...this.#answers].map(([status, times]) => `${status}: ${times}`).join(', ')
    const taken = { wrongs: this.#wrongs, answers }
    this.#wrongs = []
    this.#answers = new Map()
    return taken
  }

  /** Four clients, until enough uploads were refused for lack of space. */
  async uploadUntilRefused(images: readonly Buffer[], refusals: number): Promise<void> {
    const refused = () => this.#answers.get(507) ?? 0
    const enough = refused() + refusals
    const deadline = performance.now() + withinMs
    let next = 0
    const isOver = () => refused() >= enough || performance.now() > deadline
    await sendUntil(isOver, clients, () => this.#uploadOne(images[next++ % images.length] as Buffer))
    if (refused() < enough) this.#wrongs.push(`not full within ${withinMs} ms`)
  }

  /** Sequential uploads. @returns how many were accepted */
  async uploadSome(images: readonly Buffer[], count: number): Promise<number> {
    const had = this.images.length
    for (let n = 0; n < count; n++) await this.#uploadOne(images[n % images.length] as Buffer)
    return this.images.length - had
  }

  /** Deletes a share of them, oldest first. */
  async deleteSome(count: number): Promise<void> {
    for (const acknowledged of this.images.slice(0, count)) {
      const reply = await this.#send(
        `/api/images/${acknowledged.image.id}`,
        { method: 'DELETE', token: this.token },
        'a deletion',
        [200, 507],
      )
      if (reply.status === 200) acknowledged.deletion = 'acknowledged'
    }
  }

  /** Requests that each write one row. */
  async writeRows(): Promise<void> {
    const { token } = this
    const body = { email: 'small@example.com', password: 'secret of the harness' }
    await this.#send('/api/login', { method: 'POST', body }, 'a login', [200, 507])
    const image = this.images.at(-1)?.image
    if (image)
      await this.#send(
        `/api/images/${image.id}/extend-expiration`,
        { method: 'POST', token },
        'an extension',
        [200, 507],
      )
    await this.#send('/api/images', { token }, 'a list', [200])
  }

  async #uploadOne(picture: Buffer): Promise<void> {
    this.#judge('an upload', await this.ledger.upload(this.url, picture, { token: this.token }), [201, 507, 503])
  }

  async #send(path: string, options: Call, what: string, honest: number[]): Promise<CallResponse> {
    const reply = await call(this.url + path, options)
    this.#judge(what, reply, honest)
    return reply
  }

  #judge(what: string, reply: CallResponse, honest: number[]): void {
    const { status, body } = reply
    this.#answers.set(status, (this.#answers.get(status) ?? 0) + 1)
    const isNamed = status < 300 || malformed(reply) === undefined
    if (!honest.includes(status) || !isNamed) this.#wrongs.push(`${what} got ${described(reply)}`)
    const { code } = failureIn(body)
    if (status === 507 && code !== 'storage_full') this.#wrongs.push(`507 with the code ${String(code)}`)
  }
}
