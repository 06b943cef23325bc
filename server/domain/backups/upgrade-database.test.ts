import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DataDirInUse, lockDataDir } from '../../db/data-dir-lock.ts'
import { DatabaseTooNew, migrate, MigrationFailed, migrationNames, migrationState } from '../../db/migrate.ts'
import type { Schema } from '../../db/schema.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { productVersion } from '../../installation.ts'
import { forPgDump, assertUpgradeSpace, upgradeDatabase, UpgradeRefused } from './upgrade-database.ts'

const oldest = migrationNames[0] ?? ''
const now = Date.UTC(2026, 10, 23, 3, 25, 40)

let folder: string
let db: Kysely<Schema>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-upgrade-'))
  db = (await openSqlite(join(folder, 'image-host.sqlite'))).db
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true })
})

const config = (given: { UPGRADE_BACKUP?: boolean } = {}) => ({
  DATA_DIR: folder,
  DATABASE_URL: undefined,
  UPGRADE_BACKUP: true,
  ...given,
})
const upgrade = (given?: { UPGRADE_BACKUP?: boolean }, ownsDataDir = true) =>
  upgradeDatabase(db, config(given), { now, ownsDataDir })
const copies = () => readdir(join(folder, 'backups/database')).catch(() => [])

it('copies an older database with its rows, then migrates it', async () => {
  await migrate(db, oldest)
  await db.insertInto('settings').values({ name: 'a setting', value: 'its value' }).execute()
  const copy = join(folder, `backups/database/${oldest}-2026-11-23T03-25-40.sqlite`)
  expect(await upgrade()).toEqual({ migrations: migrationNames.slice(1), copy })
  expect(await migrationState(db)).toEqual({ done: migrationNames, pending: [] })

  const { db: before } = await openSqlite(copy)
  expect(await migrationState(before)).toMatchObject({ done: [oldest] })
  expect(await before.selectFrom('settings').selectAll().execute()).toEqual([{ name: 'a setting', value: 'its value' }])
  await before.destroy()
  expect(await upgrade()).toBeNull()
})

it('copies no new database', async () => {
  expect(await upgrade()).toEqual({ migrations: migrationNames, copy: null })
  expect(await copies()).toEqual([])
})

it('copies nothing with UPGRADE_BACKUP=off', async () => {
  await migrate(db, oldest)
  expect(await upgrade({ UPGRADE_BACKUP: false })).toEqual({ migrations: migrationNames.slice(1), copy: null })
  expect(await copies()).toEqual([])
})

it('retains the last three copies', async () => {
  await migrate(db, oldest)
  await mkdir(join(folder, 'backups/database'), { recursive: true })
  for (const year of [2021, 2022, 2023]) await writeFile(join(folder, `backups/database/${oldest}-${year}.sqlite`), '')
  await upgrade()
  expect(await copies()).toEqual([
    `${oldest}-2022.sqlite`,
    `${oldest}-2023.sqlite`,
    `${oldest}-2026-11-23T03-25-40.sqlite`,
  ])
})

it('replaces the incomplete copy of a process that was killed', async () => {
  await migrate(db, oldest)
  const copy = join(folder, `backups/database/${oldest}-2026-11-23T03-25-40.sqlite`)
  await mkdir(join(folder, 'backups/database'), { recursive: true })
  await writeFile(`${copy}.part`, 'incomplete')
  await writeFile(join(folder, `backups/database/${oldest}-2026-11-22.sqlite.part`), 'incomplete')
  expect(await upgrade()).toMatchObject({ copy })
  expect(await copies()).toHaveLength(1)
})

it('an upgrade that fails leaves no copy of its own, and only three of those that were killed', async () => {
  await migrate(db, oldest)
  await mkdir(join(folder, 'backups/database'), { recursive: true })
  for (const year of [2020, 2021, 2022, 2023, 2024])
    await writeFile(join(folder, `backups/database/${oldest}-${year}.sqlite`), '')
  // The name of a table that the upgrade creates.
  await sql`create table webhooks (id text)`.execute(db)
  await expect(upgrade()).rejects.toThrow(MigrationFailed)
  expect(await migrationState(db)).toMatchObject({ done: [oldest] })
  expect(await copies()).toEqual([2022, 2023, 2024].map((year) => `${oldest}-${year}.sqlite`))
})

it('a command does not migrate the database of a running server', async () => {
  await migrate(db, oldest)
  const unlock = await lockDataDir(folder)
  await expect(upgrade({}, false)).rejects.toThrow(DataDirInUse)
  await expect(upgrade({}, false)).rejects.toThrow(/in use by process \d+\. .*: its database is of an older version$/)
  expect(await migrationState(db)).toMatchObject({ done: [oldest] })
  unlock()
  expect(await upgrade({}, false)).toMatchObject({ migrations: migrationNames.slice(1) })
})

it('refuses without space for the copy and the migration, and says how much is free', async () => {
  await expect(assertUpgradeSpace(config(), 1e18)).rejects.toThrow(UpgradeRefused)
  await expect(assertUpgradeSpace(config(), 1e18)).rejects.toThrow(
    /^DATA_DIR: the upgrade needs 2000000000000 MB for .* \d+ MB are free/,
  )
  await assertUpgradeSpace(config(), 1e6)
})

it('the refusal of a downgrade names the version that migrated the database', async () => {
  await upgrade()
  await sql`insert into kysely_migration (name, timestamp) values ('9999-to-come', '')`.execute(db)
  await db.updateTable('settings').set({ value: '9.8.7' }).where('name', '=', 'product_version').execute()
  await expect(upgrade()).rejects.toThrow(DatabaseTooNew)
  await expect(upgrade()).rejects.toThrow(`(9.8.7, it has 9999-to-come), and this is ${productVersion()}.`)
})

it.each([
  ['postgres://a:b%40c@host/d', 'postgres://a@host/d', 'b@c'],
  ['postgres://a@host/d?password=x%20y&options=-c%20z&sslpassword=w', 'postgres://a@host/d?options=-c%20z', 'x y'],
  ['postgres://a:b@host/d?password=c', 'postgres://a@host/d', 'c'],
  ['postgres://a@host/d', 'postgres://a@host/d', ''],
  // Options of the driver of Node.js, of a pooler and of another library.
  ['postgres://a@host/d?statement_timeout=5&uselibpqcompat=true&pgbouncer=true&schema=x', 'postgres://a@host/d', ''],
  ['postgres://a@host/d?sslmode=no-verify&sslcert=/c.pem', 'postgres://a@host/d?sslmode=require&sslcert=/c.pem', ''],
  ['postgres://a@host/d?ssl=true&host=/run', 'postgres://a@host/d?sslmode=require&host=/run', ''],
])('of %s, pg_dump gets %s as an argument, and the password %j', (databaseUrl, url, password) => {
  expect(forPgDump(databaseUrl)).toEqual({ url, password })
})
