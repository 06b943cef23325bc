import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { animation, jpeg, png, transparentPng } from '../../testing/test-images.ts'

let app: TestApp
let photo: UploadedImage & { delete_token: string }
let dot: UploadedImage
let moving: UploadedImage
let ownGif: UploadedImage
beforeAll(async () => {
  app = await startTestApp()
  photo = await app.guestImage(await jpeg(2400, 1800), 'Photo.jpg')
  dot = await app.guestImage(await transparentPng(100), 'dot.png')
  moving = await app.guestImage(await animation('webp', 4, 64), 'moving.webp')
  const { token } = await app.newUser()
  ownGif = (await app.upload(await animation('gif', 5, 64), { token })).body
})
afterAll(() => app.stop())

async function picture(path: string) {
  const response = await app.request(path)
  const bytes = Buffer.from(await response.arrayBuffer())
  const { format, width, height, pages = 1, pageHeight } = await sharp(bytes, { animated: true }).metadata()
  return { type: response.headers.get('content-type'), format, width, height: pageHeight ?? height, pages, bytes }
}

describe('a variant', () => {
  const sizes: [path: () => string, type: string, width: number, height: number, frames: number][] = [
    [() => `/api/thumbnail/${photo.id}/400`, 'image/webp', 400, 300, 1],
    [() => `/api/thumbnail/${photo.id}/200`, 'image/webp', 200, 150, 1],
    [() => `/api/thumbnail/${photo.id}/4096`, 'image/webp', 2400, 1800, 1],
    [() => `/api/thumbnail/${moving.id}/400`, 'image/webp', 64, 64, 1],
    [() => `/api/resize/${photo.id}/800`, 'image/jpeg', 800, 600, 1],
    [() => `/api/resize/${photo.id}/1600`, 'image/jpeg', 1600, 1200, 1],
    [() => `/api/resize/${photo.id}/4096`, 'image/jpeg', 2400, 1800, 1],
    [() => `/api/resize/${photo.id}/1`, 'image/jpeg', 1, 1, 1],
    [() => `/api/resize/${photo.id}/300/300`, 'image/jpeg', 300, 300, 1],
    [() => `/api/resize/${photo.id}/300/300?fit=inside`, 'image/jpeg', 300, 225, 1],
    [() => `/api/resize/${photo.id}/300/300?fit=contain`, 'image/jpeg', 300, 300, 1],
    [() => `/api/resize/${dot.id}/50`, 'image/png', 50, 50, 1],
    [() => `/api/resize/${dot.id}/800`, 'image/png', 100, 100, 1],
    [() => `/api/resize/${moving.id}/32`, 'image/webp', 32, 32, 4],
    [() => `/api/resize/${ownGif.id}/32`, 'image/webp', 32, 32, 5],
    [() => `/api/jpeg/${photo.id}/800`, 'image/jpeg', 800, 600, 1],
    [() => `/api/jpeg/${moving.id}/32`, 'image/jpeg', 32, 32, 1],
    [() => `/api/webp/${photo.id}/80?width=600`, 'image/webp', 600, 450, 1],
    [() => `/api/webp/${photo.id}/80`, 'image/webp', 2400, 1800, 1],
    [() => `/api/webp/${moving.id}/50`, 'image/webp', 64, 64, 4],
    [() => `/api/webp/${ownGif.id}/50`, 'image/webp', 64, 64, 5],
  ]
  it.each(sizes)('%s', async (path, type, width, height, frames) => {
    const found = await picture(path())
    expect(found).toMatchObject({ type, format: type.slice(6), width, height, pages: frames })
  })

  it('is flattened on white where JPEG has no alpha', async () => {
    const { bytes } = await picture(`/api/jpeg/${dot.id}/100`)
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    expect([...data.subarray(0, 3)].every((channel) => channel > 245)).toBe(true)
  })

  it('keeps alpha in WebP', async () => {
    const { bytes } = await picture(`/api/webp/${dot.id}/80?width=50`)
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(true)
  })

  it('costs less at a lower quality', async () => {
    const low = await picture(`/api/webp/${photo.id}/10?width=700`)
    const high = await picture(`/api/webp/${photo.id}/95?width=700`)
    expect(low.bytes.length * 2).toBeLessThan(high.bytes.length)
  })

  it.each([
    ['thumbnail/ID/0', 'width: must be from 1 to 4096'],
    ['thumbnail/ID/4097', 'width: must be from 1 to 4096'],
    ['thumbnail/ID/-1', 'width: must be a whole number from 1 to 4096'],
    ['thumbnail/ID/1e3', 'width: must be a whole number'],
    ['thumbnail/ID/400.5', 'width: must be a whole number'],
    ['thumbnail/ID/99999999999999999999', 'width: must be a whole number'],
    ['resize/ID/800/0', 'height: must be from 1 to 4096'],
    ['resize/ID/800/5000', 'height: must be from 1 to 4096'],
    ['resize/ID/800/800?fit=stretch', 'fit: '],
    ['webp/ID/0', 'quality: must be from 1 to 100'],
    ['webp/ID/101', 'quality: must be from 1 to 100'],
    ['webp/ID/80?width=5000', 'width: must be from 1 to 4096'],
    ['webp/ID/80?width=', 'width: must be a whole number'],
    ['webp/ID/80?width=5&width=6', 'width: '],
    ['jpeg/ID/abc', 'width: must be a whole number'],
  ])('%s is out of bounds', async (path, text) => {
    const { status, body } = await app.call('GET', `/api/${path.replace('ID', photo.id)}`)
    expect([status, body.code]).toEqual([400, 'invalid_input'])
    expect(body.error).toContain(text)
  })

  it('is rendered once for concurrent requests', async () => {
    const image = await app.guestImage(await jpeg(1200, 900))
    const before = app.deps.variants.stats().files
    const responses = await Promise.all(Array.from({ length: 8 }, () => picture(`/api/resize/${image.id}/555`)))
    expect(new Set(responses.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1)
    expect(app.deps.variants.stats().files).toBe(before + 1)
  })

  it('is cached at most 64 times per image', async () => {
    const image = await app.guestImage(await jpeg(200, 200))
    for (let width = 1; width <= 70; width++) await app.request(`/api/jpeg/${image.id}/${width}`)
    expect((await picture(`/api/jpeg/${image.id}/1`)).width).toBe(1)
    const folder = join('variants', image.id.slice(0, 2), image.id)
    await expect.poll(async () => (await app.files(folder)).length).toBe(64)
  })
})

describe('an original', () => {
  it('is sent with its headers', async () => {
    const response = await app.request(photo.url)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.status).toBe(200)
    expect(bytes.length).toBe(photo.size)
    const headers = Object.fromEntries(response.headers)
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(photo.size),
      'accept-ranges': 'bytes',
      // An hour in all.
      'cache-control': 'public, max-age=3540, s-maxage=3540, stale-while-revalidate=60',
      'surrogate-key': photo.id,
      'cache-tag': photo.id,
      'content-disposition': `inline; filename="${photo.file_name}"; filename*=UTF-8''${photo.original_name}`,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['etag']).toMatch(/^"[\w-]{20,}"$/)
  })

  const paths = [
    ['the original', () => photo.url],
    ['a variant', () => photo.thumbnailUrl],
  ] as const
  it.each(paths)('%s responds 304 to its own ETag, and HEAD without a body', async (_, path) => {
    const whole = await app.request(path())
    const etag = whole.headers.get('etag') ?? ''
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.request(path(), { headers: { 'if-none-match': header } })
      expect([again.status, await again.text()]).toEqual([304, ''])
      expect(again.headers.get('etag')).toBe(etag)
    }
    expect((await app.request(path(), { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    const head = await app.request(path(), { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name))
    }
  })

  it.each([
    ['bytes=0-9', 206, 'bytes 0-9/SIZE', 10],
    ['bytes=10-', 206, 'bytes 10-LAST/SIZE', -10],
    ['bytes=-5', 206, 'bytes FROM-LAST/SIZE', 5],
    ['bytes=-999999999', 206, 'bytes 0-LAST/SIZE', 0],
    ['bytes=-99999999999999999999', 206, 'bytes 0-LAST/SIZE', 0],
    ['bytes=0-999999999', 206, 'bytes 0-LAST/SIZE', 0],
    ['bytes=0-1,5-6', 200, null, 0],
    ['lines=1-2', 200, null, 0],
    ['nonsense', 200, null, 0],
  ])('serves %s', async (range, status, contentRange, length) => {
    const response = await app.request(photo.url, { headers: { range } })
    const expected = contentRange
      ?.replace('SIZE', `${photo.size}`)
      .replace('LAST', `${photo.size - 1}`)
      .replace('FROM', `${photo.size - 5}`)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-range')).toBe(expected ?? null)
    expect((await response.arrayBuffer()).byteLength).toBe(length > 0 ? length : photo.size + length)
  })

  it('gets 416 for a range past its end, and whole when If-Range is stale', async () => {
    const behind = await app.request(photo.url, { headers: { range: 'bytes=999999999-' } })
    expect(behind.status).toBe(416)
    expect(behind.headers.get('content-range')).toBe(`bytes */${photo.size}`)
    expect(await behind.json()).toMatchObject({ code: 'range_not_satisfiable' })
    const stale = await app.request(photo.url, { headers: { range: 'bytes=0-9', 'if-range': '"old"' } })
    expect(stale.status).toBe(200)
  })

  it('is streamed when it is large', async () => {
    const { token } = await app.newUser()
    const large = await png(1400, 1200)
    const { body } = await app.upload(large, { token })
    expect(body.size).toBeGreaterThan(1024 * 1024)
    const bytes = Buffer.from(await (await app.request(body.url)).arrayBuffer())
    expect(bytes.equals(await readFile(join(app.dataDir, 'originals', body.id.slice(0, 2), body.id)))).toBe(true)
  })

  it.each([
    '/uploads/none.jpg',
    '/api/thumbnail/none/400',
    '/api/webp/none/80',
    `/uploads/${'x'.repeat(150)}`,
    '/uploads/..%2Fjwt-secret',
  ])('%s is not found', async (path) => {
    expect(await app.call('GET', path)).toMatchObject({ status: 404, body: { code: 'image_not_found' } })
  })
})

describe('a deleted or expired image', () => {
  const everyPath = (image: UploadedImage) => [
    image.url,
    image.thumbnailUrl,
    `/api/thumbnail/${image.id}/123`,
    `/api/resize/${image.id}/800`,
    `/api/resize/${image.id}/80/80`,
    `/api/jpeg/${image.id}/800`,
    `/api/webp/${image.id}/80?width=600`,
  ]
  const statuses = (image: UploadedImage) =>
    Promise.all(everyPath(image).map(async (path) => (await app.request(path)).status))

  it('responds 410 at once after its deletion, for 30 days, then 404', async () => {
    const image = await app.guestImage(await jpeg(900, 700))
    expect(new Set(await statuses(image))).toEqual(new Set([200]))
    await app.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
    expect(new Set(await statuses(image))).toEqual(new Set([410]))
    expect((await app.files('originals')).includes(image.id)).toBe(false)
    expect(await app.call('GET', `/api/jpeg/${image.id}/800`)).toMatchObject({
      body: { error: 'This image has expired or was deleted' },
    })

    const { sweepExpired } = await import('../../domain/images/deletion/sweep.ts')
    app.moveClock(29 * dayMs)
    await sweepExpired(app.deps)
    expect((await app.request(image.url)).status).toBe(410)
    app.moveClock(2 * dayMs)
    await sweepExpired(app.deps)
    expect((await app.request(image.url)).status).toBe(404)
  })

  it('responds 410 from its expiry on, and max-age never exceeds the time left', async () => {
    const image = await app.guestImage(await jpeg(300, 300))
    app.moveClock(60 * dayMs - 60_000)
    const last = await app.request(image.url)
    const maxAge = Number(/max-age=(\d+)/.exec(last.headers.get('cache-control') ?? '')?.[1])
    expect(maxAge).toBeGreaterThan(50)
    expect(maxAge).toBeLessThanOrEqual(60)
    app.moveClock(60_000)
    expect(new Set(await statuses(image))).toEqual(new Set([410]))
  })
})

it('an original is also found without its extension, and by no other name', async () => {
  const image = await app.guestImage(await jpeg(), 'photo.jpg')
  const path = new URL(image.url).pathname
  const [withIt, without] = [await picture(path), await picture(path.replace(/\.jpg$/, ''))]
  expect(without).toEqual(withIt)
  for (const name of [`other-${image.id}`, image.id, `photo-${image.id}.png`])
    expect((await app.request(`/uploads/${name}`)).status, name).toBe(404)
})
