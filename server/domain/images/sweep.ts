// What the clock and crashes leave behind: expired images, old tombstones, bytes without a row.
import { dayMs, limits } from '../../../contract/limits.ts'
import type { Deps } from '../deps.ts'
import { isDue } from '../due-images.ts'
import { sweepTempFiles } from '../temp-files.ts'
import { removeImages } from './remove.ts'

const batchSize = 100

/** Removes the images whose time has passed, in small batches, and forgets tombstones after 30 days. */
export async function sweepExpired(deps: Deps): Promise<{ deletedImages: number; freedBytes: number }> {
  const total = { deletedImages: 0, freedBytes: 0 }
  const now = deps.now()
  for (;;) {
    const due = await deps.db
      .selectFrom('images')
      .select('id')
      .where(isDue(now))
      .orderBy('expires_at')
      .limit(batchSize)
      .execute()
    if (due.length === 0) break
    const removed = await removeImages(
      deps,
      due.map(({ id }) => id),
      now,
    )
    total.deletedImages += removed.images
    total.freedBytes += removed.bytes
  }
  await deps.db
    .deleteFrom('tombstones')
    .where('gone_at', '<', now - limits.tombstoneMs)
    .execute()
  return total
}

/**
 * Deletes bytes that no row knows, if the database knows any: an upload that a crash cut between its bytes and its row, a deletion that it cut after the row.
 * @param olderThan UTC milliseconds; younger bytes may belong to an upload under way
 */
export async function sweepOrphans(deps: Deps, olderThan: number): Promise<{ blobs: number; variants: number }> {
  const found = { blobs: 0, variants: 0 }
  if (!(await knowsImages(deps))) {
    for await (const { key } of deps.blobs.list()) {
      deps.log.warn(
        { key },
        'The database knows no image, but there are originals: they stay. Restore a backup if it is new',
      )
      break
    }
    return found
  }
  for await (const keys of inBatches(oldKeys(deps, olderThan))) {
    for (const key of await withoutRow(deps, keys)) {
      await deps.blobs.delete(key)
      found.blobs++
    }
  }
  for await (const ids of inBatches(await deps.variants.imageIds())) {
    for (const id of await withoutRow(deps, ids)) {
      await deps.variants.deleteImage(id)
      found.variants++
    }
  }
  // Uploads take a minute; the work of a backup may take a day.
  await sweepTempFiles(deps, olderThan - dayMs)
  return found
}

/** One that never had an image is not the database of these originals: its file was lost, or put aside because it was damaged. */
async function knowsImages({ db }: Deps): Promise<boolean> {
  for (const table of ['images', 'tombstones'] as const)
    if (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) return true
  return false
}

async function* oldKeys(deps: Deps, olderThan: number): AsyncIterable<string> {
  for await (const blob of deps.blobs.list()) if (blob.modifiedAtMs < olderThan) yield blob.key
}

async function* inBatches<T>(items: AsyncIterable<T> | Iterable<T>): AsyncIterable<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function withoutRow(deps: Deps, ids: string[]): Promise<string[]> {
  const rows = await deps.db.selectFrom('images').select('id').where('id', 'in', ids).execute()
  const known = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}
