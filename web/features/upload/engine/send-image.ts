// Sends one file: small ones in one request, with XMLHttpRequest, since fetch reports no progress of
// a request body; large ones resumably (send-resumable.ts).
import { uploadPath } from '../../../../contract/derive/client.ts'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { countUpload } from '../../../model/install-offer.ts'
import { endStarted, fingerprintOf, removeStarted } from './started-uploads.ts'
import {
  type Attempt,
  lifetimeFields,
  newAttempt,
  onStall,
  refusal,
  type SendOptions,
  requireNotHeldForReview,
} from './send-either-way.ts'
import type { UploadItem } from './upload-state.ts'
import { MissingScript, SendError, UnreadableFile } from './wait-or-give-up.ts'

/** Of a smaller file, less is sent again after a lost connection than two more requests cost. */
const minResumableBytes = 1024 * 1024

/** Continues, after a reload too, when the same file is chosen again. @throws as `sendImage` */
export const sendChosen = (file: File, options: SendOptions) =>
  sendImage(file, { ...options, startedAs: fingerprintOf(file) })

export const endChosen = ({ file, prepared }: UploadItem) => endStarted(fingerprintOf(prepared?.file ?? file))

/**
 * @throws {SendError} with an empty text where the server gave none: no connection, a stall or an
 * invalid response
 * @throws {UnreadableFile} the file was moved or deleted meanwhile
 */
export async function sendImage(file: File, options: SendOptions): Promise<UploadedImage> {
  try {
    const image = await sendWithProof(file, options)
    countUpload()
    return image
  } catch (error) {
    if (error instanceof SendError && error.status === 0 && !options.signal.aborted) await assertReadable(file)
    throw error
  }
}

async function sendWithProof(file: File, options: SendOptions): Promise<UploadedImage> {
  try {
    return await send(file, newAttempt(options))
  } catch (error) {
    if (!(error instanceof SendError) || error.challenge === null) throw error
    const { solveChallenge } = await import('../../../model/proof-of-work.ts')
    const proof = await solveChallenge(error.challenge, options.signal).catch(() => {
      throw new SendError(0)
    })
    return send(file, newAttempt(options, proof))
  }
}

async function send(file: File, attempt: Attempt): Promise<UploadedImage> {
  if (file.size <= minResumableBytes) return sendWhole(file, attempt)
  const { sendResumable, UploadGone } = await import('./send-resumable.ts').catch((cause: unknown) => {
    throw new MissingScript('The script for large files was not loaded', { cause })
  })
  attempt.signal.throwIfAborted()
  try {
    return await sendResumable(file, attempt)
  } catch (error) {
    if (!(error instanceof UploadGone)) throw error
    removeStarted(attempt.startedAs)
    attempt.onRestart()
    const next = newAttempt(attempt, attempt.proof)
    // Unknown as soon as it had begun: its requests reach different servers. One request reaches one.
    return error.hadJustBegun ? sendWhole(file, next) : send(file, next)
  }
}

function sendWhole(file: File, attempt: Attempt): Promise<UploadedImage> {
  const { signal, onProgress, key, album, used, proof } = attempt
  const request = new XMLHttpRequest()
  request.open('POST', uploadPath)
  request.responseType = 'json'
  request.setRequestHeader('idempotency-key', key)
  if (used !== null) request.setRequestHeader('authorization', `Bearer ${used}`)
  if (proof !== undefined) request.setRequestHeader('x-proof-of-work', proof)
  const stop = () => request.abort()

  return new Promise<object>((resolve, reject) => {
    signal.addEventListener('abort', stop)
    onStall(request, stop)
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total)
    }
    request.onerror = request.onabort = () => reject(new SendError(0))
    request.onload = () => {
      const { status, response } = request
      if (status === 201 && response !== null) resolve(response as object)
      else reject(refusal(status, response, (name) => request.getResponseHeader(name), attempt))
    }
    const form = new FormData()
    // Before the file: the server reads the parts in their order.
    if (album !== undefined) form.append('album', album)
    for (const [name, value] of Object.entries(lifetimeFields(used))) form.append(name, value)
    form.append('image', file, file.name)
    request.send(form)
  })
    .then(requireNotHeldForReview)
    .finally(() => signal.removeEventListener('abort', stop))
}

/** A file that cannot be read fails like a connection, and would be sent for ever. */
async function assertReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch (cause) {
    throw new UnreadableFile('The file cannot be read', { cause })
  }
}
