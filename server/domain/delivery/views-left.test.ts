// Limited views: as many complete responses as allowed, never one more. Views: counted per image and day.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Image, UploadedImage } from '../../../contract/endpoints/images.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg, png } from '../../testing/test-images.ts'
import { sweepExpired } from '../images/deletion/sweep.ts'

let app: TestApp
let owner: { token: string; id: string }
let bytes: Buffer
beforeAll(async () => {
  app = await startTestApp()
  owner = await app.newUser()
  bytes = await jpeg(600, 400)
})
afterAll(() => app.stop())

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36' }
const previewRobot = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }

async function limitedImage(maxViews: number, picture = bytes): Promise<UploadedImage> {
  const fields = { max_views: String(maxViews) }
  const { status, body } = await app.upload(picture, { token: owner.token, fields })
  expect([status, body.views_left]).toEqual([201, maxViews])
  return body
}
const viewsLeft = async ({ id }: Pick<UploadedImage, 'id'>) =>
  (await app.call('GET', `/api/images/${id}`, { token: owner.token })).body.views_left as number
const pathsOf = ({ id, file_name: name }: UploadedImage) => [
  `/uploads/${name}`,
  `/api/thumbnail/${id}/400`,
  `/api/resize/${id}/300`,
  `/api/resize/${id}/200/200`,
  `/api/jpeg/${id}/300`,
  `/api/webp/${id}/80`,
]

describe('an image with limited views', () => {
  it('is sent completely as often as allowed to 100 concurrent readers of all its variants, then responds 410', async () => {
    const image = await limitedImage(10)
    const paths = pathsOf(image)
    const responses = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        const response = await app.request(paths[n % paths.length] ?? '')
        return { status: response.status, length: (await response.arrayBuffer()).byteLength, headers: response.headers }
      }),
    )
    const sent = responses.filter(({ status }) => status === 200)
    expect([sent.length, responses.filter(({ status }) => status === 410).length]).toEqual([10, 90])
    for (const { length, headers } of sent) {
      expect(String(length)).toBe(headers.get('content-length'))
      expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['private, no-store', null])
    }
    for (const path of [...paths, `/api/analyze/${image.id}`]) expect((await app.request(path)).status).toBe(410)
    expect((await sweepExpired(app.deps)).deletedImages).toBe(1)
    expect(await app.files('originals')).not.toContain(image.id)
    const entry = app.deps.db.selectFrom('audit_log').select(['action', 'details']).where('target', '=', image.id)
    expect(await entry.executeTakeFirst()).toMatchObject({
      action: 'image_expired',
      details: expect.stringContaining('last_view'),
    })
  })

  it('sends the last view of a large original completely', async () => {
    const large = await png(1100, 800)
    expect(large.length).toBeGreaterThan(1024 * 1024)
    const image = await limitedImage(1, large)
    const response = await app.request(image.url)
    expect((await response.arrayBuffer()).byteLength).toBe(image.size)
    expect((await app.request(image.url)).status).toBe(410)
  })

  type Request = [what: string, path: (image: UploadedImage) => string, init: RequestInit, status: number, left: number]
  it.each<Request>([
    ['HEAD takes none', ({ url }) => url, { method: 'HEAD' }, 200, 3],
    ['a range is sent as a whole', ({ url }) => url, { headers: { range: 'bytes=0-9' } }, 200, 2],
    ['an ETag is not compared', ({ url }) => url, { headers: { 'if-none-match': '*' } }, 200, 2],
    ['a robot that makes previews is refused', ({ url }) => url, { headers: previewRobot }, 403, 3],
    ['a variant counts', ({ thumbnailUrl }) => thumbnailUrl, { headers: browser }, 200, 2],
    ['an analysis is for its owner only, and takes none', ({ id }) => `/api/analyze/${id}`, {}, 401, 3],
    ['a size that is not allowed takes none', ({ id }) => `/api/resize/${id}/99999`, {}, 400, 3],
  ])('%s', async (_, path, init, status, left) => {
    const image = await limitedImage(3)
    const response = await app.request(path(image), init)
    expect(response.status).toBe(status)
    const body = await response.text()
    if (status === 403) expect(JSON.parse(body).code).toBe('robot_excluded')
    expect(await viewsLeft(image)).toBe(left)
  })

  it.each([
    ['shown to', 'preview', 'image/webp'],
    ['downloaded by', 'original', 'image/jpeg'],
  ])('is %s its owner without taking a view, and no one else', async (_, name, type) => {
    const image = await limitedImage(1)
    const path = `/api/images/${image.id}/${name}`
    for (const [token, status] of [
      [owner.token, 200],
      [owner.token, 200],
      [undefined, 401],
      [(await app.newUser()).token, 403],
    ] as const) {
      const response = await app.request(
        path,
        token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
      )
      expect(response.status).toBe(status)
      if (status !== 200) continue
      const header = (key: string) => response.headers.get(key)
      expect([header('content-type'), header('cache-control')]).toEqual([type, 'private, no-store'])
    }
    expect(await viewsLeft(image)).toBe(1)
  })

  it('can be limited later, without a response from the hot cache, and freed again', async () => {
    const { body: image } = await app.upload(bytes, { token: owner.token })
    for (let n = 0; n < 3; n++) expect((await app.request(image.thumbnailUrl)).status).toBe(200)
    const setLimit = (limit: number | null) =>
      app.call('PATCH', `/api/images/${image.id}`, { token: owner.token, body: { max_views: limit } })
    expect((await setLimit(2)).body.views_left).toBe(2)
    expect((await app.request(image.thumbnailUrl)).status).toBe(200)
    expect(await viewsLeft(image)).toBe(1)
    expect((await setLimit(null)).body.views_left).toBe(null)
    for (let n = 0; n < 3; n++) expect((await app.request(image.thumbnailUrl)).status).toBe(200)
    await setLimit(1)
    expect([(await app.request(image.url)).status, (await app.request(image.url)).status]).toEqual([200, 410])
    expect((await setLimit(5)).status).toBe(410)
  })

  it.each(['0', '-1', '1.5', 'x', '', String(limits.maxViews + 1)])('is refused with max_views=%s', async (limit) => {
    const { status, body } = await app.upload(bytes, { fields: { max_views: limit } })
    expect([status, body.code]).toEqual([400, 'invalid_input'])
    expect(body.error).toContain('max_views')
  })
})

