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
    .addColumn('is_deleted', 'integer', (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('album_images_pk', ['album_id', 'image_id'])
    .execute()
  await db.schema
    .createIndex('album_images_order')
    .on('album_images')
    .columns(['album_id', 'position', 'image_id'])
    .execute()
  // Pages of an album do not read past deleted images, which keep their places.
  await db.schema
    .createIndex('album_images_shown')
    .on('album_images')
    .columns(['album_id', 'position', 'image_id'])
    .where(sql<boolean>`is_deleted = 0`)
    .execute()
  await db.schema.createIndex('album_images_image').on('album_images').column('image_id').execute()
  // What album:none finds. Not a column of `images`: each change would write all of their indexes on PostgreSQL.
  await db.schema
    .alterTable('images_by_views')
    .addColumn('in_album', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('images_by_views_loose')
    .on('images_by_views')
    .columns(['list_owner_id', 'image_id'])
    .where(sql<boolean>`in_album = 0`)
    .execute()

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
 * Of each image in an album, whether it was deleted; of each album, how many were not; of each image, whether it is in an album.
 * A deleted image that is restored comes back to `images_by_views` as a new row.
 */
const onSqlite: RawBuilder<unknown>[] = [
  sql`create trigger album_images_in after insert on album_images
    begin
      insert into album_counts (album_id, images) select new.album_id, 1 where new.is_deleted = 0
      on conflict (album_id) do update set images = images + 1;
      update album_images set is_deleted = 1 where album_id = new.album_id and image_id = new.image_id
        and is_deleted = 0 and exists (select 1 from images where id = new.image_id and undo_until is not null);
      update images_by_views set in_album = 1 where image_id = new.image_id and in_album = 0;
    end`,
  sql`create trigger album_images_out after delete on album_images
    begin
      update album_counts set images = images - 1 where album_id = old.album_id and old.is_deleted = 0;
      update images_by_views set in_album = 0 where image_id = old.image_id
        and not exists (select 1 from album_images where image_id = old.image_id);
    end`,
  sql`create trigger album_images_again after update of is_deleted on album_images when old.is_deleted <> new.is_deleted
    begin
      update album_counts set images = images + old.is_deleted - new.is_deleted where album_id = new.album_id;
    end`,
  sql`create trigger album_images_deleted after update of undo_until on images
    when (old.undo_until is null) <> (new.undo_until is null)
    begin update album_images set is_deleted = new.undo_until is not null where image_id = new.id; end`,
  sql`create trigger images_by_views_album after insert on images_by_views
    when exists (select 1 from album_images where image_id = new.image_id)
    begin update images_by_views set in_album = 1 where image_id = new.image_id; end`,
]

/*
 * Once for a statement: a row for each of a thousand images would be a thousand versions of the same count. All take their
 * locks in one order: images, then `images_by_views`, then counts, each by their ids. After the locks, what another transaction
 * has just changed is seen.
 */
const lockListed = sql`
    perform 1 from images_by_views where image_id in (select image_id from changed) order by image_id for update;`

const onPostgres: RawBuilder<unknown>[] = [
  sql`create function album_images_came() returns trigger language plpgsql as $$ begin
    perform 1 from images where id in (select image_id from changed) order by id for share;
    ${lockListed}
    update images_by_views set in_album = 1 where image_id in (select image_id from changed) and in_album = 0;
    update album_images as a set is_deleted = 1 from changed as r join images as i on i.id = r.image_id
    where a.album_id = r.album_id and a.image_id = r.image_id and a.is_deleted = 0 and i.undo_until is not null;
    insert into album_counts as c (album_id, images)
    select r.album_id, count(*) from changed as r join images as i on i.id = r.image_id and i.undo_until is null
    where r.is_deleted = 0 group by r.album_id order by r.album_id
    on conflict (album_id) do update set images = c.images + excluded.images;
    return null;
  end $$`,
  sql`create function album_images_went() returns trigger language plpgsql as $$ begin
    ${lockListed}
    update images_by_views as v set in_album = 0 where image_id in (select image_id from changed)
      and not exists (select 1 from album_images as a where a.image_id = v.image_id);
    perform 1 from album_counts where album_id in (select album_id from changed) order by album_id for update;
    update album_counts as c set images = c.images - r.images
    from (select album_id, count(*) as images from changed where is_deleted = 0 group by album_id) as r
    where c.album_id = r.album_id;
    return null;
  end $$`,
  sql`create trigger album_images_in after insert on album_images
    referencing new table as changed for each statement execute function album_images_came()`,
  sql`create trigger album_images_out after delete on album_images
    referencing old table as changed for each statement execute function album_images_went()`,
  sql`create function mark_album_images() returns trigger language plpgsql as $$
  declare
    deleted integer := case when new.undo_until is null then 0 else 1 end;
    albums text[];
  begin
    with marked as (
      update album_images set is_deleted = deleted where image_id = new.id and is_deleted <> deleted returning album_id)
    select array_agg(album_id) into albums from marked;
    perform 1 from album_counts where album_id = any(albums) order by album_id for update;
    update album_counts set images = images + 1 - 2 * deleted where album_id = any(albums);
    return null;
  end $$`,
  sql`create trigger album_images_deleted after update of undo_until on images for each row
    when ((old.undo_until is null) <> (new.undo_until is null)) execute function mark_album_images()`,
  sql`create function find_album_of_listed() returns trigger language plpgsql as $$ begin
    if exists (select 1 from album_images where image_id = new.image_id) then new.in_album = 1; end if;
    return new;
  end $$`,
  sql`create trigger images_by_views_album before insert on images_by_views
    for each row execute function find_album_of_listed()`,
]
