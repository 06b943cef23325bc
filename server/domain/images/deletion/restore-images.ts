// Restores deleted images with the expiry that they had: within the undo period, or from the trash.
import type { Image } from '../../../../contract/endpoints/images.ts'
import { audit, type AuditDeps } from '../../audit/audit.ts'
import { actsAsAdmin, type Caller, type RequestOrigin } from '../../shared/caller.ts'
import type { Deps, InTransaction } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { lockImages } from '../../shared/transaction-locks.ts'
import { queueImageEvents } from '../../webhooks/queue-events.ts'
import { type ImageRow, toImage } from '../image-row.ts'
import { assertAvailable, findLiveImage, findStoredImage } from '../find-image.ts'
import { assertMayManage, type OwnerRequest } from '../managed-image.ts'
import { everyone, viewableBy } from '../may-view.ts'
import { countForOwner } from '../owner-counts.ts'
import { assertWithinQuota } from '../quota.ts'
import { deletedExpiry, type Deletion } from './deletion-states.ts'
import { ownerOf } from './remove-images.ts'

/**
 * Restores an image. An image that exists, for example restored by a concurrent call, is returned
 * unchanged. Only admins restore what an admin deleted of another user; for its owner it stays
 * deleted.
 * @throws {Failure} quota_exceeded, and those of {@link findManaged}
 */
export async function restoreImage(deps: Deps, request: OwnerRequest): Promise<Image> {
  const found = await findStoredImage(deps, 'id', request.params.id, viewableBy(deps, request))
  const isLiving = found.expires_at > deps.now()
  // Expired images fail with image_gone for every caller.
  if (!isLiving && found.undo_until === null) throw new Failure('image_gone')
  assertAvailable(found)
  assertMayManage(request, found)
  if (isLiving) return toImage(deps, found, request)
  const { caller, address } = request
  const by: Deletion[] = actsAsAdmin(caller) ? ['byOwner', 'byAdmin'] : ['byOwner']
  const [row] = await restoreDeleted(deps, { ids: [found.id], by, caller, address })
  if (!row) return toImage(deps, await findLiveImage(deps, 'id', found.id, everyone), request)
  return toImage(deps, row, request)
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
