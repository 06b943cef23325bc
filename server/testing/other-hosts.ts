// Small instances of other hosts, for importers: databases with the columns of those projects' own
// schemas that are read, and their files.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { openOtherHostDatabase } from '../db/other-host-database.ts'
import { loadDriver } from '../db/sqlite.ts'

export interface OtherHostImage {
  bytes: Buffer
  /** As its user called it. */
  name: string
  /** Of the users 1 and 2; null for a guest. */
  owner: 1 | 2 | null
  createdAt: Date
}

export interface OtherHost {
  kind: string
  /** What the command gets. */
  location: string
  files: string | undefined
  /** Old addresses of a picture by its index. */
  pathsOf: (n: number) => string[]
  /** Old addresses that were not open to everyone. */
  guarded?: string[]
  /** Of the imported accounts of user 1, an admin there, and user 2. */
  emails: [string, string]
  /** Of picture 0; default: it has none. */
  texts?: { title: string; alt: string }
  /** Of picture 0. */
  tags: string[]
  /** With the indexes of their pictures in order. */
  albums: { title: string; description?: string; in?: string; cover?: number; images: number[] }[]
  /** What they share: the title of an album, or the index of a picture. Locked: with a password that cannot be checked here. */
  links: { of: string | number; is: 'open' | 'locked' | 'guarded' | 'ended' }[]
  /** How many pictures it has that cannot be imported. */
  problems: number
  /** How many of those that can be imported had a password. */
  withPassword: number
  /** How many pictures can be imported in addition to those given. */
  more: number
}

interface Place {
  /** Folder for files and SQLite. */
  folder: string
  images: OtherHostImage[]
}

const sqlTime = (date: Date) => date.toISOString().slice(0, 19).replace('T', ' ')
const chinaTime = (date: Date) => sqlTime(new Date(date.getTime() + 8 * 3_600_000))
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
// oxlint-disable-next-line typescript/no-explicit-any -- tables of other projects
type AnyDatabase = Kysely<any>

async function put(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
}

/** Runs the statements and inserts the rows, on any of the databases. */
async function fill(location: string, statements: string[], rows: Record<string, object[]>): Promise<void> {
  const db: AnyDatabase = /^\w+:\/\//.test(location)
    ? await openOtherHostDatabase(location)
    : await createSqlite(location)
  try {
    for (const statement of statements) await sql.raw(statement).execute(db)
    for (const [table, values] of Object.entries(rows))
      for (let at = 0; at < values.length; at += 100)
        await db
          .insertInto(table)
          .values(values.slice(at, at + 100))
          .execute()
  } finally {
    await db.destroy()
  }
}

async function createSqlite(path: string): Promise<AnyDatabase> {
  const { Kysely: Database } = await import('kysely')
  const { sqliteDialect } = await import('../db/sqlite-driver.ts')
  const DatabaseSync = await loadDriver()
  return new Database({ dialect: sqliteDialect(new DatabaseSync(path), path) })
}

