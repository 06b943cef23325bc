import { type Kysely, PostgresAdapter, sql } from 'kysely'

const dayMs = sql.lit(24 * 60 * 60 * 1000)

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('backups')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('taken_by', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('progress', 'integer', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('backups_newest').on('backups').columns(['created_at', 'id']).execute()
  // At most one backup runs: the insert of a second one fails.
  await db.schema
    .createIndex('backups_running')
    .unique()
    .on('backups')
    .column('status')
    .where(sql.ref('status'), '=', sql.lit('running'))
    .execute()

  await db.schema.createIndex('users_status').on('users').column('status').execute()
  await countImages(db)
}

/**
 * Triggers count the images, so that statistics about a million of them read only a few rows. One row
 * for each day of upload and kind of owner; on PostgreSQL also for each shard of the connections, so
 * that concurrent uploads do not wait for each other's row.
 */
async function countImages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('image_totals')
    .addColumn('day', 'bigint', (c) => c.notNull())
    .addColumn('guest', 'integer', (c) => c.notNull())
    .addColumn('shard', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('uploads', 'bigint', (c) => c.notNull())
    .addColumn('images', 'bigint', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('image_totals_key', ['day', 'guest', 'shard'])
    .execute()
  await sql`
    insert into image_totals (day, guest, shard, uploads, images, bytes)
    select created_at / ${dayMs}, case when owner_id is null then 1 else 0 end, 0, count(*), count(*), sum(bytes)
    from images group by 1, 2`.execute(db)
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const statement of isPostgres ? postgresTriggers : sqliteTriggers) await sql.raw(statement).execute(db)
}

const day = 24 * 60 * 60 * 1000
const add = (row: string, sign: '' | '-', uploads: string) => `
  insert into image_totals (day, guest, uploads, images, bytes)
  values (${row}.created_at / ${day}, ${row}.owner_id is null, ${uploads}, ${sign}1, ${sign}${row}.bytes)
  on conflict (day, guest, shard) do update set
    uploads = uploads + excluded.uploads, images = images + excluded.images, bytes = bytes + excluded.bytes;`

const sqliteTriggers = [
  `create trigger images_counted_in after insert on images begin ${add('new', '', '1')} end`,
  `create trigger images_counted_out after delete on images begin ${add('old', '-', '0')} end`,
  `create trigger images_counted_again after update of bytes, owner_id, created_at on images
   when old.bytes <> new.bytes or (old.owner_id is null) <> (new.owner_id is null) or old.created_at <> new.created_at
   begin ${add('old', '-', '-1')} ${add('new', '', '1')} end`,
]

const merge = (rows: string) => `
  insert into image_totals as t (day, guest, shard, uploads, images, bytes)
  select created_at / ${day}, case when owner_id is null then 1 else 0 end, pg_backend_pid() % 64,
         sum(uploads), sum(sign), sum(sign * bytes)
  from (${rows}) as r group by 1, 2 order by 1, 2
  on conflict (day, guest, shard) do update set
    uploads = t.uploads + excluded.uploads, images = t.images + excluded.images, bytes = t.bytes + excluded.bytes;`
const came = 'select created_at, owner_id, bytes, 1 as uploads, 1 as sign from came'
const went = (uploads: 0 | -1) => `select created_at, owner_id, bytes, ${uploads} as uploads, -1 as sign from went`

// A statement, not a row, at a time: a transaction that puts in a million images must not write one row a million times.
const postgresTriggers = [
  `create function count_images_in() returns trigger language plpgsql as $$ begin ${merge(came)} return null; end $$`,
  `create function count_images_out() returns trigger language plpgsql as $$ begin ${merge(went(0))} return null; end $$`,
  `create function count_images_again() returns trigger language plpgsql as $$ begin
     if exists (select from came join went using (id)
                where came.bytes <> went.bytes or (came.owner_id is null) <> (went.owner_id is null)
                   or came.created_at <> went.created_at)
     then ${merge(`${came} union all ${went(-1)}`)} end if;
     return null; end $$`,
  `create trigger images_counted_in after insert on images
   referencing new table as came for each statement execute function count_images_in()`,
  `create trigger images_counted_out after delete on images
   referencing old table as went for each statement execute function count_images_out()`,
  `create trigger images_counted_again after update on images
   referencing old table as went new table as came for each statement execute function count_images_again()`,
]
