// Private images: their keys, texts with two ids, and the visibility of an upload (docs/decisions/0066). Who may view one when is
// in the table of image-access.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withKey } from '../../../contract/derive/client.ts'
import type { Image, UploadedImage } from '../../../contract/endpoints/images.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { viewKeyOf } from '../../domain/images/sharing/view-keys.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { addressOf, ask, factsOf, type NamedImage, noImage, viewingAddresses } from '../../testing/image-routes.ts'
import { shapes } from '../../testing/test-images.ts'

const site = 'http://img.example.com'
const hour = 3_600_000
let app: TestApp
let owner: { id: string; token: string }
let picture: Buffer

beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: site, RATE_LIMIT: '100000' })
  picture = await shapes(1, 600, 400).jpeg().toBuffer()
  owner = await app.newUser()
})
afterAll(() => app.stop())

let links = 0
async function privateImage(): Promise<UploadedImage & { slug: string }> {
  const { status, body } = await app.upload(picture, { token: owner.token, fields: { visibility: 'private' } })
  expect([status, body.visibility]).toEqual([201, 'private'])
  const slug = `private-${++links}`
  const changed = await app.call('PATCH', `/api/images/${body.id}`, { token: owner.token, body: { slug } })
  expect(changed.status).toBe(200)
  return { ...body, slug }
}

const asBrowser = { accept: 'text/html', 'sec-fetch-dest': 'document' }

describe('a text or path with two ids does not say whether the other one is of a private image', () => {
  it('in a report', async () => {
    const image = await privateImage()
    // By its index, the database would find the private one first.
    let other = ''
    while (other < image.id) other = (await app.upload(picture, owner)).body.id
    for (const { id } of [image, noImage]) {
      const body = { image: `${id} ${other}`, reason: 'spam' }
      expect((await app.call('POST', '/api/reports', { body })).status).toBe(201)
    }
  })

  it('on the page of an image that has expired', async () => {
    const image = await privateImage()
    const gone = 'z'.repeat(22)
    const expiredAt = app.deps.now() - dayMs
    await app.deps.db
      .insertInto('tombstones')
      .values({ id: gone, file_name: gone, gone_at: expiredAt, expired_at: expiredAt, visibility: 'public' })
      .execute()
    const [withPrivate, withNone] = await Promise.all(
      [image, noImage].map(async (named) =>
        factsOf(await ask({ url: app.url, path: `/uploads/${named.id}.${gone}`, headers: asBrowser }), named),
      ),
    )
    expect(withPrivate).toEqual(withNone)
    expect(withNone?.status).toBe(410)
  })
})

