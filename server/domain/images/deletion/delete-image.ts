// Deletes an image for all readers at once, while row and bytes are retained: for the undo period (docs/decisions/0016), or
// for TRASH_DAYS in the trash of its owner (docs/decisions/0065). Or removes it, where nobody asked for that.
import type { Input } from '../../../../contract/endpoints/api.ts'
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import { audit, type AuditDeps } from '../../audit/audit.ts'
import type { Caller, RequestOrigin } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { retryWhenDiskFull } from '../../shared/retry-when-disk-full.ts'
import { eventColumns, queueImageEvents } from '../../webhooks/queue-events.ts'
import { queuePurges } from '../cache-purges.ts'
import type { ImageRow } from '../image-row.ts'
import { findManaged, type OwnerRequest } from '../managed-image.ts'
import { owns } from '../may-view.ts'
import { countForOwner } from '../owner-counts.ts'
import { deletedExpiry, type Deletion } from './deletion-states.ts'
import { owned, ownerOf, removeImages } from './remove-images.ts'

/** @throws {Failure} as {@link findManaged} */
export async function deleteImage(deps: Deps, request: OwnerRequest & Pick<Input<'deleteImage'>, 'query'>) {
  const row = await findManaged(deps, request)
  const { caller, address } = request
  const by = softDeletionOf(deps, request, row)
  if (by === undefined) await removeImages(deps, [row.id], { actor: caller, address, action: 'image_deleted' })
  // As in removeImages, a full disk is no reason to fail. False: another call was faster.
  else if (!(await retryWhenDiskFull(deps, () => softDeleteImage(deps, row.id, { caller, address, by }))))
    throw new Failure('image_gone')
  return { success: true as const }
}

/** How the image can be restored; undefined: it cannot. */
function softDeletionOf(
  { config }: Pick<Deps, 'config'>,
  request: OwnerRequest & Pick<Input<'deleteImage'>, 'query'>,
  row: ImageRow,
): Deletion | undefined {
  const { query, caller } = request
  if (query.undo === undefined && query.trash === undefined) return undefined
  if (!owns(request, row)) return 'byAdmin'
  const isOfAccount = caller.kind === 'user' && row.owner_id === caller.account.id
  return query.trash !== undefined && isOfAccount && config.TRASH_DAYS > 0 ? 'toTrash' : 'byOwner'
}

/**
 * @param by an owner, or a guest with its token, cannot restore what an admin deleted
 * @returns whether this call deleted it; of two concurrent calls, one gets true
 */
export function softDeleteImage(
  deps: AuditDeps,
  id: string,
  { by, caller, address }: RequestOrigin<Caller> & { by: Deletion },
): Promise<boolean> {
  const now = deps.now()
  const until = now + (by === 'toTrash' ? deps.config.TRASH_DAYS * dayMs : limits.undoMs)
  return deps.db.transaction().execute(async (db) => {
    const deleted = await db
      .updateTable('images')
      .set((image) => ({
        undo_expires_at: image.ref('expires_at'),
        // Nothing is kept past its expiry.
        undo_until: image.case().when('expires_at', '<', until).then(image.ref('expires_at')).else(until).end(),
        expires_at: deletedExpiry[by],
      }))
      .where('id', '=', id)
      .where('expires_at', '>', now)
      .returning([...eventColumns, ...owned, 'undo_expires_at'])
      .executeTakeFirst()
    if (!deleted) return false
    await queuePurges({ ...deps, db }, [id])
    const details = { ...ownerOf(deleted), ...(by === 'toTrash' ? { to: 'trash' } : {}) }
    await audit({ ...deps, db }, { actor: caller, address, action: 'image_deleted', target: { id }, details })
    // An undone deletion is not announced; from the trash an image may return after days.
    if (by === 'toTrash') {
      if (deleted.owner_id !== null) await countForOwner(db, deleted.owner_id, { images: -1, bytes: 0 })
      const image = { ...deleted, expires_at: deleted.undo_expires_at ?? deleted.expires_at }
      await queueImageEvents({ ...deps, db }, 'image.deleted', [{ image }])
    }
    return true
  })
}
