import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('images').addColumn('quarantined_at', 'bigint').execute()
  // Partial indexes: few of many images are quarantined.
  for (const [name, columns] of [
    ['images_quarantined', ['created_at', 'id']],
    ['images_owner_quarantined', ['owner_id', 'quarantined_at']],
  ] as const) {
    await db.schema
      .createIndex(name)
      .on('images')
      .columns([...columns])
      .where(sql.ref('quarantined_at'), 'is not', null)
      .execute()
  }
  await db.schema.createIndex('images_sha256').on('images').columns(['sha256', 'created_at', 'id']).execute()

  await db.schema
    .createTable('blocked_images')
    .addColumn('sha256', 'text', (c) => c.primaryKey())
    .addColumn('phash', 'text')
    .addColumn('quality', 'integer')
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('created_by', 'text')
    .execute()
  await db.schema.createIndex('blocked_images_newest').on('blocked_images').columns(['created_at', 'sha256']).execute()
}
