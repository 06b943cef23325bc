// A search in a long list, by the index or in batches, gives the same result as a single query.
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { imageSorts } from '../../../../contract/plain/image-sorts.ts'
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import { prepareImageSearch } from '../../../db/search-index.ts'
import { migrate } from '../../../db/migrate.ts'
import { openPostgres } from '../../../db/postgres.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { newDatabase } from '../../../testing/postgres.ts'
import type { UserCaller } from '../../shared/caller.ts'
import type { ImageListQuery } from './image-list-filters.ts'
import { outlineImages } from './gallery-outline.ts'
import { listImages } from './list-images.ts'

const postgresUrl = inject('postgresUrl')
const isPostgres = postgresUrl !== undefined
/**
 * Two thirds belong to one owner, more than are counted; a third to another. Together they are more
 * than SQLite reads of its index.
 */
const rowCount = 18_000

let app: TestApp
/** The same account, taken for one of a few images and for one of very many. */
type Callers = Record<'short' | 'long', UserCaller>
let most: Callers
let fewer: Callers
beforeAll(async () => {
  app = await startTestApp()
  const [one, two] = [await app.newUser(), await app.newUser()]
  await fill(one.id, two.id)
  most = await callersOf(one.id)
  fewer = await callersOf(two.id)
})
afterAll(() => app.stop())

async function callersOf(id: string): Promise<Callers> {
  const account = await app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const callerWith = (image_count: number): UserCaller => ({
    kind: 'user',
    account: { ...account, image_count },
    by: { sessionId: 'none', confirmedAt: 0 },
  })
  return { short: callerWith(1), long: callerWith(1_000_000) }
}

/** Ties in every order, names in both cases, some titles and texts, every tenth a PNG, every seventh expired. */
async function fill(one: string, two: string): Promise<void> {
  const now = sql.lit(app.deps.now())
  const numbers = isPostgres
    ? sql`generate_series(1, ${sql.lit(rowCount)}) as n(n)`
    : sql`(with recursive n(n) as (select 1 union all select n + 1 from n where n < ${sql.lit(rowCount)}) select n from n) as n`
  const id = isPostgres ? sql`lpad(n.n::text, 22, '0')` : sql`printf('%022d', n.n)`
  await sql`
    insert into images (id, file_name, original_name, owner_id, guest_token_hash, format, width, height, frames, has_alpha,
      bytes, sha256, placeholder, created_at, expires_at, title, alt, views)
    select ${id}, ${id} || '.jpg', case n.n % 2 when 0 then 'Ä-' else 'ä-' end || (n.n % 100) || '.jpg',
      case n.n % 3 when 0 then ${sql.lit(two)} else ${sql.lit(one)} end, null,
      case n.n % 10 when 0 then 'png' else 'jpeg' end, 100 + n.n % 50, 100, 1, 0, n.n % 300, ${id}, '#808080',
      ${now} - n.n / 3, ${now} + (n.n % 7) * cast(${sql.lit(dayMs)} as bigint),
      case n.n % 500 when 1 then 'Straße nach Łódź, İzmir, 300 \u212a' else '' end, case n.n % 400 when 2 then 'ΠΛΟΙΑ "at" 50% \\_o' else '' end, n.n % 40
    from ${numbers}`.execute(app.deps.db)
}

const request = { address: '127.0.0.1', baseUrl: '', siteUrl: '' }

async function expectSame(
  { short, long }: Callers,
  query: Partial<ImageListQuery>,
  orders: readonly (typeof imageSorts)[number][] = ['newest'],
): Promise<void> {
  for (const sort of orders) {
    let cursor: string | undefined
    for (let page = 0; page < 2; page++) {
      const paged = { ...request, query: { ...query, sort, limit: 20, cursor } }
      const expected = await listImages(app.deps, { ...paged, caller: short })
      expect(await listImages(app.deps, { ...paged, caller: long })).toEqual(expected)
      if (expected.nextCursor === null) break
      cursor = expected.nextCursor
    }
  }
}

const queries: Partial<ImageListQuery>[] = [
  { q: 'Ä-7' },
  { q: '7.JPG' },
  { q: '100%' },
  { q: '50% \\_' },
  { q: '"at"' },
  { q: '" OR "jpg' },
  { q: 'jpg* NOT NEAR(ä' },
  { q: '.jpg'.repeat(25) },
  { q: 'πλοι' },
  { q: 'STRASSE' },
  { q: 'straße' },
  { q: 'ŁÓD' },
  { q: 'ä' },
  { q: 'a\tb\n' },
  { q: 'jpg\0' },
  { q: '-"\0" "Ä-7"' },
  { q: '.jpg' },
  { type: 'png' },
  { type: 'jpeg' },
  { type: 'png', q: 'ä' },
  { type: 'png', q: 'jpg' },
  { type: 'png', expires: 'soon' },
]

it.each(queries)('%j in the list of the owner of most images', (query) => expectSame(most, query))

