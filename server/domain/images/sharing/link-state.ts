// What a link says by itself: whether it is open, and what it allows.
import { limits } from '../../../../contract/plain/limits.ts'
import type { LinksTable } from '../../../db/schema.ts'

type Times = Pick<LinksTable, 'revoked_at' | 'starts_at' | 'ends_at'>
type Restrictions = Pick<LinksTable, 'can_download' | 'max_size' | 'watermark'>

/** Whatever its views: what a visitor has opened stays open when they are used up. */
export const isLinkOpen = (
  { revoked_at: revokedAt, starts_at: startsAt, ends_at: endsAt }: Times,
  now: number,
): boolean => revokedAt === null && (startsAt === null || startsAt <= now) && (endsAt === null || endsAt > now)

/** Pixels of the longest side of what visitors get; null: any. */
export function maxSizeOf({ can_download: canDownload, max_size: maxSize }: Restrictions): number | null {
  if (canDownload === 1) return maxSize
  return Math.min(maxSize ?? Infinity, limits.links.previewPx)
}

/** Whether visitors get the files as they were uploaded. */
export const givesOriginals = (link: Restrictions): boolean =>
  link.can_download === 1 && link.max_size === null && link.watermark === ''

/** Whether even public images come through the link, since it says how they look. */
export const isRestricted = (link: Restrictions): boolean => !givesOriginals(link)
