import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['title', 'alt'])
    await db.schema
      .alterTable('images')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  for (const column of ['slug', 'blur']) await db.schema.alterTable('images').addColumn(column, 'text').execute()
  for (const column of ['slug', 'slug_owner_id'])
    await db.schema.alterTable('tombstones').addColumn(column, 'text').execute()
  const index = (table: 'images' | 'tombstones') =>
    db.schema.createIndex(`${table}_slug`).on(table).column('slug').where(sql.ref('slug'), 'is not', null)
  await index('images').unique().execute()
  // Not unique: nothing may stop a deletion.
  await index('tombstones').execute()
  await db.schema
    .alterTable('users')
    .addColumn('show_name', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
