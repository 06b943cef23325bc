// What a link says by itself: its fields, whether it is open, and what it allows.
import { limits } from '../../../../contract/plain/limits.ts'
import type { LinksTable } from '../../../db/schema.ts'
import { isoTime, isoTimeOrNull } from '../../shared/iso-time.ts'
import type { Access } from './access-type.ts'

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

/** What whoever opens the link may have of its images. */
export const accessOf = (link: LinksTable): Access => ({
  named: {
    linkId: link.id,
    hasOriginal: givesOriginals(link),
    canDownload: link.can_download === 1,
    maxSizePx: maxSizeOf(link),
    watermark: link.watermark,
  },
})

/** As its owner sees them, in lists and in the archive of the account. The hash of the password stays here. */
export const linkFields = (link: LinksTable) => ({
  id: link.id,
  slug: link.slug,
  album_id: link.album_id,
  name: link.name,
  note: link.note,
  shows_private: link.shows_private === 1,
  has_password: link.password_hash !== null,
  starts_at: isoTimeOrNull(link.starts_at),
  ends_at: isoTimeOrNull(link.ends_at),
  views_left: link.views_left,
  can_download: link.can_download === 1,
  max_size: link.max_size,
  watermark: link.watermark,
  views: link.views,
  last_viewed_at: isoTimeOrNull(link.last_viewed_at),
  created_at: isoTime(link.created_at),
})
