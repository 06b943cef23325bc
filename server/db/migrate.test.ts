// A migration is atomic. Fault protocol F15 tests the same with a killed process, on both
// databases.
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DatabaseTooNew, migrate, migrationNames } from './migrate.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite.ts'

let folder: string
let db: Kysely<Schema>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-migrate-'))
  ;({ db } = await openSqlite(join(folder, 'image-host.sqlite')))
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true })
})

const form = async () => JSON.stringify(await db.introspection.getTables())

it('a failed migration leaves the tables unchanged, and the next attempt succeeds', async () => {
  await migrate(db, '0001-accounts-and-images')
  const before = await form()
  // Makes 0004 fail after two successful steps.
  await sql`create table expiry_digests (x integer)`.execute(db)
  await expect(migrate(db)).rejects.toThrow('The database migration failed')
  await sql`drop table expiry_digests`.execute(db)
  expect(await form()).toBe(before)
  await migrate(db)
  expect(await form()).not.toBe(before)
})

it('migration 0007 corrects image counts that migration 0005 started at zero', async () => {
  await migrate(db, '0001-accounts-and-images')
  await sql`insert into users (id, email, name, role, status, password_hash, created_at)
    values ('ada', 'ada@example.com', 'Ada', 'user', 'Active', '', 1)`.execute(db)
  await sql`insert into images (id, file_name, original_name, owner_id, format, width, height, frames, has_alpha, bytes,
      sha256, placeholder, created_at, expires_at)
    values ('one', 'one.jpg', 'one.jpg', 'ada', 'jpeg', 1, 1, 1, 0, 1000, '', '', 1, 2)`.execute(db)
  await migrate(db, '0006-undo')
  const counts = () => db.selectFrom('users').select(['image_count', 'image_bytes']).execute()
  expect(await counts()).toEqual([{ image_count: 0, image_bytes: 0 }])
  await migrate(db)
  expect(await counts()).toEqual([{ image_count: 1, image_bytes: 1000 }])
})

it('migration 0012 counts the bytes of the documents of each collection', async () => {
  await migrate(db, '0007-recount')
  await sql`insert into collections (id, name, documents, next_position, created_at)
    values ('full', 'full', 2, 2, 1), ('empty', 'empty', 0, 0, 1)`.execute(db)
  await sql`insert into documents (collection_id, id, position, body, bytes, version, created_at, updated_at)
    values ('full', 'a', 0, '{}', 2, 0, 1, 1), ('full', 'b', 1, '{"n":1}', 7, 0, 1, 1)`.execute(db)
  await migrate(db)
  const rows = await db.selectFrom('collections').select(['id', 'bytes']).orderBy('id').execute()
  expect(rows).toEqual([
    { id: 'empty', bytes: 0 },
    { id: 'full', bytes: 9 },
  ])
})

it('migration 0024 reads from the audit log who registered themselves', async () => {
  await migrate(db, '0023-search')
  for (const [id, role, actor] of [
    ['ada', 'user', 'ada'],
    ['bob', 'user', 'admin'],
    ['eve', 'admin', 'eve'],
    ['old', 'user', null],
  ] as const) {
    await sql`insert into users (id, email, name, role, status, password_hash, created_at)
      values (${id}, ${id}, ${id}, ${role}, 'Active', '', 1)`.execute(db)
    if (actor !== null)
      await sql`insert into audit_log (id, created_at, action, actor, target, details)
        values (${id}, 1, 'user_created', ${actor}, ${id}, '{}')`.execute(db)
  }
  await migrate(db)
  const rows = db.selectFrom('users').select('id').where('self_registered', '=', 1).orderBy('id')
  expect(await rows.execute()).toEqual([{ id: 'ada' }, { id: 'old' }])
})

it('a migration runs in a database that has run later ones', async () => {
  await migrate(db)
  const before = await form()
  await sql`drop table image_views`.execute(db)
  await sql`drop table view_totals`.execute(db)
  await sql`drop table cache_purges`.execute(db)
  await sql`alter table images drop column views_left`.execute(db)
  await sql`delete from kysely_migration where name = '0018-views'`.execute(db)
  await migrate(db)
  expect(JSON.parse(await form())).toHaveLength(JSON.parse(before).length)
  expect(await db.selectFrom('images').select('views_left').execute()).toEqual([])
})

