import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('imported_rows')
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('source_id', 'text', (c) => c.notNull())
    .addColumn('target_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('imported_rows_pk', ['source', 'kind', 'source_id'])
    .execute()

  await db.schema
    .createTable('legacy_paths')
    .addColumn('path', 'text', (c) => c.primaryKey())
    .addColumn('image_id', 'text', (c) => c.notNull())
    .addColumn('size', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('legacy_paths_image').on('legacy_paths').column('image_id').execute()

  await db.schema
    .createTable('image_tags')
    .addColumn('image_id', 'text', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('tag', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('image_tags_pk', ['image_id', 'tag'])
    .execute()
}
