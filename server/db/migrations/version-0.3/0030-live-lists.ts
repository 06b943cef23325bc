import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

/**
 * Lists do not read past deleted images that can be restored: these are not in the indexes of lists. And the order by views
 * moves to a narrow table: on PostgreSQL an indexed column makes each change of it a new entry in every index of `images`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('images_owner_views').execute()
  for (const [name, columns] of Object.entries(listIndexes)) {
    await db.schema.dropIndex(name).ifExists().execute()
    await db.schema.createIndex(name).on('images').columns(columns).where(sql.ref('undo_until'), 'is', null).execute()
  }

  await db.schema
    .createTable('images_by_views')
    .addColumn('image_id', 'text', (c) => c.primaryKey())
    .addColumn('list_owner_id', 'text', (c) => c.notNull())
    .addColumn('view_count', 'bigint', (c) => c.notNull())
    .execute()
  await sql`
    insert into images_by_views (image_id, list_owner_id, view_count)
    select id, owner_id, views from images where owner_id is not null and undo_until is null`.execute(db)
  await db.schema
    .createIndex('images_by_views_order')
    .on('images_by_views')
    .columns(['list_owner_id', 'view_count', 'image_id'])
    .execute()

  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const statement of isPostgres ? onPostgres : onSqlite) await statement.execute(db)
  // Where an operator has run ANALYZE, SQLite prefers an index without statistics to the right ones.
  if (isPostgres) return
  const statistics = await sql`select 1 from sqlite_schema where name = 'sqlite_stat1'`.execute(db)
  if (statistics.rows.length === 0) return
  await sql`analyze images`.execute(db)
  await sql`analyze images_by_views`.execute(db)
}

const listIndexes = {
  images_owner_newest: ['owner_id', 'created_at', 'id'],
  images_owner_size: ['owner_id', 'bytes', 'id'],
  images_owner_name: ['owner_id', 'original_name', 'id'],
  images_owner_format: ['owner_id', 'format', 'created_at', 'id'],
  // Beside images_newest, which the database view and archives need: they read the deleted images too.
  images_listed_newest: ['created_at', 'id'],
}

const day = 24 * 60 * 60 * 1000
const rowsOf = (table: 'came' | 'went', sign: 1 | -1) =>
  `select created_at, owner_id, bytes, ${sign} as sign from ${table}`

/**
 * The trigger of migration 0003 for changes compared each old row with each new one: 500 counted views took 100 ms, and the
 * end of a large trash minutes. What stays the same adds up to nothing.
 */
const countImagesAgain = `
  create or replace function count_images_again() returns trigger language plpgsql as $$ begin
    insert into image_totals as t (day, guest, shard, uploads, images, bytes)
    select created_at / ${day}, case when owner_id is null then 1 else 0 end, pg_backend_pid() % 64,
           sum(sign), sum(sign), sum(sign * bytes)
    from (${rowsOf('came', 1)} union all ${rowsOf('went', -1)}) as r
    group by 1, 2 having sum(sign) <> 0 or sum(sign * bytes) <> 0 order by 1, 2
    on conflict (day, guest, shard) do update set
      uploads = t.uploads + excluded.uploads, images = t.images + excluded.images, bytes = t.bytes + excluded.bytes;
    return null;
  end $$`

const onPostgres: RawBuilder<unknown>[] = [
  sql.raw(countImagesAgain),
  sql`create function order_images_by_views() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' and old.owner_id is not null and old.undo_until is null then
      if tg_op = 'UPDATE' and new.owner_id = old.owner_id and new.undo_until is null then
        update images_by_views set view_count = new.views where image_id = new.id;
        return null;
      end if;
      delete from images_by_views where image_id = old.id;
    end if;
    if tg_op <> 'DELETE' and new.owner_id is not null and new.undo_until is null then
      insert into images_by_views (image_id, list_owner_id, view_count) values (new.id, new.owner_id, new.views);
    end if;
    return null;
  end $$`,
  sql`create trigger images_by_views_in after insert on images
    for each row when (new.owner_id is not null and new.undo_until is null) execute function order_images_by_views()`,
  sql`create trigger images_by_views_out after delete on images
    for each row when (old.owner_id is not null and old.undo_until is null) execute function order_images_by_views()`,
  sql`create trigger images_by_views_again after update of owner_id, undo_until, views on images
    for each row when (
      old.views <> new.views or old.owner_id is distinct from new.owner_id
      or (old.undo_until is null) <> (new.undo_until is null))
    execute function order_images_by_views()`,
  // Room for the new version of a row on its page: then a counted view changes no index.
  sql`alter table images set (fillfactor = 90)`,
  // server/db/search-index.ts creates it again, without deleted images.
  sql`do $$ begin
    if (select indpred is null from pg_index where indexrelid = to_regclass('images_search')) then
      drop index images_search;
    end if;
  end $$`,
]

const newRow = sql`
  insert into images_by_views (image_id, list_owner_id, view_count)
  select new.id, new.owner_id, new.views where new.owner_id is not null and new.undo_until is null;`
const text = (row: 'old' | 'new') =>
  sql.raw(`lower(${row}.original_name || '\n' || ${row}.title || '\n' || ${row}.alt)`)
const newText = sql`
  insert into image_search (rowid, names) select new.rowid, ${text('new')} where new.undo_until is null;`
const withoutOldText = sql`delete from image_search where rowid = old.rowid and old.undo_until is null;`

const onSqlite: RawBuilder<unknown>[] = [
  sql`create trigger images_by_views_in after insert on images begin ${newRow} end`,
  sql`create trigger images_by_views_out after delete on images
    begin delete from images_by_views where image_id = old.id; end`,
  sql`create trigger images_by_views_again after update of owner_id, undo_until on images
    when old.owner_id is not new.owner_id or (old.undo_until is null) <> (new.undo_until is null)
    begin delete from images_by_views where image_id = old.id; ${newRow} end`,
  sql`create trigger images_by_views_counted after update of views on images when old.views <> new.views
    begin update images_by_views set view_count = new.views where image_id = new.id; end`,
  // As in migration 0023, without deleted images.
  sql`drop trigger images_search_insert`,
  sql`drop trigger images_search_delete`,
  sql`drop trigger images_search_update`,
  sql`delete from image_search where rowid in (
    select rowid from images where undo_until is not null and rowid in (select id from image_search_docsize))`,
  sql`create trigger images_search_insert after insert on images begin ${newText} end`,
  sql`create trigger images_search_delete after delete on images begin ${withoutOldText} end`,
  sql`create trigger images_search_update after update of original_name, title, alt, undo_until on images
    when ${text('old')} <> ${text('new')} or (old.undo_until is null) <> (new.undo_until is null)
    begin ${withoutOldText} ${newText} end`,
]
