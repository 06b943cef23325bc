// Soft deletion: the image is deleted for all readers at once, while row and bytes are retained for
// the undo period (docs/decisions/0016).
import { limits } from '../../../contract/plain/limits.ts'
import { actsAsAdmin, type Caller, type RequestOrigin } from '../shared/caller.ts'
import { audit, type AuditDeps } from '../audit/audit.ts'
import { queuePurges } from './cache-purges.ts'
import type { ImageRow } from './image-row.ts'
import { owned, ownerOf } from './remove-images.ts'

/** Expiry times of deleted images, in the past by every clock: they record who deleted them. */
const deletedExpiry = { byOwner: 0, byAdmin: 1 }

/**
 * @param by an owner, or a guest with its token, cannot restore what an admin deleted
 * @returns whether this call deleted it; of two concurrent calls, one gets true
 */
export function softDeleteImage(
  deps: AuditDeps,
  id: string,
  { by, caller, address }: RequestOrigin<Caller> & { by: keyof typeof deletedExpiry },
): Promise<boolean> {
  const now = deps.now()
  return deps.db.transaction().execute(async (db) => {
    const deleted = await db
      .updateTable('images')
      .set((image) => ({
        undo_expires_at: image.ref('expires_at'),
        undo_until: now + limits.undoMs,
        expires_at: deletedExpiry[by],
      }))
      .where('id', '=', id)
      .where('expires_at', '>', now)
      .returning(owned)
      .executeTakeFirst()
    if (!deleted) return false
    await queuePurges({ ...deps, db }, [id])
    const details = ownerOf(deleted)
    await audit({ ...deps, db }, { actor: caller, address, action: 'image_deleted', target: { id }, details })
    return true
  })
}

/**
 * Restores a deleted image with its previous expiry.
 * @returns undefined when the undo period is over, or an admin deleted it and the caller is none
 */
export function undoSoftDelete(
  deps: AuditDeps,
  id: string,
  { caller, address }: RequestOrigin<Caller>,
): Promise<ImageRow | undefined> {
  const now = deps.now()
  const restorable = actsAsAdmin(caller) ? Object.values(deletedExpiry) : [deletedExpiry.byOwner]
  return deps.db.transaction().execute(async (db) => {
    const row = await db
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
    if (!row) return undefined
    await audit(
      { ...deps, db },
      { actor: caller, address, action: 'image_restored', target: { id }, details: ownerOf(row) },
    )
    return row
  })
}
