import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('first_name', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('users')
    .addColumn('last_name', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  for (const column of ['image_count', 'image_bytes']) {
    await db.schema
      .alterTable('users')
      .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
  }
  await db.schema.createIndex('users_newest').on('users').columns(['created_at', 'id']).execute()

  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('key_hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema.createIndex('api_keys_user').on('api_keys').columns(['user_id', 'created_at']).execute()

  await db.schema
    .createTable('rate_counters')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('hits', 'integer', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('rate_counters_end').on('rate_counters').column('ends_at').execute()

  await db.schema
    .createTable('idempotency_keys')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('image_id', 'text', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('idempotency_keys_image').on('idempotency_keys').column('image_id').execute()
  await db.schema.createIndex('idempotency_keys_age').on('idempotency_keys').column('created_at').execute()

  const orders = { expiry: 'expires_at', size: 'bytes', name: 'original_name' }
  for (const [order, column] of Object.entries(orders)) {
    await db.schema.createIndex(`images_owner_${order}`).on('images').columns(['owner_id', column, 'id']).execute()
  }
  await db.schema.createIndex('images_owner_sha256').on('images').columns(['owner_id', 'sha256']).execute()
}
