// The image engine: sizes, formats, negotiation, and the cache that it shares with the older paths.
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineQuery } from '../../../contract/endpoints/image-engine.ts'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { animation, jpeg, shapes, transparentPng } from '../../testing/test-images.ts'
import { fullAccess } from '../images/may-view.ts'
import { acceptedFormats } from './accepted-formats.ts'
import { variantRequestOf } from './image-engine.ts'
import { variantSignature } from './signed-variants.ts'
import { planViewed } from './variant-plan.ts'

let app: TestApp
const images: Record<string, UploadedImage> = {}
let original: Buffer
beforeAll(async () => {
  app = await startTestApp()
  const { token } = await app.newUser()
  original = await jpeg(2400, 1800)
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="150"><circle r="40"/></svg>'
  for (const [name, bytes] of Object.entries({
    photo: original,
    flat: await shapes(1, 900, 600).png().toBuffer(),
    plain: await shapes(2, 900, 600).png().toBuffer(),
    dot: await transparentPng(100),
    gif: await animation('gif', 5, 64),
    webp: await animation('webp', 4, 64),
    svg: Buffer.from(drawing),
  }))
    images[name] = (await app.upload(bytes, { name: `${name}.bin`, token })).body
})
afterAll(() => app.stop())

/** Of Chromium, of Safari before 16, and of cURL. */
const accepts = {
  avif: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
  webp: 'image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
  any: '*/*',
}

/** @param path such as `photo.jpg?w=100` */
const urlOf = (path: string) => path.replace(/^\w+/, (name) => `/i/${images[name]?.id ?? name}`)

async function image(path: string, accept: keyof typeof accepts = 'any') {
  const response = await app.request(urlOf(path), { headers: { accept: accepts[accept] } })
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(response.status, bytes.toString('latin1', 0, 200)).toBe(200)
  const { width, height, pages = 1, pageHeight } = await sharp(bytes, { animated: true }).metadata()
  const { headers } = response
  return { type: headers.get('content-type'), width, height: pageHeight ?? height, pages, bytes, headers }
}

