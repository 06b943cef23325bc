import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('images').addColumn('views_left', 'integer').execute()

  await db.schema
    .createTable('image_views')
    .addColumn('image_id', 'text', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('day', 'integer', (c) => c.notNull())
    .addColumn('views', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('image_views_key', ['image_id', 'day'])
    .execute()

  await db.schema
    .createTable('view_totals')
    .addColumn('day', 'integer', (c) => c.primaryKey())
    .addColumn('views', 'bigint', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('cache_purges')
    .addColumn('image_id', 'text', (c) => c.primaryKey())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('is_repeated', 'integer', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('cache_purges_due').on('cache_purges').column('due_at').execute()
}
