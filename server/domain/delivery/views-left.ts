// Views of an image: how often it was viewed, and how often it may still be (docs/decisions/0046).
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { firstShownDay, viewsPerDay } from './view-counts.ts'
import { findManaged, type OwnerRequest } from '../images/managed-image.ts'

/** @throws {Failure} as getImage */
export async function getImageViews(deps: Deps, request: OwnerRequest) {
  const { id, views: total } = await findManaged(deps, request)
  const rows = await deps.db
    .selectFrom('image_views')
    .select(['day', 'views'])
    .where('image_id', '=', id)
    .where('day', '>=', firstShownDay(deps.now()))
    .execute()
  return {
    isCounted: deps.config.VIEW_COUNTS,
    total,
    days: viewsPerDay(rows, deps.now()),
  }
}

/**
 * Takes one of the views that an image has left, before the image is sent. The row decides: of all
 * concurrent calls on all servers, as many succeed as views are left. With the last one the image
 * expires, and the sweep removes it.
 * @throws {Failure} image_gone
 */
export async function consumeView({ db, now }: Pick<Deps, 'db' | 'now'>, id: string): Promise<void> {
  const taken = await db
    .updateTable('images')
    .set((row) => ({
      views_left: row('views_left', '-', 1),
      expires_at: row.case().when('views_left', '=', 1).then(now()).else(row.ref('expires_at')).end(),
    }))
    .where('id', '=', id)
    .where('views_left', '>', 0)
    .where('expires_at', '>', now())
    .executeTakeFirst()
  if (taken.numUpdatedRows === 0n) throw new Failure('image_gone')
}
