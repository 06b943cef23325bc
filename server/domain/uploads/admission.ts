// Admits uploads before their first byte is read: by rate, concurrency, disk space and quotas.
import { limits } from '../../../contract/plain/limits.ts'
import { acquirePermit } from '../../concurrency/resource-stack.ts'
import { createKeyedSemaphores } from '../../concurrency/semaphore.ts'
import { ImagingInterrupted } from '../../imaging/pool/imaging.ts'
import type { Caller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { assertDiskSpace } from '../shared/disk-space.ts'
import { Failure } from '../shared/failure.ts'
import { imageTotals } from '../images/image-totals.ts'
import { assertKeyNotUsedUp, throttleKey } from './key-limits.ts'
import { findRequiredChallenge } from '../shared/proof-of-work.ts'
import { hasTotalQuota, assertWithinQuota, assertWithinTotals } from '../images/quota.ts'
import { throttle, throttleAddress, type Undo } from '../shared/throttle.ts'
import { isRepeatedUpload } from './idempotency.ts'
import { type UploadLimits, uploadLimitsOf } from './upload-limits.ts'

/** An upload before its first byte is read. */
export interface AnnouncedUpload {
  caller: Caller
  address: string
  /** The Idempotency-Key. The repetition of a stored upload is admitted where a quota is used up. */
  key: string | undefined
}

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

/**
 * Counts a file in the hour of its account or address, and of its API key.
 * @throws {Failure} too_many_requests; then it counts nowhere
 */
async function countUpload(deps: Deps, { caller, address }: AnnouncedUpload): Promise<Undo> {
  const { GUEST_UPLOADS_PER_HOUR, USER_UPLOADS_PER_HOUR } = deps.config
  const windowMs = limits.uploadWindowMs
  if (caller.kind === 'guest')
    return throttleAddress(deps, address, { key: 'guest-upload', limit: GUEST_UPLOADS_PER_HOUR, windowMs })
  // The key first: beyond its limit it does not use up that of the account.
  const undoKey = 'apiKeyId' in caller.by ? await throttleKey(deps, caller.by) : undefined
  try {
    const key = `user-upload:${caller.account.id}`
    const undo = await throttle(deps, { key, limit: USER_UPLOADS_PER_HOUR, windowMs })
    return async () => void (await Promise.all([undoKey?.(), undo()]))
  } catch (error) {
    await undoKey?.()
    throw error
  }
}

/**
 * Counts the files of an upload beyond the first, which was counted when it was admitted: all or none. A proof of work
 * is for one file.
 * @param counted gets what undoes each count
 * @throws {Failure} too_many_requests; too_many_files: more than an hour allows; invalid_input: x-proof-of-work
 */
export async function countFurtherFiles(
  deps: Deps,
  upload: AnnouncedUpload,
  files: number,
  counted: Undo[],
): Promise<void> {
  try {
    // No hour would have room for them.
    if (files > mostOfAnHour(deps, upload)) throw new Failure('too_many_files')
    for (let file = 1; file < files; file++) {
      if (upload.caller.kind === 'guest' && (await findRequiredChallenge(deps, undefined)) !== null)
        throw new Failure('invalid_input', {
          field: 'x-proof-of-work',
          problem: 'is for one image. Send one at a time',
        })
      counted.push(await countUpload(deps, upload))
    }
  } catch (error) {
    await Promise.all(counted.splice(0).map((undo) => undo()))
    throw error
  }
}

function mostOfAnHour({ config }: Deps, { caller }: AnnouncedUpload): number {
  const limitsOfCaller =
    caller.kind === 'guest'
      ? [config.GUEST_UPLOADS_PER_HOUR]
      : [config.USER_UPLOADS_PER_HOUR, ('apiKeyId' in caller.by && caller.by.grant.uploadsPerHour) || 0]
  return Math.min(...limitsOfCaller.filter((limit) => limit > 0))
}

/** Whether the upload failed before a decoder worked on it, for a reason that is not its sender's. */
export const wasNotTaken = (error: unknown): boolean =>
  error instanceof Failure &&
  (['storage_full', 'total_quota_full', 'guest_quota_full', 'too_many_requests', 'decoder_unavailable'].includes(
    error.code,
  ) ||
    (error.code === 'busy' && !(error.cause instanceof ImagingInterrupted)))

/**
 * Concurrent guest uploads per client address: several tabs and people, of which some have slow lines. Queued
 * requests wait with their bodies unread, for less time than proxies wait for the server to read on.
 */
const guestSemaphoreOf = createKeyedSemaphores({
  permits: 8,
  maxQueued: 100,
  maxWaitMs: 30_000,
  rejectWith: () => new Failure('busy', {}, { retryAfterS: 2 }),
})

/** Waits for the place of a guest among those of the same address. Others need none. @throws {Failure} busy */
export async function uploadSlot(
  { config }: Deps,
  caller: Caller,
  address: string,
): Promise<AsyncDisposable | undefined> {
  const isLimited = caller.kind === 'guest' && config.GUEST_UPLOADS_PER_HOUR > 0
  return isLimited ? acquirePermit(guestSemaphoreOf(address)) : undefined
}

/** Of uploads in flight: no other one is promised the same. */
export interface Space extends Disposable {
  /** Reserves more. @throws {Failure} as the first reservation */
  add: (bytes: number, images: number) => Promise<void>
  /** Ends all of it before it is disposed of. More calls do nothing. */
  release: () => void
}

/** Reserves disk space for a body whose sender is not identified yet. @throws {Failure} storage_full */
export async function reserveDisk(deps: Deps, bytes: number): Promise<Space> {
  const space = spaceOf(deps, null, () => assertDiskSpace(deps.tempDir, deps.uploadsInFlight.total()))
  await space.add(bytes, 1)
  return space
}

/**
 * Reserves the space of one image, beside that of all others in flight. Quotas are checked again,
 * exactly, when the row is stored (store-row.ts); other servers' uploads in flight are not known
 * here.
 * @param bytes as declared
 * @throws {Failure} storage_full, quota_exceeded, guest_quota_full, total_quota_full
 */
export async function reserveSpace(deps: Deps, upload: AnnouncedUpload, bytes: number): Promise<Space> {
  const { caller } = upload
  const space = spaceOf(deps, ownerOf(caller), async () => {
    await assertDiskSpace(deps.tempDir, deps.uploadsInFlight.total())
    await unlessRepeated(deps, upload, () => assertWithinQuotas(deps, caller))
  })
  await space.add(bytes, 1)
  return space
}

/** @param check whether all that is in flight has room */
function spaceOf(deps: Deps, owner: string | null, check: () => Promise<void>): Space {
  const reserved: (() => void)[] = []
  const release = () => reserved.forEach((one) => one())
  return {
    async add(bytes, images) {
      const releaseThis = deps.uploadsInFlight.add(owner, bytes, images)
      try {
        await endingIdleUploads(deps, owner, check)
        reserved.push(releaseThis)
      } catch (error) {
        releaseThis()
        throw error
      }
    },
    release,
    [Symbol.dispose]: release,
  }
}

/**
 * Resumable uploads whose client has gone away refuse nobody: they end, one by one, until the check passes or none is
 * left. The space of an account is only its own; that of the server is taken from the sender and guests first.
 * @throws what `check` throws
 */
async function endingIdleUploads(deps: Deps, owner: string | null, check: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await check()
    } catch (error) {
      const code = error instanceof Failure ? error.code : ''
      const isEnded =
        (await deps.uploadRecords.endIdle(holdersOfSpace(code, owner))) ||
        (isSharedSpace(code) && (await deps.uploadRecords.endIdle()))
      if (!isEnded) throw error
    }
  }
}

