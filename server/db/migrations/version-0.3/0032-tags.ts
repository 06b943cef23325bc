import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { normalizeTag } from '../../../../contract/plain/tag-names.ts'
import { completeTags } from '../../image-tags.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  // A tag and those below it are a range of its characters, in no language's order.
  if (isPostgres) await sql`alter table image_tags alter column tag type text collate "C"`.execute(db)
  // Of the image: an index finds the images of an owner by their tags.
  await db.schema.alterTable('image_tags').addColumn('owner_id', 'text').execute()
  await db.schema
    .alterTable('images')
    .addColumn('tags', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await completeTags(db, normalizeTag)
  await db.schema.createIndex('image_tags_owner').on('image_tags').columns(['owner_id', 'tag', 'image_id']).execute()
  await db.schema
    .createTable('tags')
    .addColumn('owner_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', isPostgres ? sql`text collate "C"` : 'text', (c) => c.notNull())
    .addColumn('colour', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('tags_pk', ['owner_id', 'name'])
    .execute()
  // Where an operator has run ANALYZE, SQLite prefers an index without statistics to the right ones.
  if (isPostgres) return
  const statistics = await sql`select 1 from sqlite_schema where name = 'sqlite_stat1'`.execute(db)
  if (statistics.rows.length > 0) await sql`analyze image_tags`.execute(db)
}
