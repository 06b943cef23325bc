import { ImagingBusy, ImagingInterrupted } from '../../imaging/pool/imaging.ts'
import { Failure } from '../failure.ts'

/** What the imaging throws when it has no time, as what the caller is to be told; anything else as it is. */
export function asFailure(error: unknown): unknown {
  return error instanceof ImagingBusy || error instanceof ImagingInterrupted
    ? new Failure('busy', {}, { cause: error, retryAfterS: 2 })
    : error
}
