// On a full disk a deletion evicts variants, unless that would free no space for the database.
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { dayMs } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { imagesCollection } from '../database-view/images-collection.ts'
import { sweepExpired } from '../images/deletion/sweep.ts'

const isPostgres = inject('postgresUrl') !== undefined

let app: TestApp
let id: string
let evictedBytes: number
beforeEach(async () => {
  app = await startTestApp()
  id = (await app.guestImage(await jpeg())).id
  await fillDatabase()
  evictedBytes = 0
  const { evict } = app.deps.variants
  app.deps.variants.evict = async (bytes) => {
    const freed = await evict(bytes)
    evictedBytes += freed
    if (!isPostgres) await sql`pragma max_page_count = 1000000`.execute(app.deps.db)
    return freed
  }
})
afterEach(() => app.stop())

/** Makes inserts of tombstones fail as on a full disk, until variants are evicted. */
async function fillDatabase() {
  if (!isPostgres) {
    await sql`create table ballast (data blob)`.execute(app.deps.db)
    await sql`create trigger is_heavy before insert on tombstones
      begin insert into ballast values (zeroblob(100000)); end`.execute(app.deps.db)
    // SQLite raises this to the pages that there are.
    await sql`pragma max_page_count = 1`.execute(app.deps.db)
    return
  }
  await sql`create function is_full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(app.deps.db)
  await sql`create trigger is_full before insert on tombstones for each row execute function is_full()`.execute(
    app.deps.db,
  )
}

const imagesLeft = async () => (await app.deps.db.selectFrom('images').select('id').execute()).length

it.skipIf(isPostgres).each([
  ['the sweep', () => sweepExpired(app.deps, Date.now() + 400 * dayMs)],
  [
    'a deletion in the database browser',
    () => imagesCollection.remove(app.deps, { caller: { kind: 'guest' }, address: '', ids: [id] } as never),
  ],
])('on a full disk %s evicts variants and deletes the image', async (_, remove) => {
  await remove()
  expect(await imagesLeft()).toBe(0)
  expect(evictedBytes).toBeGreaterThan(0)
})

it.runIf(isPostgres)('a full disk of the database server does not evict variants', async () => {
  await expect(sweepExpired(app.deps, Date.now() + 400 * dayMs)).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(await imagesLeft()).toBe(1)
  expect(evictedBytes).toBe(0)
})
