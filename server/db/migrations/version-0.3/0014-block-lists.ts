import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, type] of [
    ['phash', 'text'],
    ['phash_quality', 'integer'],
    ['resembles', 'text'],
  ] as const) {
    await db.schema.alterTable('images').addColumn(name, type).execute()
  }

  await db.schema
    .alterTable('blocked_images')
    .addColumn('version', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('blocked_images_version').on('blocked_images').columns(['version', 'sha256']).execute()
  await db.schema
    .createIndex('blocked_images_phash')
    .on('blocked_images')
    .columns(['phash'])
    .where(sql.ref('phash'), 'is not', null)
    .execute()

  await db.schema
    .createTable('blocked_networks')
    .addColumn('network', 'text', (c) => c.primaryKey())
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('blocked_networks_newest')
    .on('blocked_networks')
    .columns(['created_at', 'network'])
    .execute()
}
