// What both ways of sending an upload share: its response, and the guard against a silent line.
import { mayKeepImages } from '../../../model/images/may-keep.ts'
import { keptUploads } from '../upload-prefs.ts'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { heldForReview } from '../../../texts/messages.ts'
import { ApiError } from '../../../model/api-error.ts'
import { completeImage } from '../../../model/images/stored-image.ts'
import { retryAfterMs } from '../../../format/retry-after.ts'
import { discardRefusedToken, token } from '../../../model/token.ts'
import { SendError } from './wait-or-give-up.ts'

export interface SendOptions {
  signal: AbortSignal
  /** Receives the share of the bytes that are sent, from 0 to 1. */
  onProgress: (fraction: number) => void
  /** Called when the server no longer has what was sent before. */
  onRestart: () => void
  /** Idempotency-Key: the server returns the same image for a repeated request. */
  key: string
  /** Finds what was sent of this file before a reload (started-uploads.ts). Default: `key`. */
  startedAs?: string
  /** The upload stays a guest's after a login: a batch ends as it began, and moves into the account as a whole. */
  isGuest?: boolean
  /** The album that it goes into. */
  album?: string | undefined
}

/** One attempt to send a file. */
export interface Attempt extends SendOptions {
  startedAs: string
  /** The token that its requests are sent with. */
  used: string | null
  /** The solution of a challenge. */
  proof: string | undefined
}

export const newAttempt = (options: SendOptions, proof?: string): Attempt => ({
  startedAs: options.key,
  ...options,
  used: tokenOf(options),
  proof,
})

const tokenOf = ({ isGuest = false }: Pick<SendOptions, 'isGuest'>) => (isGuest ? null : token.get())

/** A request that transfers no byte for this long is aborted. */
const stallTimeoutMs = 30_000
/** Once all is sent, the server reads, checks and stores the file, and the bytes on their way have to arrive. */
export const responseTimeoutMs = 60_000

/** The longest wait that the server asks for: until the next uploads of an hour are allowed. */
const maxWaitMs = 65 * 60_000

/** Calls `stop` when the request gets no further. */
export function onStall(request: XMLHttpRequest, stop: () => void): void {
  let timer = 0
  const restart = (ms: number) => {
    clearTimeout(timer)
    timer = window.setTimeout(stop, ms)
  }
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    restart(loaded < total ? stallTimeoutMs : responseTimeoutMs),
  )
  request.addEventListener('loadend', () => clearTimeout(timer))
  restart(stallTimeoutMs)
}

/** @throws {ApiError} when the image is stored but no page can show it yet */
export function requireNotHeldForReview(body: object): UploadedImage {
  const image = completeImage(body as UploadedImage)
  if (image.quarantined) throw new ApiError(451, { error: heldForReview })
  return image
}

/** A refusal as an error. A token that is no longer valid is discarded. */
export function refusal(
  status: number,
  body: unknown,
  headerOf: (name: string) => string | null,
  attempt: Pick<Attempt, 'used' | 'isGuest'>,
): SendError {
  const { used } = attempt
  const afterMs = retryAfterMs(headerOf('retry-after'))
  const error = new SendError(status, body, {
    challenge: headerOf('x-challenge'),
    retryAfterMs: afterMs === undefined ? undefined : Math.min(afterMs, maxWaitMs),
  })
  if (!error.endsSession) return error
  // Another token has replaced it: the next attempt is sent with that one.
  if (used !== tokenOf(attempt)) return new SendError(0)
  if (used !== null) discardRefusedToken(used)
  return error
}

/** What the user has chosen about the lifetime of uploads. @param used the token; null: a guest's expire */
export const lifetimeFields = (used: string | null): { expires_in?: string } =>
  used !== null && keptUploads.get() && mayKeepImages() ? { expires_in: 'never' } : {}