export async function makeSlink({ folder, images }: Place): Promise<OtherHost> {
  const location = join(folder, 'slink.db')
  const files = join(folder, 'slink', 'images')
  const image = (n: number, owner: number | null, at: Date, description: string) => ({
    uuid: uuid(n),
    user_id: owner === null ? null : uuid(900 + owner),
    file_name: `${uuid(n)}.jpg`,
    description,
    is_public: 0,
    created_at: sqlTime(at),
    views: 0,
    size: 1,
    mime_type: 'image/jpeg',
    width: 1,
    height: 1,
  })
  for (const [n, { bytes }] of images.entries()) await put(join(files, `${uuid(n)}.jpg`), bytes)
  await put(join(files, `${uuid(80_001)}.jpg`), Buffer.from('no picture'))
  await fill(
    location,
    [
      `create table "user" (uuid char(36) primary key, email varchar(255), username varchar(255), display_name varchar(255),
        password varchar(255) not null, created_at datetime not null, updated_at datetime, status varchar(255) not null)`,
      'create table user_to_role (user_id char(36) not null, role varchar(255) not null)',
      `create table image (uuid char(36) primary key, user_id char(36), file_name varchar(255) not null,
        description varchar(255) not null, is_public boolean not null, created_at datetime not null, updated_at datetime,
        views int not null, size int not null, mime_type varchar(255) not null, width int not null, height int not null)`,
      'create table tag (uuid char(36) primary key, user_id varchar(36), name varchar(50) not null, path clob)',
      'create table image_to_tag (image_id char(36) not null, tag_id char(36) not null)',
      `create table collection (uuid char(36) primary key, user_id char(36), name varchar(105) not null,
        description varchar(500) not null, created_at datetime not null)`,
      `create table collection_item (uuid char(36) primary key, collection_id char(36), item_id char(36),
        item_type varchar(32), position double precision not null)`,
      `create table share (uuid char(36) primary key, shareable_id char(36), shareable_type varchar(32),
        target_url varchar(2048), is_published boolean not null default 0, expires_at datetime, password_hash varchar(255))`,
      'create table short_url (uuid char(36) primary key, share_id char(36), short_code varchar(32))',
    ],
    {
      user: [1, 2].map((n) => ({
        uuid: uuid(900 + n),
        email: `user${n}@example.com`,
        username: `user${n}`,
        display_name: `User ${n}`,
        password: '$2y$12$notargon',
        created_at: '2023-01-02 03:04:05',
        status: n === 1 ? 'active' : 'suspended',
      })),
      user_to_role: [{ user_id: uuid(901), role: 'ROLE_ADMIN' }],
      image: [
        ...images.map(({ owner, createdAt, name }, n) => image(n, owner, createdAt, name)),
        image(80_000, 1, new Date(), 'missing'),
        image(80_001, 1, new Date(), 'broken'),
      ],
      tag: [{ uuid: uuid(1), user_id: uuid(901), name: 'sea', path: '#sea' }],
      image_to_tag: [{ image_id: uuid(0), tag_id: uuid(1) }],
      collection: [
        {
          uuid: uuid(501),
          user_id: uuid(901),
          name: 'Holidays',
          description: 'By the sea',
          created_at: '2024-01-01 00:00:00',
        },
        { uuid: uuid(502), user_id: uuid(901), name: 'Best', description: '', created_at: '2024-01-02 00:00:00' },
      ],
      // Picture 1 is of another user.
      collection_item: [
        { collection: 1, item: 0, position: 2.5 },
        { collection: 1, item: 3, position: 2 },
        { collection: 1, item: 1, position: 1 },
        { collection: 2, item: 0, position: 1 },
      ].map(({ collection, item, position }, n) => ({
        uuid: uuid(n),
        collection_id: uuid(500 + collection),
        item_id: uuid(item),
        item_type: 'image',
        position,
      })),
      // Only the first of them is open.
      share: [
        ...[0, 1, 2, 3].map((n) => ({
          uuid: uuid(n),
          shareable_id: uuid(n),
          shareable_type: 'image',
          target_url: '',
          is_published: n === 2 ? 0 : 1,
          expires_at: n === 3 ? '2024-01-01 00:00:00' : null,
          password_hash: n === 1 ? '$2y$12$secret' : null,
        })),
        ...[1, 2].map((n) => ({
          uuid: uuid(100 + n),
          shareable_id: uuid(500 + n),
          shareable_type: 'collection',
          target_url: '',
          is_published: 1,
          expires_at: null,
          password_hash: n === 2 ? '$2y$12$secret' : null,
        })),
      ],
      short_url: [0, 1, 2, 3].map((n) => ({ uuid: uuid(n), share_id: uuid(n), short_code: `short${n}` })),
    },
  )
  return {
    kind: 'slink',
    location,
    files,
    pathsOf: (n) => [`/image/${uuid(n)}.jpg?width=20`, `/image/${uuid(n)}.webp`, ...(n === 0 ? ['/i/short0'] : [])],
    emails: ['user1@example.com', 'user2@example.com'],
    texts: { title: '', alt: images[0]?.name ?? '' },
    tags: ['sea'],
    albums: [
      { title: 'Best', images: [0] },
      { title: 'Holidays', description: 'By the sea', images: [3, 0] },
    ],
    links: [
      { of: 0, is: 'open' },
      { of: 1, is: 'locked' },
      { of: 3, is: 'ended' },
      { of: 'Best', is: 'locked' },
      { of: 'Holidays', is: 'open' },
    ],
    problems: 2,
    withPassword: 1,
    more: 0,
  }
}

