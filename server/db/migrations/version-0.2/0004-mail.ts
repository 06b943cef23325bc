import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('mail_digest', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()

  await db.schema
    .createTable('contact_messages')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('message', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('sent_at', 'bigint')
    .execute()
  await db.schema.createIndex('contact_messages_newest').on('contact_messages').columns(['created_at', 'id']).execute()

  await db.schema
    .createTable('outgoing_mail')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('contact_message_id', 'text', (c) => c.references('contact_messages.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('next_try_at', 'bigint', (c) => c.notNull())
    .addColumn('drop_at', 'bigint')
    .addColumn('last_error', 'text')
    .execute()
  await db.schema.createIndex('outgoing_mail_due').on('outgoing_mail').columns(['next_try_at', 'id']).execute()
  await db.schema.createIndex('outgoing_mail_message').on('outgoing_mail').column('contact_message_id').execute()
  await db.schema.createIndex('outgoing_mail_user').on('outgoing_mail').column('user_id').execute()

  await db.schema
    .createTable('expiry_notices')
    .addColumn('image_id', 'text', (c) => c.primaryKey().references('images.id').onDelete('cascade'))
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('expiry_digests')
    .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('sent_at', 'bigint', (c) => c.notNull())
    .execute()
}
