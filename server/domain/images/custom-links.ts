// The custom link of an image: to whom its slug is free, and from whom it is taken.
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { Failure } from '../shared/failure.ts'
import type { ImageRow } from './image-row.ts'

/**
 * Takes a slug from what its owner has deleted. It is unique among images and among those that were deleted in the last 30
 * days, whose owner alone may use it again.
 * @throws {Failure} slug_taken
 */
export async function takeSlug(db: Kysely<Schema>, slug: string, row: ImageRow): Promise<void> {
  // @NOTE First, because it writes: SQLite does not wait for another process when a transaction
  // upgrades from reading to writing.
  await db
    .updateTable('tombstones')
    .set({ slug: null })
    .where('slug', '=', slug)
    .where('slug_owner_id', '=', row.owner_id)
    .execute()
  // Like a tombstone: what its owner has deleted gives up its link to another image of theirs.
  await db
    .updateTable('images')
    .set({ slug: null })
    .where('slug', '=', slug)
    .where('owner_id', '=', row.owner_id)
    .where('undo_until', 'is not', null)
    .execute()
  const image = db.selectFrom('images').select('id').where('slug', '=', slug).where('id', '!=', row.id)
  const tombstone = db.selectFrom('tombstones').select('id').where('slug', '=', slug)
  if ((await image.executeTakeFirst()) ?? (await tombstone.executeTakeFirst()))
    throw new Failure('slug_taken', { slug })
}
