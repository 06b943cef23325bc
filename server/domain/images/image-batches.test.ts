// A long filtered gallery is read in batches and gives the same result as a single query.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { dayMs } from '../../../contract/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import type { UserCaller } from '../caller.ts'
import type { ImageListQuery } from './image-list-filters.ts'
import { listImages } from './list-images.ts'

const isPostgres = inject('postgresUrl') !== undefined
/** More than two batches. */
const rowCount = 5000

let app: TestApp
/** The same account, taken for one of a few images and for one of very many. */
let short: UserCaller
let long: UserCaller
beforeAll(async () => {
  app = await startTestApp()
  const { id } = await app.newUser()
  await fill(id)
  const account = await app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const callerWith = (image_count: number): UserCaller => ({
    kind: 'user',
    account: { ...account, image_count },
    by: { sessionId: 'none', confirmedAt: 0 },
  })
  short = callerWith(1)
  long = callerWith(1_000_000)
})
afterAll(() => app.stop())

/** Ties in every order, names in both cases, every tenth a PNG, every seventh expired. */
async function fill(owner: string): Promise<void> {
  const now = sql.lit(app.deps.now())
  const numbers = isPostgres
    ? sql`generate_series(1, ${sql.lit(rowCount)}) as n(n)`
    : sql`(with recursive n(n) as (select 1 union all select n + 1 from n where n < ${sql.lit(rowCount)}) select n from n) as n`
  const id = isPostgres ? sql`lpad(n.n::text, 22, '0')` : sql`printf('%022d', n.n)`
  await sql`
    insert into images (id, file_name, original_name, owner_id, guest_token_hash, format, width, height, frames, has_alpha,
      bytes, sha256, placeholder, created_at, expires_at)
    select ${id}, ${id} || '.jpg', case n.n % 2 when 0 then 'Ä-' else 'ä-' end || (n.n % 100) || '.jpg', ${owner}, null,
      case n.n % 10 when 0 then 'png' else 'jpeg' end, 100, 100, 1, 0, n.n % 300, ${id}, '#808080', ${now} - n.n / 3,
      ${now} + (n.n % 7) * cast(${sql.lit(dayMs)} as bigint)
    from ${numbers}`.execute(app.deps.db)
}

const queries: ImageListQuery[] = [
  { q: 'Ä-7' },
  { q: '100%' },
  { type: 'png' },
  { type: 'png', q: 'ä' },
  { type: 'png', expires: 'soon' },
]

it.each(queries)('%j', async (query) => {
  for (const sort of ['newest', 'oldest', 'expiry', 'largest', 'name'] as const) {
    let cursor: string | undefined
    for (let page = 0; page < 4; page++) {
      const request = { address: '127.0.0.1', baseUrl: '', siteUrl: '', query: { ...query, sort, limit: 20, cursor } }
      const asked = await listImages(app.deps, { ...request, caller: short })
      expect(await listImages(app.deps, { ...request, caller: long })).toEqual(asked)
      if (asked.nextCursor === null) break
      cursor = asked.nextCursor
    }
  }
})

it('an image deleted during the scan is not listed and does not end the list', async () => {
  const request = { address: '127.0.0.1', baseUrl: '', siteUrl: '', query: { q: 'ä', limit: 20 } }
  const before = await listImages(app.deps, { ...request, caller: long })
  const [gone] = before.items
  const answer = listImages(app.deps, { ...request, caller: long })
  // Its first batch is read by now; a walk has three.
  await app.deps.db
    .deleteFrom('images')
    .where('id', '=', gone?.id ?? '')
    .execute()
  const { items, nextCursor } = await answer
  expect(items.map(({ id }) => id)).not.toContain(gone?.id)
  expect(nextCursor).not.toBeNull()
})
