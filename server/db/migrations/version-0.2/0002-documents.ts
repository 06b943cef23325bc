import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('collections')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.unique())
    .addColumn('documents', 'bigint', (c) => c.notNull())
    .addColumn('next_position', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('documents')
    .addColumn('collection_id', 'text', (c) => c.notNull().references('collections.id'))
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('position', 'bigint', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('documents_key', ['collection_id', 'id'])
    .execute()
  await db.schema
    .createIndex('documents_position')
    .on('documents')
    .columns(['collection_id', 'position'])
    .unique()
    .execute()
  // For the images collection, newest first over all owners.
  await db.schema.createIndex('images_newest').on('images').columns(['created_at', 'id']).execute()

  await db.schema
    .createTable('database_unlocks')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('session_id', 'text', (c) => c.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('database_unlocks_session').on('database_unlocks').column('session_id').execute()
  await db.schema.createIndex('database_unlocks_expiry').on('database_unlocks').column('expires_at').execute()

  await db.schema
    .createTable('pin_attempts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('by_admin', 'integer', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('is_wrong', 'integer', (c) => c.notNull())
    .addColumn('is_forgiven', 'integer', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('pin_attempts_user').on('pin_attempts').columns(['user_id', 'at']).execute()
  await db.schema.createIndex('pin_attempts_at').on('pin_attempts').column('at').execute()
}
