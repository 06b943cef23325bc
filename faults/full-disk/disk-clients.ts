// Clients on a disk that fills up, with checks of which responses are acceptable.
import { Agent } from 'node:http'
import { call, imageIn, type CallResponse, upload } from '../client.ts'
import { type AcknowledgedUpload, acknowledgedUploadOf } from '../ledger.ts'
import { malformed, failureIn } from '../failure-response.ts'

/** The minimum share of acknowledged uploads; fewer indicate a bug. */
const withinMs = 120_000

export class DiskClients {
  readonly url: string
  readonly token: string
  /** Acknowledged uploads that were not deleted. */
  images: AcknowledgedUpload[] = []
  #wrongs: string[] = []
  #answers = new Map<number, number>()

  constructor(url: string, token: string) {
    this.url = url
    this.token = token
  }

  /** Responses since the last call. */
  takeAnswers(): { wrongs: string[]; answers: string } {
    const answers = [...this.#answers].map(([status, times]) => `${status}: ${times}`).join(', ')
    const taken = { wrongs: this.#wrongs, answers }
    this.#wrongs = []
    this.#answers = new Map()
    return taken
  }

  /** Four clients, until enough uploads were refused for missingRequirement of space. */
  async uploadUntilRefused(images: readonly Buffer[], refusals: number): Promise<void> {
    const before = this.#answers.get(507) ?? 0
    await this.#upload(images, () => (this.#answers.get(507) ?? 0) - before < refusals)
  }

  /** Sequential uploads. @returns how many were accepted */
  async uploadSome(images: readonly Buffer[], count: number): Promise<number> {
    const had = this.images.length
    for (let n = 0; n < count; n++) await this.#uploadOne(images[n % images.length] as Buffer)
    return this.images.length - had
  }

  /** Deletes a share of them, oldest first. @returns how many deletions were refused for missingRequirement of space */
  async deleteSome(count: number): Promise<number> {
    let refused = 0
    for (const acknowledged of this.images.slice(0, count)) {
      const reply = await this.#send(`/api/images/${acknowledged.image.id}`, 'DELETE', 'a deletion', [200, 507])
      if (reply.status === 200) this.images = this.images.filter((one) => one !== acknowledged)
      else refused++
    }
    return refused
  }

  /** Requests that each write one row. */
  async writeRows(): Promise<void> {
    const credentials = Buffer.from(JSON.stringify({ email: 'small@example.com', password: 'secret of the harness' }))
    const headers = { 'content-type': 'application/json' }
    this.#judge(
      'a login',
      await call(`${this.url}/api/login`, { method: 'POST', headers, body: credentials }),
      [200, 507],
    )
    const image = this.images.at(-1)?.image
    if (image) await this.#send(`/api/images/${image.id}/extend-expiration`, 'POST', 'an extension', [200, 507])
    await this.#send('/api/images', 'GET', 'a list', [200])
  }

  async #upload(images: readonly Buffer[], goesOn: () => boolean): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    const deadline = performance.now() + withinMs
    const visitor = async (_: unknown, first: number) => {
      for (let n = first; goesOn(); n += 4) {
        if (performance.now() > deadline) return void this.#wrongs.push(`not full within ${withinMs} ms`)
        await this.#uploadOne(images[n % images.length] as Buffer, agent)
      }
    }
    await Promise.all(Array.from({ length: 4 }, visitor))
    agent.destroy()
  }

  async #uploadOne(picture: Buffer, agent?: Agent): Promise<void> {
    const reply = await upload(this.url, picture, { token: this.token, ...(agent && { agent }) })
    this.#judge('an upload', reply, [201, 507, 503])
    if (reply.status !== 201) return
    this.images.push(acknowledgedUploadOf(imageIn(reply), picture))
  }

  async #send(path: string, method: string, what: string, honest: number[]): Promise<CallResponse> {
    const reply = await call(this.url + path, { method, headers: { authorization: `Bearer ${this.token}` } })
    this.#judge(what, reply, honest)
    return reply
  }

  #judge(what: string, { status, body }: CallResponse, honest: number[]): void {
    this.#answers.set(status, (this.#answers.get(status) ?? 0) + 1)
    const isNamed = status < 300 || malformed({ status, body }) === undefined
    if (!honest.includes(status) || !isNamed) this.#wrongs.push(`${what} got ${status} ${String(body)}`)
    const { code } = failureIn(body)
    if (status === 507 && code !== 'storage_full') this.#wrongs.push(`507 with the code ${String(code)}`)
  }
}
