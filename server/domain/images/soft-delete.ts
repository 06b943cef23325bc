// A deletion that can be undone: gone for everyone at once, while row and bytes stay for a moment (decisions record 16).
import { limits } from '../../../contract/limits.ts'
import type { Deps } from '../deps.ts'
import type { ImageRow } from './image-row.ts'

/** Long ago by the clock of every server, so that all of them take it for gone this moment; and whose deletion it was. */
const longGone = { byOwner: 0, byAdmin: 1 }

/**
 * @param by what one deletes as an admin, an owner or a guest with its token does not bring back
 * @returns whether it was there to be hidden: of two callers at once, one hears true
 */
export async function softDeleteImage(deps: Deps, id: string, by: keyof typeof longGone): Promise<boolean> {
  const now = deps.now()
  const { numUpdatedRows } = await deps.db
    .updateTable('images')
    .set((image) => ({
      undo_expires_at: image.ref('expires_at'),
      undo_until: now + limits.undoMs,
      expires_at: longGone[by],
    }))
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns the image with the time it had left; undefined when it is too late, or was an admin's to delete and is not to restore */
export function undoSoftDelete(deps: Deps, id: string, asAdmin: boolean): Promise<ImageRow | undefined> {
  const now = deps.now()
  const restorable = asAdmin ? Object.values(longGone) : [longGone.byOwner]
  return deps.db
    .updateTable('images')
    .set((image) => ({
      expires_at: image.fn.coalesce('undo_expires_at', 'expires_at'),
      undo_until: null,
      undo_expires_at: null,
    }))
    .where('id', '=', id)
    .where('expires_at', 'in', restorable)
    .where('undo_until', '>', now)
    .where('undo_expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}