/** @param url of an empty PostgreSQL database */
export async function makeZipline({ folder, images }: Place, url: string, password: string): Promise<OtherHost> {
  const files = join(folder, 'uploads')
  const file = (id: string, name: string, given: object = {}) => ({
    id,
    createdAt: '2024-01-01 00:00:00',
    name,
    originalName: null,
    size: 1,
    type: 'image/jpeg',
    userId: 'user1',
    ...given,
  })
  for (const [n, { bytes }] of images.entries()) await put(join(files, `pic${n}.jpg`), bytes)
  await put(join(files, 'secret.jpg'), images[0]?.bytes ?? Buffer.alloc(0))
  await fill(
    url,
    [
      `create type "Role" as enum ('USER', 'ADMIN', 'SUPERADMIN')`,
      `create table "Zipline" (id text primary key, "filesRoute" text not null default '/u')`,
      `create table "User" (id text primary key, "createdAt" timestamp(3) not null, username text not null unique,
        password text, role "Role" not null default 'USER')`,
      `create table "Folder" (id text primary key, "createdAt" timestamp(3) not null default '2024-01-01', name text not null,
        public boolean not null default false, "userId" text not null, "parentId" text)`,
      'create table "Tag" (id text primary key, name text not null unique)',
      `create table "File" (id text primary key, "createdAt" timestamp(3) not null, "deletesAt" timestamp(3),
        name text not null, "originalName" text, size bigint not null, type text not null, views integer not null default 0,
        "maxViews" integer, password text, "userId" text, "folderId" text)`,
      'create table "_FileToTag" ("A" text not null, "B" text not null)',
    ],
    {
      Zipline: [{ id: 'one' }],
      User: [
        { id: 'user1', createdAt: '2023-01-02 03:04:05.678', username: 'User 1', password, role: 'SUPERADMIN' },
        // The same email name, but another user.
        { id: 'user2', createdAt: '2023-01-02 03:04:05.678', username: 'user 1', password: null, role: 'USER' },
      ],
      Folder: [
        { id: 'a', name: 'Inside', userId: 'user1', parentId: 'folder' },
        { id: 'folder', name: 'Holidays', userId: 'user1', public: true },
        // Each is inside the other.
        { id: 'round', name: 'Round', userId: 'user1', parentId: 'square' },
        { id: 'square', name: 'Square', userId: 'user1', parentId: 'round' },
      ],
      Tag: [{ id: 'tag', name: 'sea' }],
      File: [
        ...images.map(({ owner, createdAt, name }, n) =>
          file(`file${n}`, `pic${n}.jpg`, {
            createdAt: sqlTime(createdAt),
            originalName: name,
            userId: owner === null ? null : `user${owner}`,
            folderId: n === 0 || n === 6 ? 'folder' : n === 3 ? 'a' : null,
            ...(n === 1 && { views: 3, maxViews: 10 }),
          }),
        ),
        file('viewed', 'pic0.jpg', { views: 3, maxViews: 3 }),
        file('missing', 'missing.jpg'),
        file('video', 'video.mp4', { type: 'video/mp4' }),
        file('expired', 'pic0.jpg', { deletesAt: '2024-01-02 00:00:00' }),
        file('secret', 'secret.jpg', { password }),
      ],
      _FileToTag: [{ A: 'file0', B: 'tag' }],
    },
  )
  return {
    kind: 'zipline',
    location: url,
    files,
    pathsOf: (n) => ['u', 'raw', 'view'].map((route) => `/${route}/pic${n}.jpg`),
    emails: ['user-1@imported.invalid', 'user-1-2@imported.invalid'],
    tags: ['sea'],
    albums: [
      { title: 'Holidays', images: [0, 6] },
      { title: 'Inside', in: 'Holidays', images: [3] },
      { title: 'Round', in: 'Square', images: [] },
      { title: 'Square', images: [] },
    ],
    links: [
      { of: 'Holidays', is: 'open' },
      { of: 'secret.jpg', is: 'guarded' },
    ],
    problems: 4,
    withPassword: 1,
    more: 1,
  }
}

