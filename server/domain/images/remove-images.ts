// The way out. The rows leave first, with their tombstones: from then on nothing is served. Then the bytes.
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from '../deps.ts'
import { isDue } from '../due-images.ts'
import { countForOwner } from './owner-counts.ts'
import type { ImageRow } from './image-row.ts'
import { retryAfterEviction } from './retry-after-eviction.ts'

/**
 * Images whose bytes are deleted at one time: enough to keep the four threads for files busy (and a bucket, where each answer
 * takes its way), and few enough that whoever reads a picture meanwhile waits for no more than a handful of names.
 */
const deletedAtOnce = 8

/**
 * Removes images for good, also on a full disk: deleting is how it is emptied. Bytes that cannot be deleted now are orphans, which the sweep finds.
 * @param ids at most a few hundred
 * @param onlyDueAt leave those alone that were extended past this moment, or brought back, meanwhile
 * @returns what was removed, each image counted by one caller only
 */
export async function removeImages(
  deps: Deps,
  ids: string[],
  onlyDueAt?: number,
): Promise<{ images: number; bytes: number }> {
  const gone = await retryAfterEviction(deps, () => removeRows(deps, ids, onlyDueAt))
  await deleteBytes(deps, gone)
  return { images: gone.length, bytes: gone.reduce((sum, row) => sum + row.bytes, 0) }
}

/** Never rejects. */
async function deleteBytes(deps: Deps, gone: { id: string }[]): Promise<void> {
  const left = [...gone]
  const deleteNext = async () => {
    for (let image = left.pop(); image; image = left.pop()) {
      try {
        await Promise.all([deps.blobs.delete(image.id), deps.variants.deleteImage(image.id)])
      } catch (error) {
        // The image is gone for everyone; its bytes are an orphan now, and the sweep tries again.
        deps.log.warn({ err: error, imageId: image.id }, 'Bytes of a removed image could not be deleted')
      }
    }
  }
  await Promise.all(Array.from({ length: deletedAtOnce }, deleteNext))
}

/** All of them or none. @returns those that were there */
function removeRows({ db, now }: Deps, ids: string[], onlyDueAt: number | undefined) {
  return db.transaction().execute(async (transaction) => {
    let removal = transaction.deleteFrom('images').where('id', 'in', ids)
    if (onlyDueAt !== undefined) removal = removal.where(isDue(onlyDueAt))
    const rows = await removal.returning(['id', 'file_name', 'owner_id', 'bytes']).execute()
    if (rows.length > 0) {
      const tombstones = rows.map(({ id, file_name }) => ({ id, file_name, gone_at: now() }))
      await transaction.insertInto('tombstones').values(tombstones).execute()
      await countForOwners(transaction, rows)
    }
    return rows
  })
}

type Gone = Pick<ImageRow, 'owner_id' | 'bytes'>

/** In the order of their ids, so that two removals of the same owners never wait for each other in a circle. */
async function countForOwners(transaction: Kysely<Schema>, gone: Gone[]): Promise<void> {
  const owners = [...new Set(gone.map((row) => row.owner_id))].filter((owner) => owner !== null)
  for (const owner of owners.toSorted((a, b) => (a < b ? -1 : 1))) {
    const rows = gone.filter((row) => row.owner_id === owner)
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
    await countForOwner(transaction, owner, { images: -rows.length, bytes: -bytes })
  }
}
