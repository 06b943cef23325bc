// The requests that a server acknowledged, as recorded by the harness, and whether it keeps to them. Nothing is read from its
// disk.
import type { UploadedImage } from '../contract/endpoints/images.ts'
import {
  bearer,
  bodyOf,
  call,
  type CallResponse,
  imageIn,
  originalAt,
  store,
  upload,
  type UploadOptions,
} from './client.ts'
import { inParallel } from './load/keep-sending.ts'
import { type AcknowledgedUpload, sha256, violationOf } from './verify.ts'

/** `requested`: its response was lost, so that both states are correct. */
type Change = 'requested' | 'acknowledged'

export interface Acknowledged extends AcknowledgedUpload {
  deletion?: Change
  extension?: Change
  isChecked?: true
}

export interface Check {
  /** Of every n-th one all kinds of variant are requested, of the others only the thumbnail. Default: of none. */
  variantsOfEvery?: number
  /** How many are checked at a time. */
  width?: number
  /** Only those that were not checked before. */
  onlyNew?: boolean
  /** Of the users among the uploaders: their images must also expire at the acknowledged time. */
  token?: string
}

export class Ledger {
  readonly acknowledged: Acknowledged[] = []
  /** Acknowledged uploads, deletions and extensions. */
  made = 0
  /** The SHA-256 of what is served as the original, by that of the uploaded bytes. */
  readonly #served = new Map<string, string>()

  /**
   * Uploads an image once without faults, which is not recorded: from then on the same bytes must be served as the same bytes.
   * @throws when it is not accepted or not served
   */
  async learn(url: string, sent: Buffer, options: UploadOptions = {}): Promise<UploadedImage> {
    const image = await store(url, sent, options)
    const original = await call(originalAt(url, image))
    if (original.status !== 200) throw new Error(`The first original got ${original.status}`)
    this.#served.set(sha256(sent), sha256(original.body))
    return image
  }

  /** Uploads an image and records it when it is acknowledged. @returns the response, whatever its status */
  async upload(url: string, sent: Buffer, options: UploadOptions = {}): Promise<CallResponse> {
    const reply = await upload(url, sent, options)
    if (reply.status === 201) this.add(imageIn(reply), sent)
    return reply
  }

  add(image: UploadedImage, sent: Buffer): Acknowledged {
    const one: Acknowledged = { image, sentSha256: sha256(sent) }
    this.acknowledged.push(one)
    this.made++
    return one
  }

  /** @param send rejects when the response does not arrive */
  async delete(one: Acknowledged, send: () => Promise<CallResponse>): Promise<CallResponse> {
    one.deletion ??= 'requested'
    const reply = await send()
    if (reply.status !== 200) return reply
    one.deletion = 'acknowledged'
    this.made++
    return reply
  }

  /** @param send rejects when the response does not arrive */
  async extend(one: Acknowledged, send: () => Promise<CallResponse>): Promise<void> {
    one.extension = 'requested'
    const reply = await send()
    if (reply.status !== 200) return
    one.extension = 'acknowledged'
    one.image.expires_at = bodyOf<{ expires_at: string }>(reply).expires_at
    this.made++
  }

  /** What is wrong with the acknowledged images. */
  async violations(url: string, { variantsOfEvery, width = 8, onlyNew, token }: Check = {}): Promise<string[]> {
    const asked = this.acknowledged.filter((one) => !onlyNew || !one.isChecked)
    const violations: string[] = []
    await inParallel(width, asked.entries(), async ([at, one]) => {
      one.isChecked = true
      const variants = variantsOfEvery !== undefined && at % variantsOfEvery === 0
      const violation = await this.#violationOf(one, url, { variants, token }).catch(String)
      if (violation !== undefined) violations.push(violation)
    })
    return violations
  }

  async #violationOf(
    one: Acknowledged,
    url: string,
    { variants, token }: { variants: boolean; token: string | undefined },
  ): Promise<string | undefined> {
    if (one.deletion === 'requested') return undefined
    if (one.deletion === 'acknowledged') {
      const { status } = await call(originalAt(url, one.image))
      return status === 410 ? undefined : `deleted, but it responds with ${status}`
    }
    const expected = this.#served.size === 0 ? undefined : (this.#served.get(one.sentSha256) ?? 'never learned')
    const violation = await violationOf(one, url, { variants, expected })
    if (violation !== undefined || token === undefined || one.extension === 'requested') return violation
    const kept = imageIn(await call(`${url}/api/images/${one.image.id}`, { headers: ownerHeaders(one, token) }))
    if (kept.expires_at === one.image.expires_at) return undefined
    return `${one.extension === 'acknowledged' ? 'extended to' : 'stored until'} ${one.image.expires_at}, and the response has ${kept.expires_at}`
  }
}

/** @param token of the uploader, if it was a user */
export const ownerHeaders = ({ image }: Pick<Acknowledged, 'image'>, token: string): Record<string, string> =>
  image.delete_token === undefined ? bearer(token) : { 'x-guest-token': image.delete_token }
