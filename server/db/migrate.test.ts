// An upgrade is done or it is not. The protocol F15 asks the same of a process that is killed, on both databases.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DatabaseTooNew, migrate, migrationNames } from './migrate.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite.ts'

let folder: string
let db: Kysely<Schema>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-migrate-'))
  db = await openSqlite(join(folder, 'image-host.sqlite'))
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true })
})

const form = async () => JSON.stringify(await db.introspection.getTables())

it('leaves the tables as they were when a step fails, and goes on from there', async () => {
  await migrate(db, '0001-accounts-and-images')
  const before = await form()
  // In the way of 0004, after two steps that went well.
  await sql`create table expiry_digests (x integer)`.execute(db)
  await expect(migrate(db)).rejects.toThrow('could not be brought to this version')
  await sql`drop table expiry_digests`.execute(db)
  expect(await form()).toBe(before)
  await migrate(db)
  expect(await form()).not.toBe(before)
})

it('refuses a database of a newer version with a sentence, and changes nothing', async () => {
  await migrate(db, migrationNames[1])
  await sql`insert into kysely_migration (name, timestamp) values ('9999-to-come', '')`.execute(db)
  const before = await form()
  await expect(migrate(db)).rejects.toThrow(DatabaseTooNew)
  await expect(migrate(db)).rejects.toThrow('written by a newer version of Image Host (it has 9999-to-come)')
  expect(await form()).toBe(before)
})
