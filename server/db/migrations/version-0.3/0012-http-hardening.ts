import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('idempotency_keys').addColumn('content_hash', 'text').execute()

  await db.schema
    .alterTable('collections')
    .addColumn('bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`
    update collections set
      bytes = (select coalesce(sum(bytes), 0) from documents where collection_id = collections.id)`.execute(db)
}