/** @param url of an empty MySQL or MariaDB database; its strict mode needs a value for each column */
export async function makeChevereto({ folder, images }: Place, url: string): Promise<OtherHost> {
  const files = join(folder, 'images')
  const day = (date: Date) => sqlTime(date).slice(0, 10).replaceAll('-', '/')
  const image = (id: number, name: string, at: Date, given: object = {}) => ({
    image_id: id,
    image_name: name,
    image_extension: 'jpg',
    image_date: sqlTime(at),
    image_date_gmt: sqlTime(at),
    image_title: null,
    image_description: null,
    image_user_id: 1,
    image_album_id: null,
    image_storage_mode: 'datefolder',
    image_original_filename: `${name}.jpg`,
    image_expiration_date_gmt: null,
    image_is_approved: 1,
    ...given,
  })
  for (const [n, { bytes, createdAt }] of images.entries()) await put(join(files, day(createdAt), `pic${n}.jpg`), bytes)
  await put(join(files, 'broken.jpg'), Buffer.from('no picture'))
  await fill(
    url,
    [
      `create table chv_users (user_id bigint auto_increment primary key, user_name varchar(255),
        user_username varchar(255) not null, user_date_gmt datetime not null, user_email varchar(255),
        user_status enum('valid','awaiting-confirmation','awaiting-email','banned') not null,
        user_is_admin tinyint(1) not null default 0)`,
      `create table chv_images (image_id bigint auto_increment primary key, image_name varchar(255) not null,
        image_extension varchar(255) not null, image_date datetime not null, image_date_gmt datetime not null,
        image_title varchar(100), image_description text, image_user_id bigint, image_album_id bigint,
        image_storage_mode enum('datefolder','direct','old','path') not null default 'datefolder',
        image_path varchar(4096), image_storage_id bigint, image_original_filename varchar(255) not null,
        image_category_id bigint, image_expiration_date_gmt datetime, image_is_approved tinyint(1) not null default 1,
        image_type tinyint unsigned as (case when image_extension in ('mp4','webm','mov') then 2 else 1 end) stored)`,
      `create table chv_albums (album_id bigint auto_increment primary key, album_name varchar(100) not null,
        album_user_id bigint, album_date_gmt datetime not null default '2024-01-01 00:00:00', album_description text,
        album_cover_id bigint, album_parent_id bigint,
        album_privacy enum('public','password','private','private_but_link','custom') default 'public', album_password text)`,
      'create table chv_categories (category_id bigint auto_increment primary key, category_name varchar(32) not null)',
      'create table chv_storages (storage_id bigint auto_increment primary key, storage_url varchar(255) not null)',
      'create table chv_settings (setting_id int auto_increment primary key, setting_name varchar(255), setting_value text)',
      `create table chv_variables (variable_id int auto_increment primary key, variable_name varchar(255),
        variable_value text)`,
      'create table chv_tags (tag_id bigint auto_increment primary key, tag_name varchar(32) not null)',
      'create table chv_tags_files (tag_file_tag_id bigint not null, tag_file_file_id bigint not null)',
    ],
    {
      chv_users: [1, 2].map((n) => ({
        user_id: n,
        user_name: `User ${n}`,
        user_username: `user${n}`,
        user_date_gmt: '2023-01-02 03:04:05',
        user_email: `user${n}@example.com`,
        user_status: n === 1 ? 'valid' : 'banned',
        user_is_admin: n === 1 ? 1 : 0,
      })),
      chv_images: [
        ...images.map(({ owner, createdAt, name }, n) =>
          image(n + 1, `pic${n}`, createdAt, {
            image_user_id: owner,
            image_original_filename: name,
            image_title: n === 0 ? `It's "a" title / of 100 %` : null,
            image_description: n === 0 ? 'A red\r\npicture' : null,
            image_album_id: n < 3 ? n + 1 : n === 3 ? 1 : null,
          }),
        ),
        image(80_001, 'missing', new Date()),
        image(80_002, 'broken', new Date(), { image_storage_mode: 'direct' }),
        image(80_003, 'waiting', new Date(), { image_is_approved: 0 }),
        image(80_004, 'video', new Date(), { image_extension: 'mp4' }),
      ],
      chv_albums: [
        { album_id: 1, album_name: 'Holidays', album_user_id: 1, album_description: 'By the sea', album_cover_id: 4 },
        { album_id: 2, album_name: 'Private', album_privacy: 'private', album_user_id: 2 },
        { album_id: 3, album_name: 'Guarded', album_privacy: 'password', album_password: '$2y$10$secret' },
        {
          album_id: 4,
          album_name: 'Inside',
          album_user_id: 1,
          album_parent_id: 1,
          album_privacy: 'password',
          album_password: '$2y$10$secret',
        },
      ],
      chv_settings: [
        { setting_name: 'upload_image_path', setting_value: 'images' },
        { setting_name: 'route_image', setting_value: 'image' },
        { setting_name: 'root_route', setting_value: 'user' },
      ],
      chv_variables: [
        { variable_name: 'crypt_salt', variable_value: '' },
        { variable_name: 'id_padding', variable_value: '0' },
      ],
      chv_tags: [{ tag_id: 1, tag_name: 'sea' }],
      chv_tags_files: [{ tag_file_tag_id: 1, tag_file_file_id: 1 }],
    },
  )
  return {
    kind: 'chevereto',
    location: url,
    files,
    pathsOf: (n) => {
      const inFolder = `/images/${day(images[n]?.createdAt ?? new Date())}/pic${n}`
      // As its own PHP function encodeID writes 1.
      const pages = n === 0 ? ['/image/k', '/image/Its-a-title-of-100-%25.k'] : []
      return [`${inFolder}.jpg`, `${inFolder}.md.jpg`, `${inFolder}.th.jpg`, ...pages]
    },
    emails: ['user1@example.com', 'user2@example.com'],
    // Of the pictures 1 and 2, by the same function.
    guarded: ['/image/s', '/image/u'],
    texts: { title: `It's "a" title / of 100 %`, alt: 'A red picture' },
    tags: ['sea'],
    // That of a guest is a tag.
    albums: [
      { title: 'Holidays', description: 'By the sea', cover: 3, images: [0, 3] },
      { title: 'Inside', in: 'Holidays', images: [] },
      { title: 'Private', images: [1] },
    ],
    links: [
      { of: 'Holidays', is: 'open' },
      { of: 'Inside', is: 'locked' },
    ],
    problems: 4,
    withPassword: 1,
    more: 0,
  }
}

