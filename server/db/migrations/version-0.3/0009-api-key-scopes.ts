import type { Kysely } from 'kysely'

/** Keys that existed before have every scope, no expiry and no limits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const change = () => db.schema.alterTable('api_keys')
  await change()
    .addColumn('scopes', 'text', (c) => c.notNull().defaultTo('upload,read,manage'))
    .execute()
  await change().addColumn('expires_at', 'bigint').execute()
  await change().addColumn('uploads_per_hour', 'integer').execute()
  await change().addColumn('max_bytes', 'bigint').execute()
  await change()
    .addColumn('uploaded_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await change().addColumn('last_used_network', 'text').execute()
}
