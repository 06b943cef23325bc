// The acknowledged state of each image: stored, deleted, or stored until a given time.
import { bearer, bodyOf, call, imageIn, type CallResponse, originalAt } from './client.ts'
import { type AcknowledgedUpload, acknowledgedUploadOf } from './ledger.ts'
import { violationOf, violationsOfEach, type Served } from './verify.ts'

interface Fate extends AcknowledgedUpload {
  /** `requested`: a request was sent and its response was lost, so that both states are correct. */
  deletion: 'no' | 'requested' | 'acknowledged'
  extension: 'no' | 'requested' | 'acknowledged'
  isChecked: boolean
}

export class Acknowledgements {
  readonly #fates: Fate[] = []
  readonly #served: Served
  /** Acknowledged requests of all kinds. */
  made = 0

  /** @param served what each image is served as without faults */
  constructor(served: Served) {
    this.#served = served
  }

  get uploads(): number {
    return this.#fates.length
  }

  uploaded(reply: CallResponse, sent: Uint8Array): Fate {
    const fate: Fate = {
      ...acknowledgedUploadOf(imageIn(reply), sent),
      deletion: 'no',
      extension: 'no',
      isChecked: false,
    }
    this.#fates.push(fate)
    this.made++
    return fate
  }

  /** @param send rejects when the response does not arrive */
  async deleted(fate: Fate, send: () => Promise<CallResponse>): Promise<void> {
    fate.deletion = 'requested'
    if ((await send()).status !== 200) return
    fate.deletion = 'acknowledged'
    this.made++
  }

  async extended(fate: Fate, send: () => Promise<CallResponse>): Promise<void> {
    fate.extension = 'requested'
    const reply = await send()
    if (reply.status !== 200) return
    fate.extension = 'acknowledged'
    fate.image.expires_at = bodyOf<{ expires_at: string }>(reply).expires_at
    this.made++
  }

  /** The violated acknowledgements. @param onlyNew those not checked before, with all their variants */
  async broken(url: string, token: string, { onlyNew }: { onlyNew: boolean }): Promise<string[]> {
    const asked = this.#fates.filter((fate) => !onlyNew || !fate.isChecked)
    return violationsOfEach(asked, (fate, at) => {
      fate.isChecked = true
      return wrongOf(fate, url, token, { variants: onlyNew && at % 10 === 0, served: this.#served })
    })
  }
}

export const ownerHeaders = ({ image }: Pick<AcknowledgedUpload, 'image'>, token: string): Record<string, string> =>
  image.delete_token === undefined ? bearer(token) : { 'x-guest-token': image.delete_token }

async function wrongOf(
  fate: Fate,
  url: string,
  token: string,
  options: { variants: boolean; served: Served },
): Promise<string | undefined> {
  if (fate.deletion === 'requested') return undefined
  if (fate.deletion === 'acknowledged') {
    const { status } = await call(originalAt(url, fate.image))
    return status === 410 ? undefined : `deleted, but it responds with ${status}`
  }
  const violation = await violationOf(fate, url, options)
  if (violation !== undefined || fate.extension === 'requested') return violation
  const kept = imageIn(await call(`${url}/api/images/${fate.image.id}`, { headers: ownerHeaders(fate, token) }))
  if (kept.expires_at === fate.image.expires_at) return undefined
  return `${fate.extension === 'acknowledged' ? 'extended to' : 'stored until'} ${fate.image.expires_at}, and the response has ${kept.expires_at}`
}
