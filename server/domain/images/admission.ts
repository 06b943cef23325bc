// Admits uploads before their first byte is read: by rate, disk space and quotas.
import { limits } from '../../../contract/limits.ts'
import type { Caller } from '../caller.ts'
import type { Deps } from '../deps.ts'
import { refuseWhenFull } from '../disk-space.ts'
import { Failure } from '../failure.ts'
import { imageTotals } from '../image-totals.ts'
import { admitKeyUpload } from '../key-limits.ts'
import { hasTotalQuota, refuseOverQuota, refuseOverTotals } from '../quota.ts'
import { throttle, throttleAddress } from '../throttle.ts'
import { type UploadLimits, uploadLimitsOf } from './upload-limits.ts'

/** @throws {Failure} guest_uploads_off, too_many_requests, api_key_quota */
export async function admitUpload(deps: Deps, caller: Caller, address: string): Promise<UploadLimits> {
  const { GUEST_UPLOADS, GUEST_UPLOADS_PER_HOUR, USER_UPLOADS_PER_HOUR } = deps.config
  if (caller.kind === 'guest' && !GUEST_UPLOADS) throw new Failure('guest_uploads_off')
  const windowMs = limits.uploadWindowMs
  if (caller.kind === 'guest')
    await throttleAddress(deps, address, { key: 'guest-upload', limit: GUEST_UPLOADS_PER_HOUR, windowMs })
  else await throttle(deps, { key: `user-upload:${caller.account.id}`, limit: USER_UPLOADS_PER_HOUR, windowMs })
  if (caller.kind === 'user' && 'apiKeyId' in caller.by) await admitKeyUpload(deps, caller.by)
  return uploadLimitsOf(deps.config, caller.kind)
}

/**
 * Reserves the space of an upload, beside that of all others in flight. Quotas are checked again,
 * exactly, when the row is stored (store-row.ts); other servers' uploads in flight are not known
 * here.
 * @param bytes as declared
 * @returns a function that releases the space; more calls do nothing
 * @throws {Failure} storage_full, quota_exceeded, guest_quota_full, total_quota_full
 */
export async function reserveSpace(deps: Deps, caller: Caller, bytes: number): Promise<() => void> {
  const { config, uploadsInFlight } = deps
  const owner = caller.kind === 'user' ? caller.account.id : null
  const release = uploadsInFlight.add(owner, bytes)
  try {
    const inFlight = uploadsInFlight.total()
    if (caller.kind === 'user') refuseOverQuota(config, caller.account, uploadsInFlight.of(owner))
    await refuseWhenFull(deps.tempDir, inFlight)
    if (hasTotalQuota(config, owner === null)) {
      const stored = await imageTotals(deps.db)
      const expected = {
        bytes: stored.bytes + inFlight.bytes,
        guestBytes: stored.guestBytes + uploadsInFlight.of(null).bytes,
      }
      refuseOverTotals(config, expected, owner === null)
    }
    return release
  } catch (error) {
    release()
    throw error
  }
}
