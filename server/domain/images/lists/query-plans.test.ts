// Every list and sweep goes by an index: the plans of the very queries that the domain sends, on a table of many rows.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { imageSorts } from '../../../../contract/plain/image-sorts.ts'
import { dayMs } from '../../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { plansOf } from '../../../testing/query-plans.ts'
import { listBlockedImages, assertBytesNotBlocked } from '../../moderation/blocked-images.ts'
import { listBlockedNetworks, assertNetworkNotBlocked } from '../../moderation/blocked-networks.ts'
import { openSimilarImages } from '../../moderation/similar-images.ts'
import { getDatabaseStats } from '../../operations/instance-stats.ts'
import type { Deps } from '../../shared/deps.ts'
import type { UserCaller } from '../../shared/caller.ts'
import { listExpiringImages, listImages } from './list-images.ts'
import { getOriginal } from '../../delivery/originals.ts'
import { listAlbumImages } from '../../albums/list-album-images.ts'
import { listAllImages } from './list-all-images.ts'
import { listReports } from '../../moderation/reports/list-reports.ts'
import { sweepReports } from '../../moderation/reports/sweep-reports.ts'
import { outlineImages } from './gallery-outline.ts'
import { writeCursor } from '../../shared/keyset-page.ts'
import { sweepExpired } from '../deletion/sweep.ts'
import { listTrash } from '../deletion/trash.ts'

const isPostgres = inject('postgresUrl') !== undefined
/** Enough that a plan without an index would be the dearer one for PostgreSQL. */
const rowCount = 30_000
/** Has all images of the first owner. */
const albumId = 'album-of-many'

let app: TestApp
let caller: UserCaller
beforeAll(async () => {
  app = await startTestApp()
  const { id } = await app.newUser('owner@example.com')
  const other = await app.newUser()
  await fill(id, other.id)
  const account = await app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  caller = { kind: 'user', account, by: { sessionId: 'none', confirmedAt: 0 } }
})
afterAll(() => app.stop())

/**
 * A third of the images for each owner, a third for guests; expiring over a year, none of it expired.
 * As many other users.
 */
async function fill(one: string, two: string): Promise<void> {
  const now = app.deps.now()
  const numbers = isPostgres
    ? sql`generate_series(1, ${sql.lit(rowCount)}) as n(n)`
    : sql`(with recursive n(n) as (select 1 union all select n + 1 from n where n < ${sql.lit(rowCount)}) select n from n) as n`
  const id = isPostgres ? sql`lpad(n.n::text, 22, '0')` : sql`printf('%022d', n.n)`
  const day = sql.lit(dayMs)
  await sql`
    insert into images (id, file_name, original_name, owner_id, guest_token_hash, format, width, height, frames, has_alpha,
      bytes, sha256, placeholder, created_at, expires_at)
    select ${id}, ${id} || '.jpg', 'picture-' || n.n || '.jpg',
      case n.n % 3 when 0 then ${sql.lit(one)} when 1 then ${sql.lit(two)} end, null,
      case n.n % 10 when 0 then 'png' else 'jpeg' end, 100, 100, 1, 0,
      n.n, ${id}, '#808080', ${sql.lit(now)} - n.n, ${sql.lit(now)} + ${day} + (n.n % 365) * cast(${day} as bigint)
    from ${numbers}`.execute(app.deps.db)
  await app.deps.db
    .updateTable('users')
    .set({ image_count: rowCount / 3 })
    .where('id', 'in', [one, two])
    .execute()
  await app.deps.db
    .insertInto('albums')
    .values({ id: albumId, owner_id: one, title: 'Many', description: '', created_at: now })
    .execute()
  await sql`
    insert into album_images (album_id, image_id, position, added_by, added_at)
    select ${sql.lit(albumId)}, id, id, owner_id, 1 from images where owner_id = ${sql.lit(one)}`.execute(app.deps.db)
  await sql`
    insert into users (id, email, name, role, status, password_hash, created_at)
    select ${id}, ${id}, '', 'user', 'Inactive', '', n.n from ${numbers}`.execute(app.deps.db)
  await sql`
    insert into report_cases (id, image_id, original_name, opened_at, report_count, decided_at)
    select ${id}, ${id}, 'a.jpg', n.n, 1, case n.n % 2 when 0 then n.n end from ${numbers}`.execute(app.deps.db)
  // PostgreSQL collects statistics by itself; SQLite has none unless an operator collects them.
  if (isPostgres) await sql`analyze`.execute(app.deps.db)
}