/** @param location the path of a new SQLite file, or the URL of an empty database */
export async function makeLsky({ folder, images }: Place, location: string): Promise<OtherHost> {
  const files = join(folder, 'storage', 'app', 'uploads')
  const image = (id: number, name: string, at: Date, given: object = {}) => ({
    id,
    user_id: 1,
    album_id: null,
    strategy_id: 1,
    key: `key${id}`,
    path: '2024/05/06',
    name,
    origin_name: name,
    alias_name: '',
    mimetype: 'image/jpeg',
    extension: 'jpg',
    md5: `md5${id}`,
    is_unhealthy: 0,
    created_at: chinaTime(at),
    ...given,
  })
  for (const [n, { bytes }] of images.entries()) await put(join(files, '2024/05/06', `pic${n}.jpg`), bytes)
  await put(join(files, '2024/05/06', 'broken.jpg'), Buffer.from('no picture'))
  await put(join(folder, 'outside.jpg'), images[0]?.bytes ?? Buffer.alloc(0))
  await fill(
    location,
    [
      `create table users (id integer primary key, name varchar(255) not null, email varchar(255) not null unique,
        password varchar(255) not null, is_adminer smallint not null default 0, status smallint not null default 1,
        created_at timestamp null)`,
      `create table albums (id integer primary key, user_id integer not null, name varchar(64) not null,
        intro varchar(255) not null default '', created_at timestamp null)`,
      'create table strategies (id integer primary key, configs json not null)',
      `create table images (id integer primary key, user_id integer, album_id integer, strategy_id integer,
        ${location.startsWith('mysql') ? '`key`' : '"key"'} varchar(255) not null, path varchar(255) not null,
        name varchar(255) not null, origin_name varchar(255) not null default '', alias_name varchar(255) not null default '',
        mimetype varchar(32) not null, extension varchar(32) not null, md5 varchar(32) not null,
        is_unhealthy smallint not null default 0, created_at timestamp null)`,
    ],
    {
      users: [1, 2].map((n) => ({
        id: n,
        name: `User ${n}`,
        email: `user${n}@example.com`,
        password: '$2y$10$notargon',
        is_adminer: n === 1 ? 1 : 0,
        status: n === 1 ? 1 : 0,
        created_at: chinaTime(new Date('2023-01-02T03:04:05Z')),
      })),
      albums: [{ id: 1, user_id: 1, name: 'Holidays', intro: 'By the sea' }],
      strategies: [{ id: 1, configs: JSON.stringify({ url: 'https://old.example.com/i', root: '' }) }],
      images: [
        ...images.map(({ owner, createdAt, name }, n) =>
          image(n + 1, `pic${n}.jpg`, createdAt, {
            user_id: owner,
            origin_name: n % 2 === 0 ? name : 'replaced.jpg',
            alias_name: n % 2 === 0 ? '' : name,
            album_id: n === 0 || n === 3 ? 1 : null,
          }),
        ),
        image(80_001, 'missing.jpg', new Date()),
        image(80_002, 'broken.jpg', new Date()),
        image(80_003, '../../../../../../outside.jpg', new Date()),
      ],
    },
  )
  return {
    kind: 'lsky',
    location,
    files,
    pathsOf: (n) => [`/i/2024/05/06/pic${n}.jpg`, `/key${n + 1}.jpg`, `/thumbnails/md5${n + 1}.png`],
    emails: ['user1@example.com', 'user2@example.com'],
    tags: [],
    albums: [{ title: 'Holidays', description: 'By the sea', images: [0, 3] }],
    links: [],
    problems: 3,
    withPassword: 0,
    more: 0,
  }
}

