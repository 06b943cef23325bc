import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['undo_until', 'undo_expires_at']) {
    await db.schema.alterTable('images').addColumn(column, 'bigint').execute()
  }
}
