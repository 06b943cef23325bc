import type { Kysely } from 'kysely'

/** The addresses of existing accounts are not confirmed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('email_confirmed_at', 'bigint').execute()
  await db.schema.alterTable('outgoing_mail').addColumn('to_address', 'text').execute()

  await db.schema
    .createTable('invites')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('max_uses', 'integer', (c) => c.notNull())
    .addColumn('uses', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('invites_newest').on('invites').columns(['created_at', 'id']).execute()

  await db.schema
    .createTable('mail_links')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('name', 'text')
    .addColumn('password_hash', 'text')
    .addColumn('invite_id', 'text', (c) => c.references('invites.id').onDelete('cascade'))
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('mail_links_user').on('mail_links').column('user_id').execute()
  await db.schema.createIndex('mail_links_email').on('mail_links').column('email').execute()
  await db.schema.createIndex('mail_links_invite').on('mail_links').column('invite_id').execute()
  await db.schema.createIndex('mail_links_expired').on('mail_links').column('expires_at').execute()

  await db.schema
    .createTable('known_browsers')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('browser_hash', 'text', (c) => c.notNull())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('known_browsers_key', ['user_id', 'browser_hash'])
    .execute()
}
