import { type Kysely, sql } from 'kysely'

/** Private images (docs/decisions/0066). Few of many, so their index is partial. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('images')
    .addColumn('visibility', 'text', (c) => c.notNull().defaultTo('public'))
    .execute()
  await db.schema
    .alterTable('images')
    .addColumn('view_key_version', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('tombstones')
    .addColumn('visibility', 'text', (c) => c.notNull().defaultTo('public'))
    .execute()
  await db.schema
    .alterTable('users')
    .addColumn('upload_visibility', 'text', (c) => c.notNull().defaultTo('public'))
    .execute()
  await db.schema.alterTable('api_keys').addColumn('upload_visibility', 'text').execute()
  await db.schema
    .createIndex('images_owner_private')
    .on('images')
    .columns(['owner_id', 'created_at', 'id'])
    .where(sql.ref('visibility'), '=', sql`'private'`)
    .execute()
}
