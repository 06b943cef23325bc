import { ImagingBusy, ImagingInterrupted } from '../../imaging/pool/imaging.ts'
import { Failure } from '../failure.ts'

/** Maps an overloaded or interrupted decoder pool to the failure `busy`; other errors are returned unchanged. */
export function asFailure(error: unknown): unknown {
  return error instanceof ImagingBusy || error instanceof ImagingInterrupted
    ? new Failure('busy', {}, { cause: error, retryAfterS: 2 })
    : error
}