describe('a view key', () => {
  const served = (image: NamedImage) =>
    Object.entries(viewingAddresses)
      .filter(([, { isImage }]) => isImage)
      .map(([route]) => ({ path: addressOf(route, image) }))
  const withIts = (path: string, key: string) => app.url + withKey(path, key)
  const createKey = async (id: string, body: object = {}) =>
    app.call('POST', `/api/images/${id}/view-keys`, { token: owner.token, body })

  it('opens every address of its image, from no shared cache, and is revalidated', async () => {
    const image = await privateImage()
    const { key, url, page_url: page } = (await createKey(image.id)).body
    const paths = [...served(image).map(({ path }) => path), `/api/analyze/${image.id}`]
    for (let n = 0; n < 2; n++) {
      for (const path of paths) expect((await fetch(withIts(path, key))).status, path).toBe(200)
    }
    const original = await fetch(app.url + url.slice(site.length))
    expect(original.headers.get('cache-control')).toBe('private, no-cache')
    expect(original.headers.get('surrogate-key')).toBeNull()
    const etag = original.headers.get('etag') ?? ''
    const again = await fetch(app.url + url.slice(site.length), { headers: { 'if-none-match': etag } })
    expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'private, no-cache'])
    const shared = await fetch(app.url + page.slice(site.length), { headers: asBrowser })
    expect([shared.status, shared.headers.get('cache-control'), shared.headers.get('x-robots-tag')]).toEqual([
      200,
      'private, no-cache',
      'noindex',
    ])
    const html = await shared.text()
    const addresses = [...html.matchAll(/https?:\/\/[^"\s]*(?:uploads|api|i)\/[^"\s]+/g)].map(([found]) => found)
    expect(addresses.length).toBeGreaterThan(5)
    for (const address of addresses.filter((one) => one.includes(image.id)))
      expect(decodeURIComponent(address)).toContain(`key=${key}`)
    const oembed = await fetch(`${app.url}/oembed?url=${encodeURIComponent(page)}`)
    expect(((await oembed.json()) as { url: string }).url).toContain(`key=${key}`)
    const link = await fetch(withIts(`/s/${image.slug}`, key), { redirect: 'manual' })
    expect(link.headers.get('location')).toBe(page)
  })

  it('is dropped by the custom link of a public image, whatever it contains', async () => {
    const { id, page_url: page } = (await app.upload(picture, owner)).body
    await app.call('PATCH', `/api/images/${id}`, { token: owner.token, body: { slug: 'public-link' } })
    for (const key of ['none', '%0d%0aset-cookie:a', '%e2%82%ac']) {
      const link = await fetch(withIts('/s/public-link', key), { redirect: 'manual' })
      expect([key, link.status, link.headers.get('location')]).toEqual([key, 302, page])
    }
  })

  it('is part of what the owner gets, and the same all day', async () => {
    const image = await privateImage()
    const [first, second] = await Promise.all([1, 2].map(() => app.call('GET', `/api/images/${image.id}`, owner)))
    expect(first?.body.view_key).toBe(second?.body.view_key)
    expect((await fetch(withIts(new URL(image.thumbnailUrl).pathname, first?.body.view_key))).status).toBe(200)
    const list = await app.call('GET', '/api/images?visibility=private&limit=100', owner)
    expect(list.body.every((one: Image) => one.visibility === 'private' && one.view_key !== null)).toBe(true)
    expect(list.body.map(({ id }: Image) => id)).toContain(image.id)
  })

  it.each<[string, (image: Image) => Promise<string> | string]>([
    ['of another image', async () => (await createKey((await privateImage()).id)).body.key],
    ['that has ended', ({ id }) => viewKeyOf(app.deps, { id, view_key_version: 0 }, app.deps.now() - 1000)],
    ['with a later end', async ({ id }) => (await createKey(id)).body.key.replace(/^\w+/, 'zzzzzzz')],
    ['of an older version', ({ id }) => viewKeyOf(app.deps, { id, view_key_version: -1 }, app.deps.now() + hour)],
    ['that is none', () => '../../x'],
    ['that is very long', () => 'a'.repeat(5000)],
  ])('%s opens nothing', async (_, keyOf) => {
    const image = await privateImage()
    const key = await keyOf(image)
    for (const { path } of served(image)) {
      const { status } = await fetch(withIts(path, encodeURIComponent(key)))
      expect([400, 404], path).toContain(status)
    }
    expect((await fetch(withIts(`/i/${image.id}`, encodeURIComponent(key)))).status).toBe(404)
  })

  it.each<[string, (image: Image, key: string) => Promise<unknown>]>([
    ['its end', async () => app.moveClock(2 * hour)],
    ['all keys of the image are ended', ({ id }) => app.call('DELETE', `/api/images/${id}/view-keys`, owner)],
    [
      'the image was public meanwhile',
      async ({ id }) => {
        for (const visibility of ['public', 'private']) {
          const body = { ids: [id], visibility }
          const { status, body: changed } = await app.call('POST', '/api/images/visibility', {
            token: owner.token,
            body,
          })
          expect([status, changed.images.length]).toEqual([200, 1])
        }
      },
    ],
  ])('ends by %s, also where the response is cached', async (_, end) => {
    const image = await privateImage()
    const { key } = (await createKey(image.id, { expires_in: '1h' })).body
    const paths = served(image).map(({ path }) => path)
    for (let n = 0; n < 2; n++) for (const path of paths) expect((await fetch(withIts(path, key))).status).toBe(200)
    await end(image, key)
    for (const path of paths) expect((await fetch(withIts(path, key))).status, path).toBe(404)
  })

  it('has an end of its own, of at most a year', async () => {
    const { id } = await privateImage()
    const { body } = await createKey(id, { expires_in: '365d' })
    expect(Date.parse(body.expires_at) - app.deps.now()).toBeGreaterThan(364 * dayMs)
    expect(await createKey(id, { expires_in: '366d' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', error: expect.stringContaining('at most 365d') },
    })
  })
})

describe('the visibility of an upload', () => {
  const upload = async (options: object) => (await app.upload(picture, options)).body.visibility

  it('is that of the request, else of the API key, else of the account', async () => {
    const { token } = await app.newUser()
    expect(await upload({ token })).toBe('public')
    const keyFor = async (body: object) => (await app.call('POST', '/api/api-keys', { token, body })).body.key
    const [plain, secret] = [await keyFor({}), await keyFor({ uploadVisibility: 'private' })]
    expect(await upload({ token: secret })).toBe('private')
    expect(await upload({ token: secret, fields: { visibility: 'public' } })).toBe('public')
    const { body } = await app.call('PUT', '/api/me', { token, body: { uploadVisibility: 'private' } })
    expect(body.user.uploadVisibility).toBe('private')
    expect(await upload({ token: plain })).toBe('private')
    expect(await upload({ token })).toBe('private')
  })

  it('is public for guests, who have nothing else than what they share', async () => {
    const refused = await app.upload(picture, { fields: { visibility: 'private' } })
    expect(refused).toMatchObject({ status: 403, body: { code: 'private_needs_account' } })
    const { id, delete_token: guestToken } = await app.guestImage(picture)
    const resumable = await fetch(`${app.url}/api/uploads`, {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': String(picture.length),
        'upload-metadata': `visibility ${Buffer.from('private').toString('base64')}`,
      },
    })
    expect([resumable.status, await resumable.json()]).toMatchObject([403, { code: 'private_needs_account' }])
    const changed = await app.call('PATCH', `/api/images/${id}`, { guestToken, body: { visibility: 'private' } })
    expect(changed).toMatchObject({ status: 403, body: { code: 'private_needs_account' } })
  })
})
