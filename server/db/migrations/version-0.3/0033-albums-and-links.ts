import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

/** Albums, their members, and links that share them (docs/decisions/0070). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema
    .createTable('albums')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('owner_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('guest_token_hash', 'text')
    .addColumn('parent_id', 'text')
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('cover_id', 'text')
    .addColumn('query', 'text')
    .addColumn('upload_visibility', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('albums_owner').on('albums').columns(['owner_id', 'created_at', 'id']).execute()
  await db.schema.createIndex('albums_parent').on('albums').column('parent_id').execute()

  await db.schema
    .createTable('album_images')
    .addColumn('album_id', 'text', (c) => c.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('image_id', 'text', (c) => c.notNull().references('images.id').onDelete('cascade'))
    // Compared by its characters, in no language's order.
    .addColumn('position', isPostgres ? sql`text collate "C"` : 'text', (c) => c.notNull())
    .addColumn('added_by', 'text')
    .addColumn('added_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('album_images_pk', ['album_id', 'image_id'])
    .execute()
  await db.schema
    .createIndex('album_images_order')
    .on('album_images')
    .columns(['album_id', 'position', 'image_id'])
    .execute()
  await db.schema.createIndex('album_images_image').on('album_images').column('image_id').execute()

  await db.schema
    .createTable('album_counts')
    .addColumn('album_id', 'text', (c) => c.primaryKey().references('albums.id').onDelete('cascade'))
    .addColumn('images', 'bigint', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('album_members')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('album_id', 'text', (c) => c.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('email', 'text')
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('accepted_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('album_members_user')
    .on('album_members')
    .columns(['user_id', 'album_id'])
    .unique()
    .execute()
  await db.schema.createIndex('album_members_album').on('album_members').column('album_id').execute()
  await db.schema.createIndex('album_members_token').on('album_members').column('token_hash').execute()

  await db.schema
    .createTable('links')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('slug', 'text', (c) => c.notNull().unique())
    .addColumn('owner_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('guest_token_hash', 'text')
    .addColumn('album_id', 'text', (c) => c.references('albums.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('note', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('shows_private', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('password_hash', 'text')
    .addColumn('starts_at', 'bigint')
    .addColumn('ends_at', 'bigint')
    .addColumn('views_left', 'integer')
    .addColumn('can_download', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('max_size', 'integer')
    .addColumn('watermark', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('views', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('last_viewed_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('links_owner').on('links').columns(['owner_id', 'created_at', 'id']).execute()
  await db.schema.createIndex('links_album').on('links').column('album_id').execute()

  await db.schema
    .createTable('link_images')
    .addColumn('link_id', 'text', (c) => c.notNull().references('links.id').onDelete('cascade'))
    .addColumn('image_id', 'text', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('link_images_pk', ['link_id', 'image_id'])
    .execute()
  await db.schema.createIndex('link_images_image').on('link_images').column('image_id').execute()

  await db.schema.alterTable('api_keys').addColumn('album_id', 'text').execute()
  await db.schema.alterTable('images').addColumn('expires_after_view_days', 'integer').execute()
  // Of the images that lists have, those that the query tag:none finds.
  await db.schema
    .createIndex('images_owner_untagged')
    .on('images')
    .columns(['owner_id', 'tags'])
    .where(sql<boolean>`tags = '' and undo_until is null`)
    .execute()
  for (const statement of isPostgres ? onPostgres : onSqlite) await statement.execute(db)
}

/*
 * Images of each album, without deleted ones that can be restored. A row of `images` that goes takes its rows of
 * `album_images` with it, and these no longer find out whether it counted: so it is subtracted before it goes.
 */
const albumsOf = {
  old: sql`select album_id from album_images where image_id = old.id`,
  new: sql`select album_id from album_images where image_id = new.id`,
}

const onSqlite: RawBuilder<unknown>[] = [
  sql`create trigger album_counts_in after insert on album_images
    when exists (select 1 from images where id = new.image_id and undo_until is null)
    begin
      insert into album_counts (album_id, images) values (new.album_id, 1)
      on conflict (album_id) do update set images = images + 1;
    end`,
  sql`create trigger album_counts_out after delete on album_images
    when exists (select 1 from images where id = old.image_id and undo_until is null)
    begin update album_counts set images = images - 1 where album_id = old.album_id; end`,
  sql`create trigger album_counts_gone before delete on images when old.undo_until is null
    begin update album_counts set images = images - 1 where album_id in (${albumsOf.old}); end`,
  sql`create trigger album_counts_hidden after update of undo_until on images
    when old.undo_until is null and new.undo_until is not null
    begin update album_counts set images = images - 1 where album_id in (${albumsOf.new}); end`,
  sql`create trigger album_counts_back after update of undo_until on images
    when old.undo_until is not null and new.undo_until is null
    begin update album_counts set images = images + 1 where album_id in (${albumsOf.new}); end`,
]

const onPostgres: RawBuilder<unknown>[] = [
  // Once for a statement: a row for each of a thousand images would be a thousand versions of the same count.
  sql`create function count_album_images() returns trigger language plpgsql as $$ begin
    insert into album_counts as c (album_id, images)
    select r.album_id, count(*) from changed as r join images as i on i.id = r.image_id and i.undo_until is null
    group by r.album_id order by r.album_id
    on conflict (album_id) do update set images = c.images + excluded.images;
    return null;
  end $$`,
  sql`create function uncount_album_images() returns trigger language plpgsql as $$ begin
    update album_counts as c set images = c.images - r.images from (
      select g.album_id, count(*) as images from changed as g
      join images as i on i.id = g.image_id and i.undo_until is null group by g.album_id) as r
    where c.album_id = r.album_id;
    return null;
  end $$`,
  sql`create trigger album_counts_in after insert on album_images
    referencing new table as changed for each statement execute function count_album_images()`,
  sql`create trigger album_counts_out after delete on album_images
    referencing old table as changed for each statement execute function uncount_album_images()`,
  sql`create function count_albums_of_image() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then
      update album_counts set images = images - 1 where album_id in (${albumsOf.old});
      return old;
    end if;
    update album_counts set images = images + case when new.undo_until is null then 1 else -1 end
    where album_id in (${albumsOf.new});
    return null;
  end $$`,
  sql`create trigger album_counts_gone before delete on images
    for each row when (old.undo_until is null) execute function count_albums_of_image()`,
  sql`create trigger album_counts_again after update of undo_until on images
    for each row when ((old.undo_until is null) <> (new.undo_until is null)) execute function count_albums_of_image()`,
]
