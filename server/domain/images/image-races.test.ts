// What happens between two steps: a deletion, an expiry, another process.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sha256Of } from '../../blobs/cached-file.ts'
import { emptyAlbum } from '../albums/empty-album.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
let large: Buffer
beforeAll(async () => {
  app = await startTestApp()
  large = await jpeg(2400, 1800)
})
afterAll(() => app.stop())

it('bulk deletions and restorations of images in the same albums do not wait for each other', async () => {
  const { id: ownerId, token } = await app.newUser()
  const albums = ['one', 'two']
  const { db } = app.deps
  for (const id of albums)
    await db.insertInto('albums').values({ id, owner_id: ownerId, title: id, description: '', created_at: 1 }).execute()
  const first = await app.upload(await jpeg(60, 40), { token })
  const { id: _, ...copied } = await db
    .selectFrom('images')
    .selectAll()
    .where('id', '=', first.body.id)
    .executeTakeFirstOrThrow()
  // One request changes the album `one` first, the other one `two`.
  const halves = ['a', 'b'].map((half) =>
    Array.from({ length: 60 }, (__, n) => ({
      id: `${half}${String(n).padStart(21, '0')}`,
      inFirst: (half === 'a') === n < 30,
    })),
  )
  for (const { id, inFirst } of halves.flat()) {
    await db
      .insertInto('images')
      .values({ ...copied, id, file_name: `${id}.jpg` })
      .execute()
    const place = { album_id: inFirst ? 'one' : 'two', image_id: id, position: 'a0', added_by: ownerId, added_at: 1 }
    await db.insertInto('album_images').values(place).execute()
  }
  const counts = async () => {
    const rows = await db
      .selectFrom('album_counts')
      .selectAll()
      .where('album_id', 'in', albums)
      .orderBy('album_id')
      .execute()
    return rows.map(({ images }) => Number(images))
  }
  const bothHalves = (path: string) =>
    Promise.all(halves.map((half) => app.call('POST', path, { token, body: { ids: half.map(({ id }) => id) } })))
  expect(await counts()).toEqual([60, 60])
  for (let round = 0; round < 3; round++) {
    expect((await bothHalves('/api/trash')).map(({ status }) => status)).toEqual([200, 200])
    expect(await counts()).toEqual([0, 0])
    expect((await bothHalves('/api/trash/restore')).map(({ status }) => status)).toEqual([200, 200])
    expect(await counts()).toEqual([60, 60])
  }
})

it('an album is emptied while images of it are deleted and restored in bulk', async () => {
  const { id: ownerId, token } = await app.newUser()
  const { db } = app.deps
  const album = { id: 'emptied', owner_id: ownerId, title: 'x', description: '', created_at: 1 }
  await db.insertInto('albums').values(album).execute()
  const uploaded = await app.upload(await jpeg(60, 40), { token })
  const copied = await db.selectFrom('images').selectAll().where('id', '=', uploaded.body.id).executeTakeFirstOrThrow()
  const ids = Array.from({ length: 200 }, (_, n) => `e${String(n).padStart(21, '0')}`)
  const rows = ids.map((id) => ({ ...copied, id, file_name: `${id}.jpg` }))
  for (let at = 0; at < ids.length; at += 20)
    await db
      .insertInto('images')
      .values(rows.slice(at, at + 20))
      .execute()
  const place = { album_id: album.id, position: 'a0', added_by: ownerId, added_at: 1 }
  for (let round = 0; round < 8; round++) {
    await db
      .insertInto('album_images')
      // The other way round than they are deleted: both would meet in the middle.
      .values(ids.toReversed().map((id) => ({ ...place, image_id: id })))
      .execute()
    const path = round % 2 === 0 ? '/api/trash' : '/api/trash/restore'
    const [changed] = await Promise.all([
      app.call('POST', path, { token, body: { ids } }),
      setTimeout(round * 10).then(() => emptyAlbum(app.deps.db, album.id)),
    ])
    expect(changed.status).toBe(200)
    const { images } = await db
      .selectFrom('album_counts')
      .select('images')
      .where('album_id', '=', album.id)
      .executeTakeFirstOrThrow()
    expect(Number(images)).toBe(0)
  }
})

