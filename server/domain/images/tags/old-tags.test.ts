// Databases of older versions, with what importers stored before there were tags in one normal form.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { newDatabase } from '../../../testing/postgres.ts'
import { prepareImageSearch } from '../../../db/search-index.ts'
import { migrate } from '../../../db/migrate.ts'
import { openPostgres } from '../../../db/postgres.ts'
import type { Schema } from '../../../db/schema.ts'
import { openSqlite } from '../../../db/sqlite.ts'

const postgresUrl = inject('postgresUrl')
/** Statements take PostgreSQL longer. */
const tagCount = postgresUrl === undefined ? 4000 : 400
let db: Kysely<Schema>
let remove: () => Promise<unknown>
beforeEach(async () => {
  if (postgresUrl === undefined) {
    const folder = await mkdtemp(join(tmpdir(), 'image-host-old-'))
    ;({ db } = await openSqlite(join(folder, 'image-host.sqlite')))
    remove = () => rm(folder, { recursive: true })
  } else {
    const database = await newDatabase(postgresUrl)
    db = await openPostgres(database.url, () => {})
    remove = () => database.drop()
  }
})
afterEach(async () => {
  await db.destroy()
  await remove()
})

const numbers = (count: number) => sql`(
  with recursive n(n) as (select 1 union all select n + 1 from n where n < ${sql.lit(count)}) select n from n) as n`

async function fill(images: number): Promise<void> {
  await sql`insert into users (id, email, name, role, status, password_hash, created_at)
    values ('ada', 'ada@example.com', 'Ada', 'user', 'Active', '', 1)`.execute(db)
  await sql`insert into images (id, file_name, original_name, owner_id, format, width, height, frames, has_alpha, bytes,
      sha256, placeholder, created_at, expires_at)
    select 'image-' || n, 'image-' || n || '.jpg', 'Photo.jpg', 'ada', 'jpeg', 1, 1, 1, 0, 1000, '', '', n, 4000000000000
    from ${numbers(images)}`.execute(db)
}

it('a database of 0.2 has public images without tags', async () => {
  await migrate(db, '0007-recount')
  await fill(2)
  await migrate(db)
  expect(await prepareImageSearch(db)).toBeNull()
  const rows = await db.selectFrom('images').select(['id', 'visibility', 'tags', 'view_key_version']).execute()
  expect(rows).toEqual(
    ['image-1', 'image-2'].map((id) => ({ id, visibility: 'public', tags: '', view_key_version: 0 })),
  )
  const ordered = await db.selectFrom('images_by_views').select('image_id').orderBy('image_id').execute()
  expect(ordered.map(({ image_id }) => image_id)).toEqual(['image-1', 'image-2'])
})

it('thousands of imported tags are in their normal form within seconds', async () => {
  await migrate(db, '0029-view-sums')
  await fill(20_000)
  await sql`insert into image_tags (image_id, tag) select 'image-' || n, 'Tag ' || (n % ${sql.lit(tagCount)}) from ${numbers(20_000)}`.execute(
    db,
  )
  await sql`insert into image_tags (image_id, tag)
    values ('image-1', 'TAG 1'), ('image-1', ' tag  1 '), ('image-1', '//'), ('image-1', 'Ä/b')`.execute(db)
  const before = process.cpuUsage()
  await migrate(db)
  const { user, system } = process.cpuUsage(before)
  // Of this process, which SQLite works in: other tests share the machine. Without an index it took a minute.
  expect((user + system) / 1e6).toBeLessThan(10)
  const { tags } = await db.selectFrom('images').select('tags').where('id', '=', 'image-1').executeTakeFirstOrThrow()
  expect(tags.split('\n')).toEqual(['tag 1', 'ä/b'])
  const rows = await db.selectFrom('image_tags').select('tag').where('owner_id', '=', 'ada').execute()
  expect([rows.length, rows.filter(({ tag }) => tag !== tag.toLowerCase())]).toEqual([20_001, []])
})
