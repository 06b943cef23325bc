// Removes the images of an album in small statements, between which others run.
import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { lockAlbums } from './album-order.ts'

/** Rows that a statement removes: 10 ms on SQLite, where it blocks all others. */
const rowsPerWrite = 500

/** @param addedBy a user, whose images alone are removed */
export async function emptyAlbum(db: Kysely<Schema>, albumId: string, addedBy?: string): Promise<void> {
  let some = db.selectFrom('album_images').select('image_id').where('album_id', '=', albumId).limit(rowsPerWrite)
  if (addedBy !== undefined) some = some.where('added_by', '=', addedBy)
  for (;;) {
    const removed = await db.transaction().execute(async (transaction) => {
      // First, as whoever changes several of its images: each would wait for rows of the other.
      await lockAlbums(transaction, [albumId])
      return transaction
        .deleteFrom('album_images')
        .where('album_id', '=', albumId)
        .where('image_id', 'in', some)
        .executeTakeFirst()
    })
    if (removed.numDeletedRows < BigInt(rowsPerWrite)) return
    await setImmediate()
  }
}
