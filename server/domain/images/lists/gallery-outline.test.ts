import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Image } from '../../../../contract/endpoints/images.ts'
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import type { ImagesTable } from '../../../db/schema.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { rowsInTurn } from '../../../testing/short-run.ts'
import { outlineImages } from './gallery-outline.ts'

const { outlinePage } = limits.list
/** More than are read at once, and no whole number of pages. */
const count = 4250

let app: TestApp
let owner: { token: string; id: string }
let other: { token: string; id: string }
beforeAll(async () => {
  app = await startTestApp()
  owner = await app.newUser()
  other = await app.newUser()
  const { db } = app.deps
  const rows = Array.from({ length: count }, (_, n) => row(n, owner.id))
  for (let at = 0; at < count; at += 250) {
    await db
      .insertInto('images')
      .values(rows.slice(at, at + 250))
      .execute()
  }
  await db
    .insertInto('images')
    .values([row(count, owner.id, { expires_at: 5 }), row(count + 1, other.id)])
    .execute()
  const counted = { image_count: count + 1, image_bytes: 1 }
  await db.updateTable('users').set(counted).where('id', '=', owner.id).execute()
})
afterAll(() => app.stop())

const formats = ['png', 'jpeg', 'webp', 'gif', 'svg'] as const

/** Many with the same time, size and name, so that pages end between equals. */
function row(n: number, ownerId: string, over: Partial<ImagesTable> = {}): ImagesTable {
  const now = Date.now()
  return {
    id: `row-${String((n * 7919) % 10_007).padStart(18, '0')}`,
    file_name: `row-${n}.jpg`,
    original_name: `${n % 50} ${n % 3 === 0 ? 'Ärger' : 'Sea'}_.jpg`,
    owner_id: ownerId,
    guest_token_hash: null,
    format: formats[n % 5] ?? 'png',
    width: 1 + (n % 900),
    height: 1 + ((n * 31) % 700),
    frames: 1,
    has_alpha: 0,
    bytes: n % 40,
    sha256: String(n),
    placeholder: '#000000',
    created_at: now - Math.floor(n / 7) * 1000,
    expires_at: now + (1 + (n % 300)) * dayMs,
    tags: '',
    expires_after_view_days: null,
    undo_until: null,
    undo_expires_at: null,
    quarantined_at: null,
    address_hash: null,
    former_owner_id: null,
    phash: null,
    phash_quality: null,
    resembles: null,
    blur: null,
    title: '',
    alt: '',
    slug: null,
    views_left: null,
    views: 0,
    visibility: 'public',
    view_key_version: 0,
    ...over,
  }
}

async function list(query: string) {
  const { status, body, headers } = await app.call('GET', `/api/images?${query}`, owner)
  expect(status, JSON.stringify(body).slice(0, 200)).toBe(200)
  return { images: body as Image[], total: Number(headers.get('x-total-count')), link: headers.get('link') }
}

const queries: [query: string, total: number][] = [
  ['', count],
  ['sort=oldest', count],
  ['sort=expiry', count],
  ['sort=largest', count],
  ['sort=name', count],
  ['sort=name_desc', count],
  ['sort=expiry_desc', count],
  ['sort=smallest', count],
  ['sort=views', count],
  ['sort=views_asc', count],
  ['type=svg', 850],
  ['type=jpeg&sort=name', 850],
  ['expires=soon&sort=largest', 105],
  ['q=%C3%A4RGER&sort=oldest', 1417],
  ['q=_', count],
  ['q=sea&type=jpeg&expires=soon&sort=expiry', 15],
  ['q=nothing', 0],
]

describe.each(rowsInTurn(queries, 3))('the list ?%s', (query, expected) => {
  it('matches its outline: each shape in order, each page at its cursor', async () => {
    const { status, body } = await app.call('GET', `/api/images/outline?${query}`, owner)
    expect(status).toBe(200)
    const { ratios, cursors } = body as { ratios: number[]; cursors: string[] }
    expect([ratios.length, cursors.length]).toEqual([expected, Math.max(0, Math.ceil(expected / outlinePage) - 1)])
    const seen: Image[] = []
    for (const cursor of [undefined, ...cursors]) {
      const page = await list(`limit=${outlinePage}&${query}${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      expect([page.total, page.images.length]).toEqual([expected, Math.min(outlinePage, expected - seen.length)])
      seen.push(...page.images)
      expect(page.link === null).toBe(seen.length === expected)
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(expected)
    expect(seen.map(({ width, height }) => Math.round((100 * width) / height))).toEqual(ratios)
  })
})

describe('the filters', () => {
  it.each(formats)('type=%s shows images of that format', async (type) => {
    const { images } = await list(`type=${type}&limit=7`)
    expect(new Set(images.map(({ mime }) => mime))).toEqual(new Set([`image/${type === 'svg' ? 'svg+xml' : type}`]))
  })

  it.each(['type=bmp', 'type=', 'expires=later', 'sort=size', 'cursor=x'])('?%s is refused', async (query) => {
    for (const path of ['/api/images', '/api/images/outline']) {
      if (path === '/api/images' || query !== 'cursor=x') {
        expect((await app.call('GET', `${path}?${query}`, owner)).body.code).toBe('invalid_input')
      }
    }
  })

  it('expires=soon shows what the list of expiring images does', async () => {
    const { body } = await app.call('GET', '/api/expiring-images', owner)
    const { images } = await list('expires=soon&sort=expiry&limit=200')
    expect(images.map(({ id }) => id)).toEqual((body as Image[]).map(({ id }) => id))
  })
})

describe('outlineImages', () => {
  it('shows users only their own images', async () => {
    expect((await app.call('GET', '/api/images/outline', other)).body.ratios).toHaveLength(1)
    expect((await app.call('GET', '/api/images/outline')).status).toBe(401)
    expect((await app.call('GET', '/api/images/outline', await app.newUser())).body).toEqual({
      ratios: [],
      cursors: [],
    })
  })

  it('lets other requests run while it scans without matches', async () => {
    const account = await app.deps.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow()
    const caller = { kind: 'user' as const, account, by: { sessionId: 'none', confirmedAt: 0 } }
    let isDone = false
    const outline = outlineImages(app.deps, {
      caller,
      address: '',
      baseUrl: '',
      siteUrl: '',
      query: { q: 'nothing' },
    }).finally(() => (isDone = true))
    let turns = 0
    while (!isDone) {
      await nextTurn()
      turns++
    }
    expect(await outline).toEqual({ ratios: [], cursors: [] })
    expect(turns).toBeGreaterThan(2)
  })
})
