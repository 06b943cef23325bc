// Soft deletion: the image is deleted for all readers at once, while row and bytes are retained: for
// the undo period (docs/decisions/0016), or for TRASH_DAYS in the trash of its owner (docs/decisions/0065).
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import type { Caller, RequestOrigin } from '../shared/caller.ts'
import { audit, type AuditDeps } from '../audit/audit.ts'
import type { InTransaction } from '../shared/deps.ts'
import { eventColumns, queueImageEvents } from '../webhooks/queue-events.ts'
import { queuePurges } from './cache-purges.ts'
import { deletedExpiry, type Deletion } from './deleted-expiry.ts'
import { lockImages } from '../shared/transaction-locks.ts'
import type { ImageRow } from './image-row.ts'
import { countForOwner } from './owner-counts.ts'
import { assertWithinQuota } from './quota.ts'
import { owned, ownerOf } from './remove-images.ts'

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

interface Restoration extends RequestOrigin<Caller> {
  ids: string[]
  /** Who deleted those that were not moved to the trash. */
  by: Deletion[]
  /** Skips images of others, and those that an admin hides. */
  ownerId?: string
}

/**
 * Restores deleted images with their previous expiry.
 * @returns those whose undo period, or days in the trash, are not over
 * @throws {Failure} quota_exceeded: nothing is restored
 */
export const restoreDeleted = (deps: AuditDeps, restoration: Restoration): Promise<ImageRow[]> =>
  deps.db.transaction().execute(async (db) => {
    const undone = await restoreRows({ ...deps, db }, restoration)
    if (undone.length === restoration.ids.length) return undone
    const trashed = await restoreRows({ ...deps, db }, { ...restoration, by: ['toTrash'] })
    await announceRestored({ ...deps, db }, trashed)
    return [...undone, ...trashed]
  })

async function restoreRows(
  deps: InTransaction<AuditDeps>,
  { ids, by, ownerId, caller, address }: Restoration,
): Promise<ImageRow[]> {
  await lockImages(deps, deps.db, ids)
  let restoring = deps.db
    .updateTable('images')
    .set((image) => ({
      expires_at: image.fn.coalesce('undo_expires_at', 'expires_at'),
      undo_until: null,
      undo_expires_at: null,
    }))
    .where('id', 'in', ids)
    .where(
      'expires_at',
      'in',
      by.map((deletion) => deletedExpiry[deletion]),
    )
    .where('undo_until', '>', deps.now())
    .where('undo_expires_at', '>', deps.now())
  if (ownerId !== undefined) restoring = restoring.where('owner_id', '=', ownerId).where('quarantined_at', 'is', null)
  const rows = await restoring.returningAll().execute()
  const entry = { actor: caller, address, action: 'image_restored' as const }
  await audit(deps, ...rows.map((row) => ({ ...entry, target: { id: row.id }, details: ownerOf(row) })))
  return rows
}

/**
 * From the trash, whose images are all of one owner.
 * @throws {Failure} quota_exceeded by their number: without it the trash would hold any number of further images
 */
async function announceRestored(deps: InTransaction<AuditDeps>, rows: ImageRow[]): Promise<void> {
  const ownerId = rows[0]?.owner_id ?? null
  const owner = ownerId === null ? undefined : await countForOwner(deps.db, ownerId, { images: rows.length, bytes: 0 })
  // Their bytes were counted all the time.
  if (owner) assertWithinQuota(deps.config, { ...owner, image_bytes: 0 })
  await queueImageEvents(
    deps,
    'image.restored',
    rows.map((image) => ({ image })),
  )
}
