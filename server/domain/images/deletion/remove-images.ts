// Removes images: replaces the rows by tombstones, so that nothing is served, then deletes bytes.
import type { Kysely } from 'kysely'
import type { AuditAction } from '../../../../contract/plain/audit-actions.ts'
import type { Schema } from '../../../db/schema.ts'
import { audit, type AuditDeps, type AuditOrigin } from '../../audit/audit.ts'
import { queuePurges } from '../cache-purges.ts'
import { deletedExpiry, isRemovable } from './deletion-states.ts'
import type { Deps, InTransaction } from '../../shared/deps.ts'
import { countForOwner } from '../owner-counts.ts'
import { eventColumns, queueImageEvents } from '../../webhooks/queue-events.ts'
import { hasLapsed } from '../expiry/expired-at.ts'
import type { ImageRow } from '../image-row.ts'
import { retryWhenDiskFull } from '../../shared/retry-when-disk-full.ts'
import { lockImages } from '../../shared/transaction-locks.ts'

/**
 * Images whose bytes are deleted concurrently: enough to use the four threads for files (and a
 * bucket, where latency dominates), and few enough that a concurrent read waits for a handful of
 * deletions only.
 */
const deletedAtOnce = 8

interface Removal extends AuditOrigin {
  action: Extract<AuditAction, 'image_deleted' | 'image_expired' | 'image_blocked'>
  onlyDueAt?: number
}

/**
 * Removes images permanently, also on a full disk, because deletion frees space. Bytes that cannot
 * be deleted now are orphans for the sweep.
 * @param ids at most a few hundred
 * @param removal.onlyDueAt skips images that were extended past this time, or restored, meanwhile
 * @returns the images removed, each counted by one caller only
 */
export async function removeImages(
  deps: Deps,
  ids: string[],
  removal: Removal,
): Promise<{ images: number; bytes: number }> {
  const removed = await retryWhenDiskFull(deps, () =>
    deps.db.transaction().execute((db) => removeRows({ ...deps, db }, ids, removal)),
  )
  await deleteBytes(deps, removed)
  return { images: removed.length, bytes: removed.reduce((sum, row) => sum + row.bytes, 0) }
}

/** Deletes the bytes of removed images, when their removal is committed. Never rejects. */
export async function deleteBytes(
  deps: Pick<Deps, 'blobs' | 'variants' | 'log'>,
  removed: { id: string }[],
): Promise<void> {
  const left = [...removed]
  const deleteNext = async () => {
    for (let image = left.pop(); image; image = left.pop()) {
      try {
        await Promise.all([deps.blobs.delete(image.id), deps.variants.deleteImage(image.id)])
      } catch (error) {
        // The image is already deleted; its bytes are an orphan, which the sweep retries.
        deps.log.warn({ err: error, imageId: image.id }, 'Bytes of a removed image could not be deleted')
      }
    }
  }
  await Promise.all(Array.from({ length: deletedAtOnce }, deleteNext))
}

/**
 * Replaces rows by tombstones.
 * @returns the rows that existed
 */
export async function removeRows(deps: InTransaction<AuditDeps>, ids: string[], { onlyDueAt, ...by }: Removal) {
  await lockImages(deps, deps.db, ids)
  let removal = deps.db.deleteFrom('images').where('id', 'in', ids)
  if (onlyDueAt !== undefined) removal = removal.where(isRemovable(onlyDueAt))
  const rows = await removal
    .returning([
      ...eventColumns,
      'former_owner_id',
      'undo_until',
      'undo_expires_at',
      'slug',
      'views_left',
      'visibility',
    ])
    .execute()
  if (rows.length > 0) {
    const tombstones = rows.map((row) => tombstoneOf(row, by.action === 'image_expired' && hasLapsed(row), deps.now()))
    await deps.db.insertInto('tombstones').values(tombstones).execute()
    await countForOwners(deps.db, rows)
    // The deletion of an image whose undo period has ended is in the log already.
    const logged = rows.filter((row) => row.undo_until === null)
    await audit(deps, ...logged.map((row) => ({ ...by, ...reasonOf(row, by.action), target: { id: row.id } })))
    // Caches do not store an image past its expiry.
    if (by.action !== 'image_expired')
      await queuePurges(
        deps,
        rows.map(({ id }) => id),
      )
    const isExpired = (row: (typeof rows)[number]) => by.action === 'image_expired' && row.undo_until === null
    const toEvent = (row: (typeof rows)[number]) => ({
      image: { ...row, expires_at: row.undo_expires_at ?? row.expires_at },
    })
    await queueImageEvents(deps, 'image.expired', rows.filter(isExpired).map(toEvent))
    // Of an image in the trash it was sent when it got there.
    const isAnnounced = (row: (typeof rows)[number]) => row.expires_at === deletedExpiry.toTrash
    const isNews = (row: (typeof rows)[number]) => !isExpired(row) && !isAnnounced(row)
    await queueImageEvents(deps, 'image.deleted', rows.filter(isNews).map(toEvent))
  }
  return rows
}

/** Without the file name, which has words of the uploader: findStoredImage finds it by the id. */
const tombstoneOf = (
  row: Pick<ImageRow, 'id' | 'slug' | 'owner_id' | 'expires_at' | 'visibility'>,
  isExpired: boolean,
  now: number,
) => ({
  id: row.id,
  file_name: row.id,
  visibility: row.visibility,
  gone_at: now,
  expired_at: isExpired ? row.expires_at : null,
  // Of a deleted account the custom link is free again.
  ...(row.slug === null || row.owner_id === null
    ? { slug: null, slug_owner_id: null }
    : { slug: row.slug, slug_owner_id: row.owner_id }),
})

/** The images of a deleted account expire with it: the entry leads to that of its deletion. */
function reasonOf(row: Owned & Pick<ImageRow, 'views_left'>, action: Removal['action']) {
  if (row.views_left === 0) return { action, details: { ...ownerOf(row), because: 'last_view' } }
  if (row.former_owner_id === null || action !== 'image_expired') return { action, details: ownerOf(row) }
  return { action: 'image_deleted' as const, details: { ...ownerOf(row), because: 'user_deleted' } }
}

/** For the audit log. */
export const ownerOf = ({ owner_id: owner, former_owner_id: formerOwner }: Owned) => ({
  owner: owner ?? formerOwner ?? 'guest',
})

/** Columns for {@link ownerOf}. */
export const owned = ['owner_id', 'former_owner_id'] as const
export type Owned = Pick<ImageRow, (typeof owned)[number]>

type RemovedRow = Pick<ImageRow, 'owner_id' | 'bytes' | 'expires_at'>

/** Images in the trash do not count towards their owner's number of images. */
const isCounted = (row: RemovedRow) => row.expires_at !== deletedExpiry.toTrash

/** Ordered by id, so that two removals of the same owners cannot deadlock. */
async function countForOwners(transaction: Kysely<Schema>, removed: RemovedRow[]): Promise<void> {
  const owners = [...new Set(removed.map((row) => row.owner_id))].filter((owner) => owner !== null)
  for (const owner of owners.toSorted((a, b) => (a < b ? -1 : 1))) {
    const rows = removed.filter((row) => row.owner_id === owner)
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
    const images = rows.filter(isCounted).length
    await countForOwner(transaction, owner, { images: -images, bytes: -bytes })
  }
}