describe('an image', () => {
  it('that is deleted while a variant is rendered leaves no file', async () => {
    const image = await app.guestImage(large)
    const rendering = app.request(`/api/webp/${image.id}/90?width=2300`)
    await expect.poll(() => app.deps.imaging.stats().transform.running).toBe(1)
    await app.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
    expect([200, 410]).toContain((await rendering).status)
    expect((await app.request(`/api/webp/${image.id}/90?width=2300`)).status).toBe(410)
    expect(await readdir(join(app.dataDir, 'variants', image.id.slice(0, 2), image.id)).catch(() => [])).toEqual([])
    await expect.poll(() => app.files('tmp')).toEqual([])
  })

  it('is served after the operator emptied the cache of the running server', async () => {
    const image = await app.guestImage(large)
    await rm(join(app.dataDir, 'variants', image.id.slice(0, 2)), { recursive: true })
    for (const path of [image.thumbnailUrl, `/api/resize/${image.id}/300`, `/api/jpeg/${image.id}/700`]) {
      expect((await app.request(path)).status).toBe(200)
    }
  })

  describe('whose files are evicted between their lookup and their read', () => {
    let evictions: number
    let restore: () => void
    beforeEach(() => {
      const { variants } = app.deps
      const { find } = variants
      evictions = 0
      variants.find = async (...given) => {
        const file = await find(...given)
        if (file && evictions++ === 0) await variants.evict(Number.MAX_SAFE_INTEGER)
        return file
      }
      restore = () => (variants.find = find)
    })
    afterEach(() => restore())

    it('is served', async () => {
      const path = `/api/jpeg/${(await app.guestImage(large)).id}/710`
      expect((await app.request(path)).status).toBe(200)
      // Another query, so that it does not come from the hot cache.
      const response = await app.request(`${path}?second`)
      expect([response.status, evictions]).toEqual([200, 1])
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(response.headers.get('content-length')).toBe(String(bytes.length))
      expect(response.headers.get('etag')).toBe(`"${sha256Of(bytes).slice(0, 27)}"`)
    })

    it('is analyzed', async () => {
      const path = `/api/analyze/${(await app.guestImage(large)).id}`
      const first = await app.call('GET', path)
      const second = await app.call('GET', path)
      expect([second.status, evictions]).toEqual([200, 1])
      expect(second.body).toEqual(first.body)
    })
  })

  it('is served when its variant cannot be cached', async () => {
    const image = await app.guestImage(large)
    const { put } = app.deps.variants
    app.deps.variants.put = async () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    try {
      expect((await app.request(`/api/resize/${image.id}/310`)).status).toBe(200)
      expect((await app.call('GET', `/api/analyze/${image.id}`)).status).toBe(200)
      expect((await app.upload(large)).status).toBe(201)
    } finally {
      app.deps.variants.put = put
    }
    await expect.poll(() => app.files('tmp')).toEqual([])
  })
})

describe('an upload', () => {
  it('with an Idempotency-Key whose image has expired creates a new image before the sweep', async () => {
    const upload = async () => {
      const form = new FormData()
      form.append('expires_in', '60')
      form.append('image', new Blob([new Uint8Array(large)]), 'a.jpg')
      const headers = { 'idempotency-key': 'again and again and again' }
      const response = await app.request('/api/upload', { method: 'POST', body: form, headers })
      return { status: response.status, body: (await response.json()) as { id: string } }
    }
    const first = await upload()
    expect((await upload()).body.id).toBe(first.body.id)
    app.moveClock(61_000)
    const second = await upload()
    expect(second.status).toBe(201)
    expect(second.body.id).not.toBe(first.body.id)
    expect((await upload()).body.id).toBe(second.body.id)
  })

  it.each<[string, (id: string) => Promise<unknown>, number, string]>([
    ['deleted', (id) => app.deps.db.deleteFrom('users').where('id', '=', id).execute(), 401, 'invalid_token'],
    [
      'suspended',
      (id) => app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', id).execute(),
      403,
      'inactive_account',
    ],
  ])('of an account that is %s meanwhile is refused and leaves nothing', async (_, end, status, code) => {
    const { token, id } = await app.newUser()
    const { ingest } = app.deps.imaging
    app.deps.imaging.ingest = async (job) => {
      await end(id)
      return ingest(job)
    }
    try {
      const before = await app.files('originals')
      expect(await app.upload(large, { token })).toMatchObject({ status, body: { code } })
      expect(await app.files('originals')).toEqual(before)
    } finally {
      app.deps.imaging.ingest = ingest
    }
  })
})