const isSharedSpace = (code: string) => code === 'storage_full' || code === 'total_quota_full'

function holdersOfSpace(code: string, owner: string | null): (string | null)[] {
  if (code === 'quota_exceeded') return [owner]
  if (code === 'guest_quota_full') return [null]
  return isSharedSpace(code) ? [owner, null] : []
}

export const ownerOf = (caller: Caller): string | null => (caller.kind === 'user' ? caller.account.id : null)

/** @throws {Failure} quota_exceeded, guest_quota_full, total_quota_full */
async function assertWithinQuotas({ config, db, uploadsInFlight }: Deps, caller: Caller): Promise<void> {
  const owner = ownerOf(caller)
  if (caller.kind === 'user') assertWithinQuota(config, caller.account, uploadsInFlight.of(owner))
  if (!hasTotalQuota(config, owner === null)) return
  const stored = await imageTotals(db)
  const expected = {
    bytes: stored.bytes + uploadsInFlight.total().bytes,
    guestBytes: stored.guestBytes + uploadsInFlight.of(null).bytes,
  }
  assertWithinTotals(config, expected, owner === null)
}

/** @throws what `refuse` throws, unless the upload stores nothing */
async function unlessRepeated(deps: Deps, upload: AnnouncedUpload, refuse: () => void | Promise<void>): Promise<void> {
  try {
    await refuse()
  } catch (error) {
    if (!(error instanceof Failure) || !(await isRepeatedUpload(deps, upload, upload.key))) throw error
  }
}
