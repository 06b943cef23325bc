import { type Kysely, PostgresAdapter, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('images_owner_format')
    .on('images')
    .columns(['owner_id', 'format', 'created_at', 'id'])
    .execute()
  // PostgreSQL's index needs an extension that may be missing: server/db/search-index.ts.
  if (db.getExecutor().adapter instanceof PostgresAdapter) return
  for (const statement of sqliteSearch) await statement.execute(db)
  // Where an operator has run ANALYZE, SQLite prefers an index without statistics to the right ones.
  const statistics = await sql`select 1 from sqlite_schema where name = 'sqlite_stat1'`.execute(db)
  if (statistics.rows.length > 0) await sql`analyze images`.execute(db)
}

const oldText = sql`lower(old.original_name || '\n' || old.title || '\n' || old.alt)`
const newText = sql`lower(new.original_name || '\n' || new.title || '\n' || new.alt)`

/**
 * The trigrams of each image, without their positions: a search compares the text as well. The texts
 * are not stored a second time. server/db/search-index.ts adds those of older images.
 */
const sqliteSearch = [
  sql`create virtual table image_search using fts5(
    names, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')`,
  sql`create trigger images_search_insert after insert on images
    begin insert into image_search (rowid, names) values (new.rowid, ${newText}); end`,
  sql`create trigger images_search_delete after delete on images
    begin delete from image_search where rowid = old.rowid; end`,
  sql`create trigger images_search_update after update of original_name, title, alt on images
    when ${oldText} <> ${newText}
    begin update image_search set names = ${newText} where rowid = new.rowid; end`,
]