describe('views', () => {
  const views = async ({ id }: Pick<UploadedImage, 'id'>) => {
    await app.deps.viewCounts.flush()
    return (await app.call('GET', `/api/images/${id}/views`, { token: owner.token })).body
  }
  const newImage = async () => (await app.upload(bytes, { token: owner.token })).body as UploadedImage

  type Case = [what: string, headers: Record<string, string>, isCounted: boolean]
  it.each<Case>([
    ['of a browser', browser, true],
    [
      'embedded by another site',
      { ...browser, 'sec-fetch-site': 'cross-site', referer: 'https://forum.example/' },
      true,
    ],
    ['of a page of this site', { ...browser, 'sec-fetch-site': 'same-origin' }, false],
    [
      'of a crawler',
      { 'user-agent': 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)' },
      false,
    ],
    ['of a preview', previewRobot, false],
    ['of a program', { 'user-agent': 'curl/8.5.0' }, false],
  ])('%s are counted or not', async (_, headers, isCounted) => {
    const image = await newImage()
    // The first three pass through the framework and fill the hot cache.
    for (const path of [image.url, image.thumbnailUrl, `/api/resize/${image.id}/300`])
      for (let n = 0; n < 3; n++) await (await app.request(path, { headers })).arrayBuffer()
    await expect.poll(async () => (await views(image)).total).toBe(isCounted ? 9 : 0)
  })

  it('are complete responses: not HEAD, ranges, 304 and failures', async () => {
    const image = await newImage()
    const etag = (await app.request(image.thumbnailUrl)).headers.get('etag') ?? ''
    for (let n = 0; n < 2; n++) {
      for (const init of [{ method: 'HEAD' }, { headers: { 'if-none-match': etag } }])
        await app.request(image.thumbnailUrl, { ...init, headers: { ...browser, ...init.headers } })
      await app.request(image.url, { headers: { ...browser, range: 'bytes=0-9' } })
      await app.request(`/api/resize/${image.id}/99999`, { headers: browser })
    }
    expect((await views(image)).total).toBe(0)
  })

  it('are summed per day, and in the statistics of admins also after the deletion', async () => {
    const image = await newImage()
    const view = () => app.request(image.url, { headers: browser })
    await view()
    app.moveClock(dayMs)
    await view()
    await view()
    await expect.poll(async () => (await views(image)).total).toBe(3)
    const { isCounted, days } = await views(image)
    expect([isCounted, days.length]).toEqual([true, limits.stats.days])
    expect(days.slice(-2).map((day: { views: number }) => day.views)).toEqual([1, 2])
    expect(days.at(-1).date).toBe(new Date(app.deps.now()).toISOString().slice(0, 10))
    const totals = () => app.deps.db.selectFrom('view_totals').select('views').orderBy('day', 'desc').execute()
    const before = await totals()
    await view()
    await app.call('DELETE', `/api/images/${image.id}`, { token: owner.token })
    await app.deps.viewCounts.flush()
    await expect.poll(async () => (await totals())[0]?.views).toBe((before[0]?.views ?? 0) + 1)
    expect(await app.deps.db.selectFrom('image_views').where('image_id', '=', image.id).selectAll().execute()).toEqual(
      [],
    )
  })

  it('sort the list, which says the same as the statistics of the image', async () => {
    const { token } = await app.newUser()
    const upload = async () => (await app.upload(bytes, { token })).body as UploadedImage
    const [none, some, most] = [await upload(), await upload(), await upload()]
    for (const [image, count] of [
      [some, 1],
      [most, 3],
    ] as const)
      for (let n = 0; n < count; n++) await (await app.request(image.url, { headers: browser })).arrayBuffer()
    app.moveClock(dayMs)
    await (await app.request(most.url, { headers: browser })).arrayBuffer()
    const listed = async (sort: string) =>
      (await app.call('GET', `/api/images?sort=${sort}`, { token })).body.map((image: Image) => [image.id, image.views])
    const sorted = [
      [most.id, 4],
      [some.id, 1],
      [none.id, 0],
    ]
    await expect
      .poll(async () => {
        await app.deps.viewCounts.flush()
        return listed('views')
      })
      .toEqual(sorted)
    expect(await listed('views_asc')).toEqual(sorted.toReversed())
    for (const [id, total] of sorted)
      expect((await app.call('GET', `/api/images/${id}/views`, { token })).body.total).toBe(total)
  })

  it(
    'that are written leave the cached responses where they are',
    { skip: inject('postgresUrl') !== undefined },
    async () => {
      const image = await newImage()
      const changed: (string | undefined)[] = []
      app.deps.imageChanges?.onChange((id) => changed.push(id))
      app.deps.viewCounts.count(image.id)
      await app.deps.viewCounts.flush()
      expect(changed).toEqual([])
      await app.call('PATCH', `/api/images/${image.id}`, { token: owner.token, body: { title: 'Changed' } })
      expect(changed).toContain(image.id)
    },
  )

  it(
    'of an image that another transaction is changing are written later, so that no two wait for each other',
    { skip: inject('postgresUrl') === undefined },
    async () => {
      const [changed, other] = [await newImage(), await newImage()]
      const { db, viewCounts } = app.deps
      await viewCounts.flush()
      const day = Math.floor(app.deps.now() / dayMs)
      const total = async () =>
        (await db.selectFrom('view_totals').select('views').where('day', '=', day).executeTakeFirst())?.views ?? 0
      const before = await total()
      await db.transaction().execute(async (transaction) => {
        await transaction.updateTable('images').set({ title: 'x' }).where('id', '=', changed.id).execute()
        for (const { id } of [changed, other]) viewCounts.count(id)
        await viewCounts.flush()
        // In the other order this would be a deadlock.
        await transaction.updateTable('images').set({ title: 'x' }).where('id', '=', other.id).execute()
      })
      expect(await total()).toBe(before + 1)
      expect([(await views(changed)).total, (await views(other)).total]).toEqual([1, 1])
      expect(await total()).toBe(before + 2)
    },
  )

  it('order the list of the new owner, and of images that are not in the trash', async () => {
    const { token } = await app.newUser()
    const upload = async () => (await app.upload(bytes, { token })).body as UploadedImage
    const [few, many] = [await upload(), await upload()]
    const guests = await app.guestImage(bytes)
    for (const [{ id }, count] of [
      [few, 1],
      [guests, 2],
      [many, 3],
    ] as const)
      for (let n = 0; n < count; n++) app.deps.viewCounts.count(id)
    await app.deps.viewCounts.flush()
    const listed = async (query = '') =>
      (await app.call('GET', `/api/images?sort=views${query}`, { token })).body.map((image: Image) => image.id)
    expect(await listed()).toEqual([many.id, few.id])
    const images = [{ id: guests.id, token: guests.delete_token }]
    await app.call('POST', '/api/images/claim', { token, body: { images } })
    expect(await listed()).toEqual([many.id, guests.id, few.id])
    await app.call('DELETE', `/api/images/${many.id}?trash=1`, { token })
    app.deps.viewCounts.count(many.id)
    await app.deps.viewCounts.flush()
    expect(await listed()).toEqual([guests.id, few.id])
    await app.call('POST', '/api/trash/restore', { token, body: { ids: [many.id] } })
    await app.call('DELETE', `/api/images/${few.id}`, { token })
    expect(await listed('&limit=1')).toEqual([many.id])
    expect(await listed()).toEqual([many.id, guests.id])
    const left = app.deps.db.selectFrom('images_by_views').select(['image_id', 'view_count'])
    const rows = await left.where('image_id', 'in', [few.id, many.id, guests.id]).orderBy('view_count').execute()
    expect(rows).toEqual([
      { image_id: guests.id, view_count: 2 },
      { image_id: many.id, view_count: 4 },
    ])
  })

  it('that cannot be written are written later', async () => {
    const image = await newImage()
    const { db, viewCounts } = app.deps
    await app.request(image.url, { headers: browser })
    await db.schema.alterTable('image_views').renameTo('image_views_away').execute()
    await expect
      .poll(() =>
        viewCounts.flush().then(
          () => 'written',
          () => 'failed',
        ),
      )
      .toBe('failed')
    await db.schema.alterTable('image_views_away').renameTo('image_views').execute()
    await expect.poll(async () => (await views(image)).total).toBe(1)
  })

  it('are not counted with VIEW_COUNTS=off', async () => {
    const quiet = await startTestApp({ VIEW_COUNTS: 'off' })
    try {
      const image = await quiet.guestImage(bytes)
      await quiet.request(image.url, { headers: browser })
      await quiet.deps.viewCounts.flush()
      expect(await quiet.deps.db.selectFrom('view_totals').selectAll().execute()).toEqual([])
      const found = await quiet.call('GET', `/api/images/${image.id}/views`, { guestToken: image.delete_token })
      expect(found.body).toMatchObject({ isCounted: false, total: 0 })
    } finally {
      await quiet.stop()
    }
  })
})
