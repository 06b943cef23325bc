import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['quota_bytes', 'quota_images']) {
    await db.schema.alterTable('users').addColumn(column, 'bigint').execute()
  }
}
