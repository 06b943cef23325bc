import { type Kysely, PostgresAdapter, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('images')
    .addColumn('views', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`
    update images set views = (select sum(image_views.views) from image_views where image_views.image_id = images.id)
    where id in (select image_id from image_views)`.execute(db)
  await db.schema.createIndex('images_owner_views').on('images').columns(['owner_id', 'views', 'id']).execute()
  // Where an operator has run ANALYZE, SQLite prefers an index without statistics to the right ones.
  if (db.getExecutor().adapter instanceof PostgresAdapter) return
  const statistics = await sql`select 1 from sqlite_schema where name = 'sqlite_stat1'`.execute(db)
  if (statistics.rows.length > 0) await sql`analyze images`.execute(db)
}
