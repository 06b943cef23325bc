// When an image expired, for people who open its address afterwards.
import type { Deps } from '../../shared/deps.ts'
import type { ImageRow } from '../image-row.ts'
import { idsIn } from '../find-image.ts'
import { asViewed, type MayView } from '../may-view.ts'

/** Whether an image that is not served any more reached its expiry, instead of a deletion or its last view. */
export const hasLapsed = (row: Pick<ImageRow, 'undo_until' | 'former_owner_id' | 'views_left'>): boolean =>
  row.undo_until === null && row.former_owner_id === null && row.views_left !== 0

/**
 * Returns when the image expired, in UTC milliseconds, also after the sweep.
 * @param by the custom link, or an address that contains the id
 * @returns null for an image that was deleted, is served, or is unknown
 */
export async function findExpiredAt(
  { db, now }: Deps,
  by: { slug: string } | { path: string },
  mayView: MayView,
): Promise<number | null> {
  const [column, values] = 'slug' in by ? (['slug', [by.slug]] as const) : (['id', idsIn(by.path)] as const)
  if (values.length === 0) return null
  const rows = await db.selectFrom('images').selectAll().where(column, 'in', values).execute()
  const viewed = await Promise.all((rows.length === 0 ? [undefined] : rows).map((found) => asViewed(found, mayView)))
  const row = viewed.find((found) => found !== undefined)
  if (row) return row.expires_at <= now() && hasLapsed(row) ? row.expires_at : null
  const tombstone = await db
    .selectFrom('tombstones')
    .select('expired_at')
    .where(column, 'in', values)
    .where('visibility', '=', 'public')
    .executeTakeFirst()
  return tombstone?.expired_at ?? null
}
