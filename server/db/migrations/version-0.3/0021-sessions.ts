import { type Kysely, sql } from 'kysely'

/** The login of an existing session was its last confirmation; its device is unknown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('device', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('network', 'text').execute()
  await db.schema
    .alterTable('sessions')
    .addColumn('confirmed_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update sessions set confirmed_at = created_at`.execute(db)

  await db.schema.alterTable('users').addColumn('deletion_at', 'bigint').execute()
  await db.schema
    .createIndex('users_deletion')
    .on('users')
    .column('deletion_at')
    .where(sql.ref('deletion_at'), 'is not', null)
    .execute()
}
