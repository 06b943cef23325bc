// The index of the search is filled for older images, and again when SQLite has renumbered its
// rows.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { matchesPattern, prepareImageSearch } from './search-index.ts'
import { migrate } from './migrate.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite.ts'

let folder: string
let db: Kysely<Schema>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-search-'))
  ;({ db } = await openSqlite(join(folder, 'image-host.sqlite')))
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true })
})

const insert = (...ids: string[]) => sql`
  insert into images (id, file_name, original_name, format, width, height, frames, has_alpha, bytes, sha256, placeholder,
    created_at, expires_at)
  values ${sql.join(ids.map((id) => sql`(${id}, ${id}, ${`Ärger ${id}`}, 'jpeg', 1, 1, 1, 0, 1, '', '', 1, 2)`))}`

async function find(trigram: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from images where rowid in (select rowid from image_search where image_search match ${`"${trigram}"`})`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

it('images from before the index are found', async () => {
  await migrate(db, '0021-sessions')
  await insert('one', 'two').execute(db)
  await migrate(db)
  expect(await prepareImageSearch(db)).toBeNull()
  expect(await find('ärg')).toEqual(['one', 'two'])
  expect(await find('two')).toEqual(['two'])
})

it('images are found after SQLite has closed the gaps between the numbers of rows', async () => {
  await migrate(db)
  await insert('one', 'two', 'three').execute(db)
  await db.deleteFrom('images').where('id', '=', 'two').execute()
  await sql`update images set rowid = 2 where id = 'three'`.execute(db)
  expect(await find('thr')).toEqual([])
  await prepareImageSearch(db)
  expect(await find('thr')).toEqual(['three'])
  expect(await find('one')).toEqual(['one'])
})

it('VACUUM leaves the numbers of rows', async () => {
  await migrate(db)
  await insert('one', 'two', 'three').execute(db)
  await db.deleteFrom('images').where('id', '=', 'two').execute()
  await sql`vacuum`.execute(db)
  expect(await find('thr')).toEqual(['three'])
})

it('a pattern of ASCII characters matches the texts whose lower case has it', async () => {
  const letters = Array.from({ length: 0x11_0000 - 0x80 }, (_, n) => String.fromCodePoint(n + 0x80))
  const ofAscii = letters.filter((letter) => /[\0-\x7f]/.test(letter.toLowerCase()))
  expect(ofAscii).toEqual(['\u0130', '\u212a'])
  await migrate(db)
  await insert('one').execute(db)
  await sql`update images set title = ${`${ofAscii.join('')}_x%`}`.execute(db)
  for (const pattern of ['%i%', '%K%', '%ik%', '%i_k%', '%\\_X\\%%', '%\\_y%']) {
    const found = db
      .selectFrom('images')
      .select(matchesPattern(pattern, { isSqlite: true }).as('folded'))
      .select(matchesPattern(pattern, { isSqlite: false }).as('lower'))
    const { folded, lower } = await found.executeTakeFirstOrThrow()
    expect([pattern, folded]).toEqual([pattern, lower])
  }
})
