// Sweeps: expired images, old tombstones, and bytes without a row that crashes leave.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import { nullWhenMissing } from '../../../blobs/durable.ts'
import { databaseCreatedAt } from '../../../db/migrate.ts'
import type { Schema } from '../../../db/schema.ts'
import { auditAlone, type AuditOrigin } from '../../audit/audit.ts'
import { inBatches } from '../../shared/batches.ts'
import type { RequestOrigin } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { countRemovableImages, isRemovable } from './deletion-states.ts'
import { idsWithoutRow, orphanBlobs } from './orphans.ts'
import { removeImages } from './remove-images.ts'

const batchSize = 100

/**
 * Removes expired images in small batches, and tombstones after 30 days.
 * @param now UTC milliseconds, constant for the whole sweep because the clock may be set meanwhile
 */
export const sweepExpired = (deps: Deps, now = deps.now()) => removeDueImages(deps, now, { actor: 'server' })

async function removeDueImages(
  deps: Deps,
  now: number,
  by: AuditOrigin,
): Promise<{ deletedImages: number; freedBytes: number }> {
  const total = { deletedImages: 0, freedBytes: 0 }
  for (;;) {
    const due = await deps.db.selectFrom('images').select('id').where(isRemovable(now)).limit(batchSize).execute()
    if (due.length === 0) break
    const removed = await removeImages(
      deps,
      due.map(({ id }) => id),
      { ...by, action: 'image_expired', onlyDueAt: now },
    )
    total.deletedImages += removed.images
    total.freedBytes += removed.bytes
  }
  const old = (db: Kysely<Schema>) =>
    db
      .selectFrom('tombstones')
      .select('id')
      .where('gone_at', '<', now - limits.tombstoneMs)
  await deps.db.deleteFrom('legacy_paths').where('image_id', 'in', old(deps.db)).execute()
  await deps.db.deleteFrom('tombstones').where('id', 'in', old(deps.db)).execute()
  return total
}

/** Runs the sweep of expired images now, for an admin. */
export async function cleanUp(deps: Deps, { caller, address }: RequestOrigin) {
  const by = { actor: caller, address }
  const { deletedImages, freedBytes } = await removeDueImages(deps, deps.now(), by)
  await auditAlone(deps, { ...by, action: 'cleanup_run', details: { images: deletedImages, bytes: freedBytes } })
  return { deletedImages, freedSpace: freedBytes }
}

/** Counts what {@link cleanUp} would remove. */
export const previewCleanup = (deps: Pick<Deps, 'db' | 'now'>) => countRemovableImages(deps)

/**
 * Deletes bytes without a row: of an upload interrupted before its row was written, or of a
 * deletion interrupted after its row was removed. Originals older than the database stay: they
 * belong to a database that was lost, or moved away because it was damaged.
 * @param olderThan UTC milliseconds; younger bytes may belong to a running upload
 */
export async function sweepOrphans(deps: Deps, olderThan: number): Promise<{ blobs: number; variants: number }> {
  const found = { blobs: 0, variants: 0 }
  const bornAt = await databaseCreatedAt(deps.db)
  let retained = 0
  for await (const { key, modifiedAtMs } of orphanBlobs(deps, olderThan)) {
    if (modifiedAtMs < bornAt) {
      retained++
      continue
    }
    await deps.blobs.delete(key)
    found.blobs++
  }
  if (retained > 0)
    deps.log.warn(
      { originals: retained },
      'Originals without a row are older than the database and are not deleted. If the database is new, restore a backup',
    )
  for await (const ids of inBatches(await deps.variants.imageIds(), batchSize)) {
    for (const id of await idsWithoutRow(deps, ids)) {
      await deps.variants.deleteImage(id)
      found.variants++
    }
  }
  // Uploads take up to a minute, backups up to a day.
  await sweepTempFiles(deps, olderThan - dayMs)
  return found
}

/** @param olderThan UTC milliseconds of the last change; younger files may be in use */
async function sweepTempFiles({ tempDir }: Pick<Deps, 'tempDir'>, olderThan: number): Promise<void> {
  for (const name of await readdir(tempDir)) {
    const path = join(tempDir, name)
    const found = await stat(path).catch(nullWhenMissing)
    if (found && found.mtimeMs < olderThan) await rm(path, { recursive: true, force: true })
  }
}