/**
 * @param url of an empty PostgreSQL database
 * @param qoi the bytes of a QOI file, for picture 1, which it does not have as uploaded. Default: it has all
 */
export async function makePicsur({ images }: Place, url: string, qoi?: Buffer): Promise<OtherHost> {
  const image = (n: number, owner: 1 | 2 | null, at: Date, given: object = {}) => ({
    id: uuid(n),
    user_id: owner === null ? uuid(999) : uuid(900 + owner),
    created: at.toISOString(),
    file_name: 'image',
    ...given,
  })
  await fill(
    url,
    [
      'create table e_user_backend (id uuid primary key, username varchar not null unique, roles text array not null, hashed_password varchar not null)',
      `create table e_image_backend (id uuid primary key, user_id uuid not null, created timestamptz not null,
        file_name varchar not null default 'image', expires_at timestamptz, delete_key varchar)`,
      `create table e_image_file_backend (_id uuid primary key default gen_random_uuid(), image_id uuid not null,
        variant varchar not null, filetype varchar not null, data bytea not null)`,
    ],
    {
      e_user_backend: [
        { id: uuid(999), username: 'guest', roles: ['guest'], hashed_password: '' },
        { id: uuid(901), username: 'User 1', roles: ['user', 'admin'], hashed_password: '$2b$12$notargon' },
        { id: uuid(902), username: 'User 2', roles: ['user'], hashed_password: '$2b$12$notargon' },
      ],
      e_image_backend: [
        ...images.map(({ owner, createdAt, name }, n) => image(n, owner, createdAt, { file_name: name })),
        image(80_000, 1, new Date(), { file_name: 'missing' }),
        image(80_001, 1, new Date(), { file_name: 'broken' }),
        image(80_002, 1, new Date(), { file_name: 'expired', expires_at: '2024-01-01T00:00:00Z' }),
      ],
      e_image_file_backend: [
        ...images.flatMap(({ bytes }, n) => [
          { image_id: uuid(n), variant: 'master', filetype: 'image:qoi', data: qoi ?? Buffer.from('no picture') },
          ...(n === 1 && qoi ? [] : [{ image_id: uuid(n), variant: 'original', filetype: 'image:jpeg', data: bytes }]),
        ]),
        { image_id: uuid(80_001), variant: 'master', filetype: 'image:qoi', data: Buffer.from('no picture') },
      ],
    },
  )
  return {
    kind: 'picsur',
    location: url,
    files: undefined,
    pathsOf: (n) => [`/i/${uuid(n)}`, `/i/${uuid(n)}.jpg`, `/i/${uuid(n)}.png?width=20`, `/view/${uuid(n)}`],
    emails: ['user-1@imported.invalid', 'user-2@imported.invalid'],
    tags: [],
    albums: [],
    links: [],
    problems: 3,
    withPassword: 0,
    more: 0,
  }
}