describe('a file', () => {
  it('is the original without parameters, by any name and with ranges', async () => {
    const stored = await app.request(images['photo']?.url ?? '')
    const bytes = Buffer.from(await stored.arrayBuffer())
    for (const path of ['photo.jpg', 'photo.JPEG', 'photo/any.name%20at-all.jpg']) {
      const found = await image(path)
      expect(found.bytes.equals(bytes)).toBe(true)
      for (const name of ['etag', 'content-type', 'content-disposition', 'cache-control', 'vary'])
        expect(found.headers.get(name)).toBe(stored.headers.get(name))
    }
    const part = await app.request(urlOf('photo.jpg'), { headers: { range: 'bytes=0-9' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
  })

  it.each([
    ['photo.jpg?w=800', 'image/jpeg', 800, 600, 1],
    ['photo.jpg?w=801', 'image/jpeg', 1000, 750, 1],
    ['photo.jpg?w=4096', 'image/jpeg', 2400, 1800, 1],
    ['photo.jpg?w=400&dpr=2', 'image/jpeg', 800, 600, 1],
    ['photo.jpg?w=300&dpr=1.5', 'image/jpeg', 512, 384, 1],
    ['photo.jpg?w=4000&dpr=4', 'image/jpeg', 2400, 1800, 1],
    ['photo.jpg?h=300', 'image/jpeg', 400, 300, 1],
    ['photo.jpg?w=200&h=200', 'image/jpeg', 200, 200, 1],
    ['photo.jpg?w=190&h=95', 'image/jpeg', 200, 100, 1],
    ['photo.jpg?w=200&h=200&fit=contain', 'image/jpeg', 200, 200, 1],
    ['photo.jpg?w=200&h=200&fit=inside', 'image/jpeg', 200, 150, 1],
    ['photo.jpg?w=200&h=200&fit=scale-down', 'image/jpeg', 200, 150, 1],
    ['photo.jpg?w=1&h=4096', 'image/jpeg', 1, 1800, 1],
    ['photo.jpg?w=200&fmt=webp', 'image/webp', 200, 150, 1],
    ['photo.jpg?w=200&fmt=png', 'image/png', 200, 150, 1],
    ['photo.jpg?w=200&fmt=avif', 'image/avif', 200, 150, 1],
    ['photo.webp', 'image/webp', 2400, 1800, 1],
    ['photo.avif?w=64', 'image/avif', 64, 48, 1],
    ['photo/name.png?w=64', 'image/png', 64, 48, 1],
    ['photo.jpg?blur=5&w=64', 'image/jpeg', 64, 48, 1],
    ['dot.png?w=64', 'image/png', 64, 64, 1],
    ['gif.gif?w=64', 'image/webp', 64, 64, 5],
    ['gif.webp', 'image/webp', 64, 64, 5],
    ['gif.jpg', 'image/jpeg', 64, 64, 1],
    ['gif.gif?fmt=png', 'image/png', 64, 64, 1],
    ['gif.gif?fmt=avif', 'image/webp', 64, 64, 5],
    ['webp.webp?w=64&h=32', 'image/webp', 64, 32, 4],
    ['svg.svg?w=100', 'image/webp', 100, 50, 1],
    ['svg.png?w=4096', 'image/png', 300, 150, 1],
  ])('%s', async (path, type, width, height, pages) => {
    expect(await image(path)).toMatchObject({ type, width, height, pages })
  })

  it.each([
    ['photo.gif', 404, 'image_not_found'],
    ['photo.svg?w=100', 404, 'image_not_found'],
    ['photo.exe', 404, 'image_not_found'],
    ['photo.', 404, 'image_not_found'],
    ['unknown.jpg', 404, 'image_not_found'],
    ['photo.jpg?w=0', 400, 'w: must be from 1 to 4096'],
    ['photo.jpg?w=4097', 400, 'w: must be from 1 to 4096'],
    ['photo.jpg?w=', 400, 'w: must be a whole number'],
    ['photo.jpg?w=5&w=6', 400, 'w: '],
    ['photo.jpg?h=1.5', 400, 'h: must be a whole number'],
    ['photo.jpg?w=9&h=9&fit=fill', 400, 'fit: '],
    ['photo.jpg?q=101', 400, 'q: must be from 1 to 100'],
    ['photo.jpg?fmt=jpg', 400, 'fmt: '],
    ['photo.jpg?w=9&dpr=0', 400, 'dpr: must be a number from 1 to 4'],
    ['photo.jpg?w=9&dpr=9', 400, 'dpr: must be a number from 1 to 4'],
    ['photo.jpg?w=9&dpr=NaN', 400, 'dpr: must be a number from 1 to 4'],
    ['photo.jpg?blur=0', 400, 'blur: must be from 1 to 100'],
    ['photo.jpg?bg=red', 400, 'bg: must be a colour'],
    ['photo.jpg?bg=12345', 400, 'bg: must be a colour'],
  ])('%s is refused with %i', async (path, status, text) => {
    const found = await app.call('GET', urlOf(path))
    expect([found.status, `${found.body.code} ${found.body.error}`]).toEqual([status, expect.stringContaining(text)])
  })
})

describe('colours', () => {
  const corner = async (path: string) => {
    const { data } = await sharp((await image(path)).bytes)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return [...data.subarray(0, 4)]
  }
  it.each([
    ['dot.png?w=64', [0, 0, 0, 0]],
    ['dot.png?w=64&bg=f00', [255, 0, 0, 255]],
    ['dot.png?w=64&bg=%23FF0000', [255, 0, 0, 255]],
    ['photo.png?w=64&h=100&fit=contain', [0, 0, 0, 0]],
    ['photo.png?w=64&h=100&fit=contain&bg=00ff00', [0, 255, 0, 255]],
  ])('of the corner of %s', async (path, expected) => {
    expect(await corner(path)).toEqual(expected)
  })

  it('are mixed by a blur', async () => {
    const deviation = async (path: string) => (await sharp((await image(path)).bytes).stats()).channels[0]?.stdev ?? 0
    expect((await deviation('photo.png?w=200&blur=20')) * 4).toBeLessThan(await deviation('photo.png?w=200'))
  })
})

describe('fmt=auto', () => {
  it.each([
    ['photo.jpg?w=400', 'webp', 'image/webp', 1],
    ['photo.jpg?w=400', 'any', 'image/jpeg', 1],
    ['flat.png?w=400', 'avif', 'image/webp', 1],
    ['flat.png?w=400', 'any', 'image/png', 1],
    ['dot.png?w=80', 'avif', 'image/webp', 1],
    ['dot.png?w=80', 'any', 'image/png', 1],
    ['gif.gif?w=64', 'avif', 'image/webp', 5],
    ['gif.gif?w=64', 'any', 'image/gif', 5],
    ['webp.webp?w=64', 'any', 'image/gif', 4],
    ['svg.svg?w=100', 'avif', 'image/webp', 1],
    ['svg.svg?w=100', 'any', 'image/png', 1],
  ] as const)('%s for a client that accepts %s is %s', async (path, accept, type, pages) => {
    const found = await image(`${path}&fmt=auto`, accept)
    expect(found).toMatchObject({ type, pages })
    expect(found.headers.get('vary')).toBe('Accept')
  })

  it('of a photograph is WebP at first, cached for a minute, and AVIF once it is rendered', async () => {
    const path = 'photo.jpg?w=640&fmt=auto'
    const first = await image(path, 'avif')
    expect(first.type).toBe('image/webp')
    expect(first.headers.get('cache-control')).toBe('public, max-age=60, s-maxage=59, stale-while-revalidate=0')
    await expect.poll(async () => (await image(path, 'avif')).type).toBe('image/avif')
    const avif = await image(path, 'avif')
    expect(avif).toMatchObject({ width: 640, height: 480 })
    expect(avif.headers.get('cache-control')).toBe('public, max-age=3540, s-maxage=3540, stale-while-revalidate=60')
    expect((await image(path, 'webp')).type).toBe('image/webp')
    const etag = avif.headers.get('etag') ?? ''
    const again = await app.request(urlOf(path), { headers: { accept: accepts.avif, 'if-none-match': etag } })
    expect([again.status, again.headers.get('vary')]).toEqual([304, 'Accept'])
  })

  it('of a drawing is tried as AVIF once, then final', async () => {
    const ageOf = async (width: number) =>
      (await image(`plain.png?w=${width}&fmt=auto`, 'avif')).headers.get('cache-control')
    expect(await ageOf(512)).toBe('public, max-age=60, s-maxage=59, stale-while-revalidate=0')
    await expect.poll(() => ageOf(512)).toBe('public, max-age=3540, s-maxage=3540, stale-while-revalidate=60')
    const { jobs } = app.deps.imaging.stats().transform
    expect(await ageOf(320)).toBe('public, max-age=3540, s-maxage=3540, stale-while-revalidate=60')
    expect(app.deps.imaging.stats().transform.jobs).toBe(jobs + 1)
  })
})

describe('equal results', () => {
  it.each([
    ['/api/webp/ID/80?width=320', 'photo.jpg?w=320&fmt=webp'],
    ['/api/jpeg/ID/320', 'photo.jpg?w=257'],
    ['/api/resize/ID/640/320', 'photo.jpg?w=320&h=160&dpr=2'],
    ['/api/resize/ID/128/128?fit=contain', 'photo.jpg?w=128&h=128&fit=contain'],
    ['/api/thumbnail/ID/200', 'photo.jpg?w=200&h=200&fit=inside&fmt=webp'],
    ['/api/webp/ID/80?width=512', 'photo.webp?w=500'],
    ['/api/jpeg/ID/1000', 'photo.jpg?w=1000&fmt=auto'],
  ])('%s and %s are one file, rendered once', async (alias, path) => {
    const first = await app.request(alias.replace('ID', images['photo']?.id ?? ''))
    const bytes = Buffer.from(await first.arrayBuffer())
    const { jobs } = app.deps.imaging.stats().transform
    expect((await image(path)).bytes.equals(bytes)).toBe(true)
    expect(app.deps.imaging.stats().transform.jobs).toBe(jobs)
  })
})

describe('with SIGN_VARIANTS=on', () => {
  let strict: TestApp
  let id: string
  let guestToken: string
  beforeAll(async () => {
    strict = await startTestApp({ SIGN_VARIANTS: 'on' })
    ;({ id, delete_token: guestToken } = await strict.guestImage(await jpeg(1000, 500)))
  })
  afterAll(() => strict.stop())

  it.each([
    [200, '/i/ID.jpg'],
    [200, '/i/ID.webp'],
    [200, '/i/ID.jpg?w=200&fmt=auto'],
    [200, '/i/ID.jpg?w=201'],
    [200, '/i/ID.jpg?w=200&h=200&fit=inside'],
    [200, '/api/thumbnail/ID/400'],
    [200, '/api/webp/ID/80?width=800'],
    [200, '/api/jpeg/ID/4000'],
    [403, '/i/ID.jpg?w=200&h=200'],
    [403, '/i/ID.jpg?w=200&q=81'],
    [403, '/i/ID.jpg?w=200&blur=3'],
    [403, '/i/ID.jpg?w=200&h=99&fit=contain&bg=123'],
    [403, '/api/resize/ID/300/200'],
    [403, '/api/jpeg/ID/301'],
    [403, '/api/webp/ID/79'],
    [403, '/i/ID.jpg?w=200&h=200&sig=AAAA'],
  ])('%i for %s', async (status, path) => {
    const found = await strict.request(path.replace('ID', id))
    expect(found.status).toBe(status)
    if (status === 403) expect(await found.json()).toMatchObject({ code: 'signature_required' })
  })

  it('its owner gets signed addresses', async () => {
    const { url } = (
      await strict.call('POST', `/api/images/${id}/variants`, { guestToken, body: { w: 64, h: 64, bg: '#F00' } })
    ).body
    expect(new URL(url).search).toMatch(/^\?w=64&h=64&bg=ff0000&sig=[\w-]{43}$/)
    expect((await strict.request(new URL(url).pathname + new URL(url).search)).status).toBe(200)
  })

  it('a signature is for its image and parameters, in any order', async () => {
    const sig = variantSignature(strict.deps, id, { w: 200, h: 200, dpr: 2 })
    const statusOf = async (query: string, of = id) => (await strict.request(`/i/${of}.jpg?${query}&sig=${sig}`)).status
    expect(await statusOf('w=200&h=200&dpr=2')).toBe(200)
    expect(await statusOf('dpr=2.0&h=200&w=200')).toBe(200)
    expect(await statusOf('w=200&h=201&dpr=2')).toBe(403)
    expect(await statusOf('w=200&h=200')).toBe(403)
    const other = await strict.guestImage(await jpeg(300, 300))
    expect(await statusOf('w=200&h=200&dpr=2', other.id)).toBe(403)
  })
})

describe('variantRequestOf', () => {
  const wide = { format: 'jpeg', width: 4000, height: 1000, frames: 1, has_alpha: 0 } as const
  it.each([
    [{}, { fit: 'inside' }],
    [{ w: 10 }, { width: 64, fit: 'inside' }],
    [{ h: 100 }, { width: 400, fit: 'inside' }],
    [{ h: 4096 }, { width: 4096, fit: 'inside' }],
    [
      { w: 100, h: 1 },
      { width: 100, height: 1, fit: 'cover' },
    ],
    [
      { w: 1, h: 4096 },
      { width: 1, height: 4096, fit: 'cover' },
    ],
    [
      { w: 4096, h: 4096, dpr: 4 },
      { width: 4096, height: 4096, fit: 'cover' },
    ],
    [
      { w: 4096, h: 1, dpr: 4 },
      { width: 4096, height: 1, fit: 'cover' },
    ],
  ] as const)('%j', (query, expected) => {
    expect(variantRequestOf(wide, query)).toEqual({ quality: 80, keepsAnimation: true, ...expected })
  })

  const others: { [Name in Exclude<keyof EngineQuery, 'fmt' | 'sig'>]: NonNullable<EngineQuery[Name]> } = {
    w: 400,
    h: 100,
    fit: 'contain',
    q: 50,
    dpr: 2,
    blur: 5,
    bg: 'ff0000',
  }
  it.each(Object.entries(others))('another %s is another variant', (name, value) => {
    const seen = { ...wide, has_alpha: 1, ...fullAccess } as const
    const keyOf = (query: EngineQuery) => planViewed(seen, { ...variantRequestOf(seen, query), format: 'webp' }).key
    expect(keyOf({ w: 200, h: 200, [name]: value })).not.toBe(keyOf({ w: 200, h: 200 }))
  })
})

it.each([
  [accepts.avif, { avif: true, webp: true }],
  [accepts.webp, { avif: false, webp: true }],
  ['*/*', { avif: false, webp: false }],
  [undefined, { avif: false, webp: false }],
  ['IMAGE/AVIF ; q=0.5', { avif: true, webp: false }],
  ['image/avif;q=0, image/webp; q=0.001', { avif: false, webp: true }],
  ['image/avifx, ximage/webp', { avif: false, webp: false }],
])('Accept: %s', (accept, expected) => {
  expect(acceptedFormats(accept)).toEqual(expected)
})
