// Writes the tags of images: their rows, and the column that lists show.
import type { Kysely } from 'kysely'
import { tagSeparator } from '../../../db/image-tags.ts'
import type { Schema } from '../../../db/schema.ts'
import type { ImageRow } from '../image-row.ts'

/** As `images.tags` lists them. @param tags sorted, each once */
export const joinTags = (tags: readonly string[]): string => tags.join(tagSeparator)

/** Makes these the only tags in the rows of an image, whose column is written with its other columns. @param db a transaction */
export async function replaceTagRows(
  db: Kysely<Schema>,
  { id, owner_id }: Pick<ImageRow, 'id' | 'owner_id'>,
  tags: readonly string[],
): Promise<void> {
  await db.deleteFrom('image_tags').where('image_id', '=', id).execute()
  await insertTagRows(
    db,
    tags.map((tag) => ({ image_id: id, owner_id, tag })),
  )
}

type TagRow = Schema['image_tags']
/** Of one statement: three values each, and PostgreSQL takes 65,535. */
const rowsPerWrite = 1000

/** What is there already stays. */
export async function insertTagRows(db: Kysely<Schema>, rows: readonly TagRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerWrite)
    await db
      .insertInto('image_tags')
      .values(rows.slice(at, at + rowsPerWrite))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}