it.each([{ q: 'Ä-7' }, { type: 'png', q: 'ä' }] as const)('%j in every order', (query) =>
  expectSame(most, query, imageSorts),
)

it.each([{ q: 'Ä-7' }, { q: 'jpg' }, { type: 'png' }] as const)('the outline of %j', async (query) => {
  const outline = (caller: UserCaller) => outlineImages(app.deps, { ...request, caller, query })
  expect(await outline(most.long)).toEqual(await outline(most.short))
})

it.each([{ q: '.jpg' }, { q: '.jpg', type: 'png' }, { q: 'łódź' }] as const)(
  '%j where others have most of the matches',
  (query) => expectSame(fewer, query),
)

// On SQLite the first indexes find too many, and in the last case all of them.
it.each([
  'size:<1gb before:1d "jpg" "Ä-7"',
  'before:1d size:<1gb views:<1 type:jpeg -"Ä-7"',
  Array.from({ length: 20 }, (_, n) => `size:<${n + 1}gb`).join(' '),
])('%s in long lists, as in short ones', async (q) => {
  await expectSame(most, { q })
  await expectSame(fewer, { q })
})

it.runIf(!isPostgres)('other requests run between the indexes and batches of a query of many terms', async () => {
  const sizes = Array.from({ length: 19 }, (_, n) => `size:<${n + 1}gb`)
  let turns = 0
  let isDone = false
  const counting = (async () => {
    for (; !isDone; turns++) await setImmediate()
  })()
  // Each index finds too many, and no image is one of the list.
  expect(await totalOf({ q: `${sizes.join(' ')} -type:png,jpeg` })).toBe(0)
  isDone = true
  await counting
  const batches = (rowCount * 2) / 3 / (2000 / 20)
  expect(turns).toBeGreaterThan(sizes.length + batches - 5)
})

const totalOf = async (query: Partial<ImageListQuery>, caller = most.long) =>
  (await listImages(app.deps, { ...request, caller, query })).total

it.each(['STRAßE', 'straße', 'ŁÓDŹ', 'łódź', 'ŁO\u0301DZ\u0301', 'İzmir', ', 300 k', 'ZMIR, 3'])(
  '%s is found in any case and normal form',
  async (q) => {
    expect(await totalOf({ q })).toBe(20)
    expect(await totalOf({ q }, most.short)).toBe(20)
  },
)

it('a search counts up to a limit', async () => {
  expect(await totalOf({ q: '.jpg' })).toBe(limits.list.maxCounted + 1)
  expect(await totalOf({ type: 'jpeg' })).toBe(limits.list.maxCounted + 1)
  expect(await totalOf({ q: 'straße' })).toBe(20)
})

it('a changed name, title or alternative text is found at once, the old one no more', async () => {
  const { db } = app.deps
  const find = async (q: string) =>
    (await listImages(app.deps, { ...request, caller: most.long, query: { q } })).items.map(({ id }) => id)
  const id = '5'.padStart(22, '0')
  for (const column of ['original_name', 'title', 'alt'] as const) {
    await db
      .updateTable('images')
      .set({ [column]: 'Zwölf Äpfel' })
      .where('id', '=', id)
      .execute()
    expect(await find('zwölf ä')).toEqual([id])
    await db
      .updateTable('images')
      .set({ [column]: 'other' })
      .where('id', '=', id)
      .execute()
    expect(await find('zwölf ä')).toEqual([])
  }
  expect(await find('other')).toEqual([id])
  await db.deleteFrom('images').where('id', '=', id).execute()
  expect(await find('other')).toEqual([])
})

// PostgreSQL may have read all of the page before the deletion.
it.skipIf(isPostgres)('an image deleted during the scan is not listed and does not end the list', async () => {
  const query = { q: 'ä', limit: 20 }
  const before = await listImages(app.deps, { ...request, query, caller: most.long })
  const [deleted] = before.items
  const page = listImages(app.deps, { ...request, query, caller: most.long })
  // The first of several batches is read by now.
  await app.deps.db
    .deleteFrom('images')
    .where('id', '=', deleted?.id ?? '')
    .execute()
  const { items, nextCursor } = await page
  expect(items.map(({ id }) => id)).not.toContain(deleted?.id)
  expect(nextCursor).not.toBeNull()
})

it.skipIf(!isPostgres)('a PostgreSQL without the extension is reported', async () => {
  const database = await newDatabase(postgresUrl ?? '')
  const postgres = await openPostgres(database.url, () => {})
  try {
    await migrate(postgres)
    await sql`create schema not_searched`.execute(postgres)
    // In a schema that is not searched: the operators of the extension are missing.
    await sql`create extension pg_trgm schema not_searched`.execute(postgres)
    expect(await prepareImageSearch(postgres)).toMatchObject({ message: expect.stringContaining('gin_trgm_ops') })
    await sql`drop extension pg_trgm`.execute(postgres)
    expect(await prepareImageSearch(postgres)).toBeNull()
    expect(await prepareImageSearch(postgres)).toBeNull()
  } finally {
    await postgres.destroy()
    await database.drop()
  }
})
