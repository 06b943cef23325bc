// The tags of images: rows of `image_tags`, and beside each image all of its tags in one column, which lists show.
import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { ImagesTable, ImageTagsTable, Schema } from './schema.ts'

/** Separates the tags in `images.tags`: no tag has a control character. */
const separator = '\n'

/** As `images.tags` lists them. @param tags sorted, each once */
export const joinTags = (tags: readonly string[]): string => tags.join(separator)

/** The tags in `images.tags`, in the order of their characters. */
export const splitTags = (joined: string): string[] => (joined === '' ? [] : joined.split(separator))

/** The tags below a tag are between these two: 0 follows the slash. */
export const rangeBelow = (tag: string) => ({ below: `${tag}/`, above: `${tag}0` })

/** Whether a column has the tag or one below it. */
export function isTagOrBelow(column: string, tag: string): RawBuilder<boolean> {
  const name = sql.ref(column)
  const { below, above } = rangeBelow(tag)
  return sql`(${name} = ${tag} or (${name} > ${below} and ${name} < ${above}))`
}

/** Makes these the only tags in the rows of an image, whose column is written with its other columns. @param db a transaction */
export async function replaceTagRows(
  db: Kysely<Schema>,
  { id, owner_id }: Pick<ImagesTable, 'id' | 'owner_id'>,
  tags: readonly string[],
): Promise<void> {
  await db.deleteFrom('image_tags').where('image_id', '=', id).execute()
  await insertTagRows(
    db,
    tags.map((tag) => ({ image_id: id, owner_id, tag })),
  )
}

/** Of one statement: three values each, and PostgreSQL takes 65,535. */
const rowsPerWrite = 1000

/** What is there already stays. */
export async function insertTagRows(db: Kysely<Schema>, rows: readonly ImageTagsTable[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerWrite)
    await db
      .insertInto('image_tags')
      .values(rows.slice(at, at + rowsPerWrite))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** The tags that an image has, as `images.tags` lists them. */
const joinedTags = <DB>(db: Kysely<DB>): RawBuilder<string> =>
  db.getExecutor().adapter instanceof PostgresAdapter
    ? sql`coalesce((select string_agg(tag, chr(10) order by tag) from image_tags where image_id = images.id), '')`
    : sql`coalesce((select group_concat(tag, char(10)) from (
        select tag from image_tags where image_id = images.id order by tag)), '')`

/** Writes `images.tags` of these images from their rows. @param ids at most some hundred */
export const writeTagsOfImages = async <DB>(db: Kysely<DB>, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await sql`update images set tags = ${joinedTags(db)} where id in (${sql.join(ids)})`.execute(db)
}

/**
 * Completes the rows of an older version or its backup: their tags are as importers found them, and neither they nor the images
 * have the columns of migration 0032.
 * @param normalize returns undefined for what is no tag any more
 */
export async function completeTags<DB>(db: Kysely<DB>, normalize: (tag: string) => string | undefined): Promise<void> {
  const { rows } = await sql<{ tag: string }>`select distinct tag from image_tags`.execute(db)
  const others = rows.filter(({ tag }) => normalize(tag) !== tag)
  // There may be thousands, and without an index each would read all rows.
  if (others.length > 0) await sql`create index image_tags_by_tag on image_tags (tag)`.execute(db)
  for (const { tag } of others) {
    const normal = normalize(tag)
    if (normal !== undefined)
      await sql`insert into image_tags (image_id, tag) select image_id, ${normal} from image_tags where tag = ${tag}
        on conflict do nothing`.execute(db)
    await sql`delete from image_tags where tag = ${tag}`.execute(db)
  }
  if (others.length > 0) await sql`drop index image_tags_by_tag`.execute(db)
  await sql`update image_tags set owner_id = (select owner_id from images where id = image_tags.image_id)
    where owner_id is null`.execute(db)
  await sql`update images set tags = ${joinedTags(db)}
    where tags = '' and id in (select image_id from image_tags)`.execute(db)
}
