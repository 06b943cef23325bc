// Storage quotas: of an account, of all guests, and of all originals (docs/decisions/0029).
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import type { Config } from '../../config.ts'
import type { Account } from '../shared/caller.ts'
import type { Amount } from '../shared/disk-space.ts'
import { Failure } from '../shared/failure.ts'

const nothing: Amount = { images: 0, bytes: 0 }

/** The limits of an account; 0 means no limit. */
export const quotaOf = (config: Config, account: Pick<Account, 'quota_bytes' | 'quota_images'>): Amount => ({
  images: account.quota_images ?? config.USER_QUOTA_IMAGES,
  bytes: account.quota_bytes ?? config.USER_QUOTA_BYTES,
})

export type CountedAccount = Pick<Account, 'image_count' | 'image_bytes' | 'quota_bytes' | 'quota_images'>

/** @throws {Failure} quota_exceeded by the account's images and `more` */
export function assertWithinQuota(config: Config, account: CountedAccount, more = nothing): void {
  const { images, bytes } = quotaOf(config, account)
  if (bytes > 0 && account.image_bytes + more.bytes > bytes)
    throw new Failure('quota_exceeded', { limit: formatBytes(bytes) })
  if (images > 0 && account.image_count + more.images > images)
    throw new Failure('quota_exceeded', { limit: `${images.toLocaleString('en-US')} images` })
}

/** Whether totals limit an upload. Reading them can be skipped otherwise. */
export const hasTotalQuota = ({ MAX_STORAGE_BYTES: all, GUEST_QUOTA_BYTES: ofGuests }: Config, isGuest: boolean) =>
  all > 0 || (isGuest && ofGuests > 0)

/** @throws {Failure} guest_quota_full, total_quota_full */
export function assertWithinTotals(
  { MAX_STORAGE_BYTES: all, GUEST_QUOTA_BYTES: ofGuests }: Config,
  stored: { bytes: number; guestBytes: number },
  isGuest: boolean,
): void {
  if (isGuest && ofGuests > 0 && stored.guestBytes > ofGuests)
    throw new Failure('guest_quota_full', { limit: formatBytes(ofGuests) })
  if (all > 0 && stored.bytes > all) throw new Failure('total_quota_full', { limit: formatBytes(all) })
}
