// The way out. The rows leave first, with their tombstones: from then on nothing is served. Then the bytes.
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from '../deps.ts'
import { isDue } from '../due-images.ts'
import { countForOwner } from './owner-counts.ts'
import type { ImageRow } from './record.ts'
import { withRoom } from './room.ts'

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
  const gone = await withRoom(deps, () => removeRows(deps, ids, onlyDueAt))
  for (const { id } of gone) {
    try {
      await Promise.all([deps.blobs.delete(id), deps.variants.deleteImage(id)])
    } catch (error) {
      // The image is gone for everyone; its bytes are an orphan now, and the sweep tries again.
      deps.log.warn({ err: error, imageId: id }, 'Bytes of a removed image could not be deleted')
    }
  }
  return { images: gone.length, bytes: gone.reduce((sum, row) => sum + row.bytes, 0) }
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