/** @param version before or since sizes of photos are counted from a raw file, albums and tags have tables of links */
export async function makeLychee({ folder, images }: Place, version: 5 | 7): Promise<OtherHost> {
  const location = join(folder, `lychee${version}.sqlite`)
  const files = join(folder, 'uploads')
  const first = version === 5 ? 0 : 1
  const id = (n: number) => `photo${String(n).padStart(19, '0')}`
  const photo = (n: number, owner: number, at: Date, given: object = {}) => ({
    id: id(n),
    created_at: `${sqlTime(at)}.000000`,
    owner_id: owner,
    title: 'untitled',
    description: n === 0 ? 'A red picture' : null,
    type: 'image/jpeg',
    ...(version === 5
      ? { album_id: n === 0 || n === 3 ? 'album' : null, tags: n === 0 ? 'sea,' : null }
      : { is_validated: 1 }),
    ...given,
  })
  for (const [n, { bytes }] of images.entries()) await put(join(files, 'original/ab', `pic${n}.jpg`), bytes)
  await put(join(files, 'original/ab/pic80001.jpg'), Buffer.from('no picture'))
  const size = (n: number, type: number, kind: string) => ({
    photo_id: id(n),
    type: type + first,
    short_path: `${kind}/ab/pic${n}.jpg`,
  })
  await fill(
    location,
    [
      'create table migrations (id integer primary key, migration varchar(255) not null)',
      `create table users (id integer primary key, username varchar(100) not null, display_name varchar(200),
        email varchar(100), password varchar(100), may_administrate boolean not null default 0, created_at datetime not null)`,
      `create table base_albums (id char(24) primary key, created_at datetime, title varchar(100) not null, description text,
        owner_id integer, sorting_col varchar(30), sorting_order varchar(4)
        ${version === 5 ? ', is_public boolean, grants_full_photo boolean, is_downloadable boolean, password varchar(100)' : ''})`,
      'create table albums (id char(24) primary key, parent_id char(24), cover_id char(24))',
      ...(version === 5
        ? []
        : [
            `create table access_permissions (id integer primary key, user_id integer, base_album_id char(24),
              password varchar(100), grants_full_photo_access boolean, grants_download boolean)`,
          ]),
      `create table photos (id char(24) primary key, created_at datetime not null, owner_id integer not null,
        title varchar(100) not null, description text, type varchar(30) not null
        ${version === 5 ? ', album_id char(24), tags text' : ', is_validated boolean not null default 1'})`,
      `create table size_variants (id integer primary key, photo_id char(24) not null, type integer not null,
        short_path varchar(255) not null)`,
      ...(version === 5
        ? []
        : [
            'create table photo_album (album_id char(24) not null, photo_id char(24) not null)',
            'create table tags (id integer primary key, name varchar(100) not null)',
            'create table photos_tags (id integer primary key, tag_id integer not null, photo_id char(24) not null)',
          ]),
    ],
    {
      migrations: version === 5 ? [] : [{ migration: '2026_02_28_000001_shift_size_variant_type_for_raw' }],
      users: [1, 2].map((n) => ({
        id: n,
        username: `user${n}`,
        display_name: null,
        email: n === 1 ? 'user1@example.com' : null,
        password: '$2y$12$notargon',
        may_administrate: n === 1 ? 1 : 0,
        created_at: '2023-01-02 03:04:05.678901',
      })),
      base_albums: [
        {
          id: 'album',
          title: 'Holidays',
          description: 'By the sea',
          owner_id: 1,
          sorting_col: 'created_at',
          sorting_order: 'DESC',
          ...(version === 5 && { is_public: 1, password: '$2y$12$secret' }),
        },
        { id: 'inside', title: 'Inside', owner_id: 1, ...(version === 5 && { is_public: 1 }) },
        { id: 'closed', title: 'Closed', owner_id: 1, ...(version === 5 && { is_public: 0 }) },
        { id: 'by tag', title: 'By tag', owner_id: 1 },
      ],
      albums: [{ id: 'inside', parent_id: 'album' }, { id: 'album', cover_id: id(0) }, { id: 'closed' }],
      ...(version === 7 && {
        access_permissions: [
          { base_album_id: 'album', password: '$2y$12$secret' },
          { base_album_id: 'inside' },
          { base_album_id: 'closed', user_id: 2 },
        ],
      }),
      photos: [
        ...images.map(({ owner, createdAt, name }, n) => photo(n, owner ?? 1, createdAt, { title: name })),
        photo(80_000, 1, new Date(), { title: 'missing' }),
        photo(80_001, 1, new Date(), { title: 'broken' }),
        photo(80_002, 1, new Date(), { title: 'video', type: 'video/mp4' }),
      ],
      size_variants: [
        ...images.flatMap((_, n) => [size(n, 0, 'original'), size(n, 2, 'medium'), size(n, 6, 'thumb')]),
        size(80_000, 0, 'original'),
        size(80_001, 0, 'original'),
        size(80_002, 0, 'original'),
      ],
      ...(version === 5
        ? {}
        : {
            photo_album: [0, 3].map((n) => ({ album_id: 'album', photo_id: id(n) })),
            tags: [{ id: 1, name: 'sea' }],
            photos_tags: [{ tag_id: 1, photo_id: id(0) }],
          }),
    },
  )
  return {
    kind: 'lychee',
    location,
    files,
    pathsOf: (n) => ['original', 'medium', 'thumb'].map((kind) => `/uploads/${kind}/ab/pic${n}.jpg`),
    emails: ['user1@example.com', 'user2@imported.invalid'],
    texts: { title: images[0]?.name ?? '', alt: 'A red picture' },
    tags: ['sea'],
    albums: [
      { title: 'Closed', images: [] },
      { title: 'Holidays', description: 'By the sea', cover: 0, images: [3, 0] },
      { title: 'Inside', in: 'Holidays', images: [] },
    ],
    links: [
      { of: 'Holidays', is: 'locked' },
      { of: 'Inside', is: 'open' },
    ],
    problems: 3,
    withPassword: 2,
    more: 0,
  }
}
