import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_log')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('actor_email', 'text')
    .addColumn('target', 'text')
    .addColumn('target_label', 'text')
    .addColumn('address', 'text')
    .addColumn('details', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('audit_log_newest').on('audit_log').columns(['created_at', 'id']).execute()
  for (const column of ['action', 'actor']) {
    await db.schema.createIndex(`audit_log_${column}`).on('audit_log').columns([column, 'created_at', 'id']).execute()
  }
  // Most entries have none of these: jobs have no email, images no label.
  for (const column of ['actor_email', 'target', 'target_label']) {
    await db.schema
      .createIndex(`audit_log_${column}`)
      .on('audit_log')
      .columns([column, 'created_at', 'id'])
      .where(sql.ref(column), 'is not', null)
      .execute()
  }

  await db.schema.alterTable('images').addColumn('address_hash', 'text').execute()
  await db.schema.alterTable('images').addColumn('former_owner_id', 'text').execute()
  // For the search by address, and for clearing the hashes of old images.
  await db.schema
    .createIndex('images_address')
    .on('images')
    .columns(['address_hash', 'created_at', 'id'])
    .where(sql.ref('address_hash'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('images_with_address')
    .on('images')
    .column('created_at')
    .where(sql.ref('address_hash'), 'is not', null)
    .execute()
}
