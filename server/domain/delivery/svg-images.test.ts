import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import { sanitizeSvg } from '../../imaging/decoder/svg/sanitize.ts'
import { benignSvgs } from '../../imaging/decoder/svg/testing/benign.ts'
import { dangersIn } from '../../imaging/decoder/svg/testing/dangers.ts'
import { hostiles } from '../../imaging/decoder/svg/testing/hostile.ts'
import { type ApiResponse, startTestApp, type TestApp } from '../../testing/app.ts'
import { isShortRun, rowsInTurn } from '../../testing/short-run.ts'

const { rasterPx } = limits.image

let app: TestApp
let token: string
let apiKey: string
beforeAll(async () => {
  app = await startTestApp()
  ;({ token } = await app.newUser())
  apiKey = (await app.call('POST', '/api/api-keys', { token, body: { name: 'drawings' } })).body.key
})
afterAll(() => app.stop())

/** A green left half on nothing. */
const drawing = (width: number, height = width, inside = '') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none">${inside}<rect width="50" height="100" fill="#0a0"/></svg>`,
  )
const send = (bytes: Uint8Array, options: { token?: string } = { token }): Promise<ApiResponse> =>
  app.upload(bytes, { name: 'Drawing.svg', type: 'image/svg+xml', ...options })
async function stored(bytes: Uint8Array) {
  const { status, body } = await send(bytes)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
async function get(path: string) {
  const response = await app.request(path)
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
/** What eviction does to all that was made of an image. */
const forget = (id: string) => app.deps.variants.deleteImage(id)

it('stores forty icons that a user sends at once, however many are being drawn', async () => {
  const icons = Array.from({ length: 40 }, (_, n) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><path d="M2 ${n}h9v9"/></svg>`),
  )
  const answers = await Promise.all(icons.map((icon) => send(icon)))
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201))
})

describe('uploading an SVG', () => {
  it('accepts one from a user and from an API key, by its bytes, and returns every field', async () => {
    for (const credential of [token, apiKey]) {
      const { status, body } = await app.upload(drawing(320, 200), {
        token: credential,
        name: 'Logo.png',
        type: 'image/png',
      })
      expect(status).toBe(201)
      expect(body).toMatchObject({ width: 320, height: 200, mime: 'image/svg+xml', frames: 1, guest: false })
      expect(body.file_name).toBe(`logo-${body.id}.svg`)
      expect(body.placeholder).toBe('#00aa00')
    }
  })

  it('refuses one from a guest', async () => {
    expect(await send(drawing(9), {})).toMatchObject({
      status: 415,
      body: {
        code: 'unsupported_type',
        error: 'File type must be PNG, JPG, JPEG or WebP',
      },
    })
  })

  it('is listed in the limits', async () => {
    const { body } = await app.call('GET', '/api/limits')
    expect(body.user.types).toEqual(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml'])
    expect(body.guest.types).toEqual(['image/png', 'image/jpeg', 'image/webp'])
    expect(body.image.rasterPx).toBe(rasterPx)
  })

  it.each([
    [
      'a text that holds one',
      415,
      'unsupported_type',
      Buffer.from('my drawing: <svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['no XML', 422, 'broken_image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g></svg>')],
    ['no namespace', 415, 'unsupported_type', Buffer.from('<svg width="9" height="9"></svg>')],
    ['more than 2 MiB', 422, 'image_over_limit', drawing(9, 9, `<!--${' '.repeat(2 ** 21)}-->`)],
  ])('refuses %s and stores nothing', async (_, status, code, bytes) => {
    const before = [await app.files('originals'), await app.files('variants')]
    expect(await send(bytes)).toMatchObject({ status, body: { code } })
    expect([await app.files('originals'), await app.files('variants')]).toEqual(before)
    expect(await app.files('tmp')).toEqual([])
  })

  it.each(
    hostiles
      .filter(({ svg }) => svg.length > 0)
      // The sanitizer's own test has all of them in a short run too.
      .filter(({ fate }, n) => !isShortRun || n % 12 === 0 || ['over_limit', 'unsupported'].includes(fate))
      .map(({ name, svg, fate }) => [fate, name, Buffer.from(svg as string)] as const),
  )('hostile, %s: %s', async (fate, _, bytes) => {
    const { status, body } = await send(bytes)
    const expected = { cleaned: 201, broken: 422, over_limit: 422, unsupported: 415 }[fate]
    expect(status).toBe(bytes.toString('latin1', 0, 3) === 'GIF' ? 422 : expected) // a broken GIF, by its bytes
    if (status !== 201) return
    const original = await get(body.url)
    expect(original.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect(original.bytes.equals(sanitizeSvg(bytes).svg)).toBe(true)
    expect(dangersIn(original.bytes.toString())).toEqual([])
    expect(original.bytes.toString()).not.toMatch(/<script|onload|javascript:/i)
    expect((await sharp((await get(body.thumbnailUrl)).bytes).metadata()).format).toBe('webp')
  })

  it('responds 503 when too many are rasterized concurrently', async () => {
    // With this time limit six of a new user may wait.
    const hurried = await startTestApp({}, undefined, { imagingJobTimeLimitMs: 800 })
    const user = await hurried.newUser()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => hurried.upload(drawing(1800, 1800, slowly), { token: user.token })),
    )
    const busy = answers.filter(({ status }) => status === 503)
    expect(busy.length).toBeGreaterThan(0)
    for (const { headers, body } of busy) {
      expect(body.code).toBe('busy')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(answers.every(({ status }) => status === 201 || status === 503)).toBe(true)
    await expect.poll(() => hurried.files('tmp')).toEqual([])
    await hurried.stop()
  })
})

/** A fifth of a second or more. */
const slowly =
  '<filter id="f" x="0" y="0" width="1" height="1"><feTurbulence baseFrequency=".7"/></filter><rect width="50" height="100" filter="url(#f)"/>'

describe('an original SVG', () => {
  it('is delivered with a policy that forbids scripts, loads and navigation', async () => {
    const image = await stored(drawing(40, 40, '<script>alert(1)</script>'))
    const { headers, bytes } = await get(image.url)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
      'content-disposition': expect.stringContaining(`inline; filename="${image.file_name}"; filename*=UTF-8''`),
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    })
    expect(bytes.length).toBe(image.size)
    expect(await app.request(image.url, { headers: { range: 'bytes=0-3' } }).then((r) => r.text())).toBe('<svg')
  })
})

describe('variants of an SVG', () => {
  const sizes: [path: string, own: [number, number], variant: [number, number], format: string][] = [
    ['thumbnail/ID/400', [600, 300], [400, 200], 'webp'],
    ['thumbnail/ID/400', [24, 24], [24, 24], 'webp'],
    ['resize/ID/300', [600, 300], [300, 150], 'webp'],
    ['resize/ID/4096', [600, 300], [600, 300], 'webp'],
    ['resize/ID/4096', [6000, 3000], [rasterPx, rasterPx / 2], 'webp'],
    ['resize/ID/1200', [6000, 3000], [1200, 600], 'webp'],
    ['resize/ID/100/100', [600, 300], [100, 100], 'webp'],
    ['resize/ID/100/100?fit=inside', [600, 300], [100, 50], 'webp'],
    ['resize/ID/100/100?fit=contain', [600, 300], [100, 100], 'webp'],
    ['resize/ID/3000/3000', [6000, 3000], [rasterPx / 2, rasterPx / 2], 'webp'],
    ['jpeg/ID/300', [600, 300], [300, 150], 'jpeg'],
    ['webp/ID/80', [600, 300], [600, 300], 'webp'],
    ['webp/ID/80?width=90', [600, 300], [90, 45], 'webp'],
  ]
  it.each(rowsInTurn(sizes, 0))('%s of %o measures %o', async (path, [width, height], variant, format) => {
    const image = await stored(drawing(width, height))
    const { status, headers, bytes } = await get(`/api/${path.replace('ID', image.id)}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(`image/${format}`)
    expect(headers.get('content-disposition')).toContain(format === 'jpeg' ? '.jpg"' : `.${format}"`)
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual(variant)
    expect(info.channels).toBe(format === 'jpeg' ? 3 : 4)
    const middle = Math.floor(info.height / 2) * info.width * info.channels
    const right = middle + (info.width - 1) * info.channels
    const left = path.includes('100/100') ? middle + Math.floor(info.width / 4) * info.channels : middle
    expect(Math.abs((data[left + 1] ?? 0) - 0xaa)).toBeLessThan(6)
    if (format === 'jpeg') expect(data[right]).toBeGreaterThan(240)
    else expect(data[right + 3]).toBe(0)
  })

  it('come from its raster, which is rendered once', async () => {
    const rasterize = vi.spyOn(app.deps.imaging, 'rasterize')
    const image = await stored(drawing(1000))
    await get(`/api/resize/${image.id}/900`)
    await get(`/api/jpeg/${image.id}/1000`)
    expect(rasterize).not.toHaveBeenCalled()
    rasterize.mockRestore()
  })

  it('come from one new raster for concurrent requests after its eviction', async () => {
    const rasterize = vi.spyOn(app.deps.imaging, 'rasterize')
    const image = await stored(drawing(1000))
    const before = await get(`/api/resize/${image.id}/500`)
    await forget(image.id)
    const paths = ['resize/ID/500', 'resize/ID/400', 'jpeg/ID/300', 'thumbnail/ID/100', 'analyze/ID']
    const answers = await Promise.all(paths.map((path) => get(`/api/${path.replace('ID', image.id)}`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(answers[0]?.bytes.equals(before.bytes)).toBe(true)
    expect(rasterize).toHaveBeenCalledTimes(1)
    expect(app.deps.variants.pathOf(image.id, 'intermediate')).not.toBeNull()
    await get(`/api/resize/${image.id}/200`)
    expect(rasterize).toHaveBeenCalledTimes(1)
    expect(await app.files('tmp')).toEqual([])
    rasterize.mockRestore()
  })

  it('come from a new raster after the operator emptied the cache', async () => {
    const image = await stored(drawing(1000))
    const folder = join(app.dataDir, 'variants')
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
    expect((await get(`/api/resize/${image.id}/500`)).status).toBe(200)
    expect((await get(`/api/analyze/${image.id}`)).status).toBe(200)
  })

  it('are rendered without a cache, too', async () => {
    const uncached = await startTestApp({ CACHE_MAX_BYTES: '1' })
    try {
      const user = await uncached.newUser()
      const { body } = await uncached.upload(drawing(500), { token: user.token })
      for (const path of [`/api/resize/${body.id}/300`, `/api/thumbnail/${body.id}/400`, `/api/analyze/${body.id}`]) {
        expect((await uncached.request(path)).status).toBe(200)
      }
      expect(await uncached.files('tmp')).toEqual([])
    } finally {
      await uncached.stop()
    }
  })

  it('are deleted with it', async () => {
    const image = await stored(drawing(100))
    expect((await app.call('DELETE', `/api/images/${image.id}`, { token })).status).toBe(200)
    expect((await get(`/api/resize/${image.id}/50`)).status).toBe(410)
    expect((await get(image.url)).status).toBe(410)
    expect((await app.files('variants')).filter((name) => name.includes(image.id))).toEqual([])
  })

  it('are rendered for every kind of drawing', async () => {
    for (const [name, source] of Object.entries(await benignSvgs())) {
      const image = await stored(Buffer.from(source))
      const { status, bytes } = await get(`/api/resize/${image.id}/4096`)
      expect(status, name).toBe(200)
      const { width, height } = await sharp(bytes).metadata()
      expect([width, height]).toEqual([image.width, image.height])
    }
  })
})

describe('the analysis of an SVG', () => {
  it('describes its raster and gives suitable tips', async () => {
    const image = await stored(drawing(3000, 1500, '<rect width="100" height="100" fill="#00f"/>'))
    const { status, body } = await app.call('GET', `/api/analyze/${image.id}`)
    expect(status).toBe(200)
    const facts = {
      format: 'svg',
      width: 3000,
      height: 1500,
      space: 'srgb',
      channels: 4,
      depth: 'uchar',
      hasAlpha: true,
      isProgressive: false,
      hasProfile: false,
      pages: 1,
    }
    expect(body).toMatchObject({ ...facts, original: { ...facts, size: image.size } })
    expect(body.colorInfo).toMatchObject({ averageColor: { r: 0, g: 85, b: 128 }, dominantChannel: 'blue' })
    expect(body.recommendedSizes.desktop).toEqual({ width: 1920, height: 960 })
    expect(body.optimizationTips).toHaveLength(1)
    expect(body.optimizationTips[0]).toContain('SVG scales without loss')
  })
})
