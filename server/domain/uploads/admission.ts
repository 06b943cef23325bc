// Admits uploads before their first byte is read: to guests, within the limits of the API key and of an hour.
import { ImagingInterrupted } from '../../imaging/pool/imaging.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import type { Undo } from '../shared/throttle.ts'
import { type AnnouncedUpload, unlessRepeated } from './idempotency.ts'
import { assertKeyNotUsedUp } from './key-limits.ts'
import { type UploadLimits, uploadLimitsOf } from './upload-limits.ts'
import { countUpload } from './uploads-per-hour.ts'

interface AdmittedUpload extends UploadLimits {
  /** For an upload that was not received or not taken: it does not count in its hour. */
  uncount: Undo
}

/**
 * Counts the upload, and starts its decoder process while its body arrives.
 * @throws {Failure} guest_uploads_off, too_many_requests, api_key_quota
 */
export async function admitUpload(deps: Deps, upload: AnnouncedUpload): Promise<AdmittedUpload> {
  const { caller } = upload
  if (caller.kind === 'guest' && !deps.config.GUEST_UPLOADS) throw new Failure('guest_uploads_off')
  if (caller.kind === 'user' && 'apiKeyId' in caller.by) {
    const key = caller.by
    await unlessRepeated(deps, upload, () => assertKeyNotUsedUp(key))
  }
  const uncount = await countUpload(deps, upload)
  deps.imaging.warmIngest()
  return { ...uploadLimitsOf(deps.config, caller.kind), uncount }
}

/** Whether the upload failed before a decoder worked on it, for a reason that is not its sender's. */
export const wasNotTaken = (error: unknown): boolean =>
  error instanceof Failure &&
  (['storage_full', 'total_quota_full', 'guest_quota_full', 'too_many_requests', 'decoder_unavailable'].includes(
    error.code,
  ) ||
    (error.code === 'busy' && !(error.cause instanceof ImagingInterrupted)))
