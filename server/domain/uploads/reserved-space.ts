// Space for uploads before they are received: on the disk, and within quotas. No two are promised the same.
import type { Caller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { assertDiskSpace } from '../shared/disk-space.ts'
import { imageTotals } from '../images/image-totals.ts'
import { assertWithinQuota, assertWithinTotals, hasTotalQuota } from '../images/quota.ts'
import { type AnnouncedUpload, unlessRepeated } from './idempotency.ts'
import { endingIdleUploads } from './idle-uploads.ts'

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
export async function reserveDiskAndQuota(deps: Deps, upload: AnnouncedUpload, bytes: number): Promise<Space> {
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
