import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('backups')
    .addColumn('place', 'text', (c) => c.notNull().defaultTo('disk'))
    .execute()
}
