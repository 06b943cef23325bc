import { DecoderUnavailable, ImagingBusy, ImagingInterrupted, RenderBudgetUsedUp } from '../../imaging/pool/imaging.ts'
import { Failure } from '../shared/failure.ts'
import { tooManyRequests } from '../shared/throttle.ts'

/** Maps an overloaded, interrupted or broken decoder pool to the failure of the request; other errors are returned unchanged. */
export function asFailure(error: unknown): unknown {
  if (error instanceof RenderBudgetUsedUp) return tooManyRequests(error.retryAfterMs)
  if (error instanceof ImagingBusy) return busy(error, error.retryAfterMs)
  if (error instanceof DecoderUnavailable) return new Failure('decoder_unavailable', {}, { cause: error })
  return error instanceof ImagingInterrupted ? busy(error, 2000) : error
}

const busy = (cause: Error, retryAfterMs: number) =>
  new Failure('busy', {}, { cause, retryAfterS: Math.max(1, Math.ceil(retryAfterMs / 1000)) })