// Databases that ran a released migration never run it again: a fix needs a new migration.
const releasedMigrations = [
  ['0001-accounts-and-images', '7d5f4615ce279d6359ce7e14aca1a3aa88069c2efdc291998630bf8afb3beb20'],
  ['0002-documents', 'bc2fffb8a1215f149836cbdd17f4ac474220fa5fb4c8dd4062d439a2f57adf6e'],
  ['0003-backups', '6d5ea4af07ccaaa894f87abf9c233dada43c844adaf5f2d854e6b1f0afee62b3'],
  ['0004-mail', 'd8e5056bdefca9a1c0663d4718a027f3db0b60c5d456f5907903b35e35a25f2d'],
  ['0005-keys-and-limits', '050d265ee632565494000b97a2b2dfb051d173105dc8cbb43d7f7a38718c7179'],
  ['0006-undo', 'b617c6f789f494a2e72118d5ea04c53f941007e4ad81efb7144941b34de52193'],
  ['0007-recount', 'c0fff4ee19f89091e27aff7eba0b207258236bbc6f98b361e7e757d5bf2f79ec'],
  ['0008-quotas', 'ac761fee5b5f7dabcc7386bd5ad19bca7b4f3a6a70e633bb09864e2f93677d55'],
  ['0009-api-key-scopes', '9575da2c18c22742a285a4c4955bc809102800e2b808150fc6925096dd6b6a2c'],
  ['0010-moderation', 'c5444dd04822ba94fbc9451f97f9cf6154adfc5b8e780435c4f82ecbd88461ee'],
  ['0011-audit', 'dad07311ddece18d9af718d8857025be5d28336430aa2d95a15199bc2c060a7c'],
  ['0012-http-hardening', '81c13c4fdfcc278234fc5d0d1d525d550b6224a955c806c4b9e42158b2455145'],
  ['0013-reports', '704994663a768c17674dd653a22a1fcb47fe8824039207ec0ac31acef3af9d8e'],
  ['0014-block-lists', '00b74ca596b67818a13f6ea6019cf2973f3f648f43ed5b5ffcc816e05e3dc711'],
  ['0015-temporary-passwords', '5dd07f1381f0a1b3773d2412be4e71b4e6f95269f16fe5ca0a10deb63b37601f'],
] as const

const migrationsUrl = new URL('migrations/', import.meta.url)
const migrationFiles = async () =>
  (await readdir(migrationsUrl, { recursive: true })).filter(
    (file) => /^[^.].*\.ts$/.test(file) && !file.includes('.test.'),
  )

it.each(releasedMigrations)('the released migration %s is unchanged', async (name, sha256) => {
  const text = await readFile(
    new URL((await migrationFiles()).find((file) => file.endsWith(`/${name}.ts`)) ?? '', migrationsUrl),
  )
  expect(createHash('sha256').update(text).digest('hex')).toBe(sha256)
})

it('every file of migrations/ runs', async () => {
  expect((await migrationFiles()).map((file) => basename(file, '.ts')).sort()).toEqual(migrationNames)
})

it('a release has the hash of every migration', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const known = releasedMigrations.map(([name]) => name)
  const missing = migrationNames.filter((name) => !known.includes(name as (typeof known)[number]))
  expect(version.endsWith('-dev') ? [] : missing).toEqual([])
})

it('a database of a newer version is refused and not changed', async () => {
  await migrate(db, migrationNames[1])
  await sql`insert into kysely_migration (name, timestamp) values ('9999-to-come', '')`.execute(db)
  const before = await form()
  await expect(migrate(db)).rejects.toThrow(DatabaseTooNew)
  await expect(migrate(db)).rejects.toThrow('written by a newer version of Image Host (it has 9999-to-come)')
  expect(await form()).toBe(before)
})
