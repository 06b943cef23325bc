// Sends one file with XMLHttpRequest: fetch reports no progress of a request body.
import { uploadPath } from '../../../contract/client.ts'
import type { UploadedImage } from '../../../contract/images.ts'
import { heldForReview } from '../../texts/messages.ts'
import { ApiError } from '../api-error.ts'
import { countUpload } from '../install-offer.ts'
import { completeImage } from '../stored-image.ts'
import { discardRefusedToken, token } from '../token.ts'

/** An upload that transfers no byte for this long is aborted. */
const stallTimeoutMs = 30_000

export interface SendOptions {
  signal: AbortSignal
  /** Receives the share of the bytes that are sent, from 0 to 1. */
  onProgress: (fraction: number) => void
  /** Idempotency-Key: the server returns the same image for a repeated request. */
  key?: string
}

/**
 * @throws {ApiError} with an empty text where the server gave none: no connection, a stall or an
 * invalid response
 */
export async function sendImage(file: File, options: SendOptions): Promise<UploadedImage> {
  try {
    return await sendOnce(file, options)
  } catch (error) {
    if (!(error instanceof ApiError) || error.challenge === null) throw error
    const { solveChallenge } = await import('../proof-of-work.ts')
    const proof = await solveChallenge(error.challenge, options.signal).catch(() => {
      throw new ApiError(0, undefined)
    })
    return sendOnce(file, options, proof)
  }
}

function sendOnce(file: File, { signal, onProgress, key }: SendOptions, proof?: string): Promise<UploadedImage> {
  const request = new XMLHttpRequest()
  const used = token.get()
  request.open('POST', uploadPath)
  request.responseType = 'json'
  if (used !== null) request.setRequestHeader('authorization', `Bearer ${used}`)
  if (key !== undefined) request.setRequestHeader('idempotency-key', key)
  if (proof !== undefined) request.setRequestHeader('x-proof-of-work', proof)

  let stallTimer = 0
  const restartStallTimer = () => {
    clearTimeout(stallTimer)
    stallTimer = window.setTimeout(() => request.abort(), stallTimeoutMs)
  }
  const stop = () => request.abort()

  return new Promise<UploadedImage>((resolve, reject) => {
    signal.addEventListener('abort', stop)
    request.upload.onprogress = (event) => {
      restartStallTimer()
      if (event.lengthComputable) onProgress(event.loaded / event.total)
    }
    request.onerror = request.onabort = () => reject(new ApiError(0, undefined))
    request.onload = () => {
      const refusal = new ApiError(request.status, request.response, request.getResponseHeader('x-challenge'))
      if (request.status === 201 && request.response !== null) {
        countUpload()
        const image = completeImage(request.response as UploadedImage)
        // It is stored, but no page can show it yet.
        if (image.quarantined) return reject(new ApiError(451, { error: heldForReview }))
        return resolve(image)
      }
      if (used !== null && refusal.endsSession) discardRefusedToken(used)
      reject(refusal)
    }
    const form = new FormData()
    form.append('image', file, file.name)
    restartStallTimer()
    request.send(form)
  }).finally(() => {
    clearTimeout(stallTimer)
    signal.removeEventListener('abort', stop)
  })
}