/** The plans of each statement on images. */
const imagePlansOf = (work: (deps: Deps) => Promise<unknown>) =>
  plansOf(app.deps, work, /\b(images|image_totals|blocked_\w+)\b/)

const scansImages = isPostgres ? /Seq Scan on images\b/ : /SCAN images\b(?! USING (COVERING )?INDEX)/
const sortsAll = isPostgres ? /\bSort\b/ : /USE TEMP B-TREE FOR ORDER BY/

/** The same account, as if it had so many images that searches do not read all of them. */
const longList = (): UserCaller => ({ ...caller, account: { ...caller.account, image_count: 1_000_000 } })

const context = () => ({ caller, address: '127.0.0.1', baseUrl: '', siteUrl: '' })

describe('an index serves', () => {
  it.each(imageSorts)('the list of an owner in the order %s', async (sort) => {
    for (const plan of await imagePlansOf((deps) => listImages(deps, { ...context(), query: { sort } }))) {
      expect(plan).not.toMatch(scansImages)
      expect(plan).not.toMatch(sortsAll)
    }
  })

  it.each([
    ['newest', /images_(owner|listed)_newest/],
    ['largest', /images_owner_size/],
    ['name', /images_owner_name/],
    ['views', /images_by_views_order/],
    [
      'expiry',
      isPostgres ? /images_owner_expiry.*expires_at > /s : /images_owner_expiry \(owner_id=\? AND expires_at>\?/s,
    ],
    [
      'expiry_desc',
      isPostgres ? /images_owner_expiry.*expires_at > /s : /images_owner_expiry \(owner_id=\? AND expires_at>\?/s,
    ],
  ] as const)('the list in the order %s, and its outline, without deleted images', async (sort, index) => {
    const pages = await plansOf(app.deps, (deps) => listImages(deps, { ...context(), query: { sort } }), /limit/)
    expect(pages[0]).toMatch(index)
    const batches = await plansOf(app.deps, (deps) => outlineImages(deps, { ...context(), query: { sort } }), /limit/)
    if (!isPostgres) for (const plan of batches) expect(plan).toMatch(index)
  })

  it('everyone’s images without deleted ones', async () => {
    const pages = await plansOf(app.deps, (deps) => listAllImages(deps, { ...context(), query: {} }), /limit/)
    expect(pages[0]).toMatch(/images_listed_newest/)
  })

  it('the next page of a list', async () => {
    const first = await listImages(app.deps, { ...context(), query: {} })
    const query = { cursor: first.nextCursor ?? '' }
    for (const plan of await imagePlansOf((deps) => listImages(deps, { ...context(), query }))) {
      expect(plan).not.toMatch(scansImages)
      expect(plan).not.toMatch(sortsAll)
    }
  })

  it.each(imageSorts)('the outline of a list in the order %s', async (sort) => {
    const plans = await imagePlansOf((deps) => outlineImages(deps, { ...context(), query: { sort } }))
    expect(plans.length).toBeGreaterThan(2)
    for (const plan of plans) {
      expect(plan).not.toMatch(scansImages)
      // A batch is a large part of the few rows here, so PostgreSQL may sort them, which does not
      // block other queries.
      if (!isPostgres) expect(plan).not.toMatch(sortsAll)
    }
  })

  it('the first and the next page of an album, without deleted images', async () => {
    const cursor = writeCursor('album', { value: '5'.padStart(22, '0'), id: 'x' })
    for (const query of [{}, { cursor }]) {
      const request = { ...context(), params: { id: albumId }, query }
      const plans = await plansOf(app.deps, (deps) => listAlbumImages(deps, request), /select "images"\.\*/)
      for (const plan of plans) {
        expect(plan).toMatch(/album_images_shown/)
        expect(plan).not.toMatch(sortsAll)
      }
    }
  })

  it('a search in an album with more images than are counted, whose first batch looks up each image', async () => {
    const request = { ...context(), caller: longList(), query: { q: `album:${albumId}` } }
    const plans = await plansOf(app.deps, (deps) => listImages(deps, request), /album_images/)
    expect(plans).toHaveLength(2)
    for (const plan of plans) expect(plan).not.toMatch(isPostgres ? /hashed|Seq Scan on images/ : /SCAN images\b/)
  })

  it('the list of expiring images', async () => {
    for (const plan of await imagePlansOf((deps) => listExpiringImages(deps, context())))
      expect(plan).not.toMatch(scansImages)
  })

  it.each(['newest', 'name'] as const)(
    'a list of expiring images in the order %s, by the index of expiry',
    async (sort) => {
      const query = { sort, expires: 'soon' } as const
      for (const plan of await imagePlansOf((deps) => listImages(deps, { ...context(), query }))) {
        expect(plan).not.toMatch(scansImages)
        expect(plan).toMatch(/images_owner_expiry|images_expiry/)
      }
    },
  )

  it.each([
    ['everyone’s images', {}],
    ['quarantined images', { status: 'quarantined' }],
    ['images with a digest', { q: 'a'.repeat(64) }],
    ['an image by its id', { q: '7'.padStart(22, '0') }],
    ['the images of an owner', { q: 'owner@example.com' }],
    ['quarantined images of an owner', { q: 'owner@example.com', status: 'quarantined' }],
  ] as const)('the first and the next page of an admin’s list of %s', async (_, filters) => {
    const cursor = writeCursor('newest', { value: app.deps.now(), id: 'x' })
    for (const query of [filters, { ...filters, cursor }]) {
      for (const plan of await imagePlansOf((deps) => listAllImages(deps, { ...context(), query }))) {
        expect(plan).not.toMatch(scansImages)
        // Few rows may be sorted: those of an index of quarantined images, or a row or two on PostgreSQL.
        if (!isPostgres && !/images_owner_quarantined/.test(plan)) expect(plan).not.toMatch(sortsAll)
      }
    }
  })

  const trigrams = isPostgres ? /images_search/ : /VIRTUAL TABLE INDEX/

  it.each([
    ['a search', { q: 'picture-777' }, trigrams],
    ['a search for words that no name has', { q: 'nothing "at all"' }, trigrams],
    ['a filter by type', { type: 'gif' }, /images_owner_format/],
  ] as const)('%s in a long list, the next page and the outline', async (_, filters, index) => {
    for (const sort of ['newest', 'name'] as const) {
      const query = { ...filters, sort }
      const cursor = writeCursor(sort, { value: sort === 'name' ? 'a' : app.deps.now(), id: 'x' })
      const request = { ...context(), caller: longList() }
      for (const work of [
        (deps: Deps) => listImages(deps, { ...request, query }),
        (deps: Deps) => listImages(deps, { ...request, query: { ...query, cursor } }),
        (deps: Deps) => outlineImages(deps, { ...request, query }),
      ]) {
        const plans = await imagePlansOf(work)
        expect(plans[0]).toMatch(index)
        for (const plan of plans) {
          expect(plan).not.toMatch(scansImages)
          expect(plan).not.toMatch(/images_owner_(newest|name)/)
        }
      }
    }
  })

  type Search = [what: string, q: string, index: RegExp]
  // Here most images match, and PostgreSQL knows that these indexes find all of them.
  const onSqlite: Search[] = [
    ['untagged ones', 'tag:none', /images_owner_untagged/],
    ['images in no album', 'album:none', /images_by_views_loose/],
  ]
  const searches: Search[] = [
    ['kept ones', 'expires:never', /images_owner_expiry/],
    ...(isPostgres ? [] : onSqlite),
    ['images that nobody has viewed for a year', 'viewed:>12m', /images_(owner|listed)_\w+/],
  ]
  it.each(searches)(
    'a search for %s in a long list, and looks up the views of each by their key',
    async (_, q, index) => {
      const request = { ...context(), caller: longList(), query: { q } }
      const plans = await plansOf(app.deps, (deps) => listImages(deps, request), /image_views|images/)
      expect(plans.join('\n')).toMatch(index)
      for (const plan of plans) {
        expect(plan).not.toMatch(scansImages)
        expect(plan).not.toMatch(isPostgres ? /Seq Scan on images\b/ : /SCAN image_views/)
      }
    },
  )

  it('an admin’s search in everyone’s images', async () => {
    const query = { q: 'picture-777' }
    const plans = await imagePlansOf((deps) => listAllImages(deps, { ...context(), query }))
    expect(plans.join('\n')).toMatch(trigrams)
    for (const plan of plans) {
      expect(plan).not.toMatch(scansImages)
      expect(plan).not.toMatch(/images_newest/)
    }
  })

  // PostgreSQL may read a table in its order where most rows match.
  it('the batches of a search that finds most of a long list', { skip: isPostgres }, async () => {
    for (const sort of imageSorts) {
      const query = { q: 'picture', sort }
      const plans = await imagePlansOf((deps) => listImages(deps, { ...context(), caller: longList(), query }))
      for (const plan of plans) {
        expect(plan).not.toMatch(scansImages)
        // What the index finds is sorted, up to a limit.
        if (!trigrams.test(plan)) expect(plan).not.toMatch(sortsAll)
      }
    }
  })

  it('the count of an owner’s quarantined images', async () => {
    const plans = await imagePlansOf((deps) => listImages(deps, { ...context(), query: {} }))
    expect(plans.filter((plan) => /images_(owner_)?quarantined/.test(plan))).toHaveLength(1)
  })

  it('a served image and the status of its owner', async () => {
    const params = { file_name: `${'7'.padStart(22, '0')}.jpg` }
    for (const plan of await imagePlansOf((deps) => getOriginal(deps, { address: '192.0.2.1', params, query: {} }))) {
      expect(plan).not.toMatch(scansImages)
      expect(plan).not.toMatch(isPostgres ? /Seq Scan on users/ : /SCAN users/)
    }
  })

  it.each(['open', 'decided'] as const)('the first and the next page of the list of %s reports', async (status) => {
    const cursor = writeCursor(status, { value: 100, id: 'x' })
    for (const query of [{ status }, { status, cursor }]) {
      // The number of all cases is counted by another statement, which reads them.
      const plans = await plansOf(
        app.deps,
        (deps) => listReports(deps, { ...context(), query }),
        /"report_cases".* limit/,
      )
      for (const plan of plans) {
        expect(plan).toMatch(/report_cases_(queue|decided)/)
        expect(plan).not.toMatch(sortsAll)
      }
    }
  })

  it('the sweep of decided reports', async () => {
    for (const plan of await plansOf(app.deps, (deps) => sweepReports(deps, 0), /delete from "report_cases"/))
      expect(plan).toMatch(/report_cases_decided/)
  })

  it('a page of each blocklist, and the look-ups at an upload', { skip: isPostgres }, async () => {
    const cursor = writeCursor('newest', { value: app.deps.now(), id: 'x' })
    const plans = await imagePlansOf(async (deps) => {
      for (const query of [{}, { cursor }]) {
        await listBlockedImages(deps, { query })
        await listBlockedNetworks(deps, { query })
      }
      await assertNetworkNotBlocked(deps, { address: '2001:db8::/64', ip: '2001:db8::1' })
      await assertBytesNotBlocked(deps, 'a'.repeat(64))
      await openSimilarImages().find(deps.db, ['0'.repeat(16)], 100)
    })
    expect(plans).toHaveLength(11)
    for (const plan of plans) expect(plan).not.toMatch(sortsAll)
    // Only the counts of networks in force read the whole table, which is bounded.
    expect(plans.filter((plan) => /SCAN blocked_\w+\b(?! USING (COVERING )?INDEX)/.test(plan))).toHaveLength(2)
  })

  it('the first and the next page of a trash', async () => {
    const cursor = writeCursor('trash', { value: app.deps.now() + dayMs, id: 'x' })
    for (const query of [{}, { cursor }])
      for (const plan of await imagePlansOf((deps) => listTrash(deps, { ...context(), query })))
        expect(plan).toMatch(/images_(owner_)?undo/)
  })

  it('the sweep', async () => {
    for (const plan of await imagePlansOf((deps) => sweepExpired(deps))) expect(plan).not.toMatch(scansImages)
  })

  it('the statistics', async () => {
    for (const plan of await imagePlansOf((deps) => getDatabaseStats(deps))) expect(plan).not.toMatch(scansImages)
  })
})
