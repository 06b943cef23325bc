import type { Kysely } from 'kysely'

/** Existing passwords never expire. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('password_expires_at', 'bigint').execute()
}
