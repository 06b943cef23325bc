// A private image is nothing to strangers: every address and endpoint responds as for an image that has never existed
// (docs/decisions/0066).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { imageUrls, withKey } from '../../../contract/derive/client.ts'
import { api } from '../../../contract/endpoints/api.ts'
import { type Endpoint, identifiesCaller } from '../../../contract/endpoints/endpoint.ts'
import type { Image, UploadedImage } from '../../../contract/endpoints/images.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { deletePagePath, sharePagePath, slugPath } from '../../../contract/plain/page-paths.ts'
import { type RouteName, routes } from '../../../contract/plain/routes.ts'
import { promote } from '../../domain/accounts/admins.ts'
import { viewKeyOf } from '../../domain/images/view-keys.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { shapes } from '../../testing/test-images.ts'

const site = 'http://img.example.com'
const hour = 3_600_000
let app: TestApp
let admin: string
let owner: { id: string; token: string }
let picture: Buffer

beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: site, RATE_LIMIT: '100000' })
  picture = await shapes(1, 600, 400).jpeg().toBuffer()
  owner = await app.newUser()
  const { email } = await app.newUser()
  await promote(app.deps, email)
  admin = (await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).body.token
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

type Named = Pick<UploadedImage, 'id' | 'file_name'> & { slug: string }

/** Has the shape of an image, and names none. */
const nothing: Named = { id: 'A'.repeat(22), file_name: `photo-${'A'.repeat(22)}.jpg`, slug: 'no-such-link' }

interface Address {
  method: string
  path: string
  body?: object
}

const parameters = { width: '300', height: '200', quality: '80', extension: 'jpg', name: 'photo' }
const bodies: Partial<Record<RouteName, object>> = {
  updateImage: { title: 'Mine' },
  signVariant: { w: 20, h: 20 },
  createViewKey: {},
  blockUploader: {},
}

/** Of every endpoint and page that names an image in its path, and of those that name it elsewhere. */
function addressesOf(image: Named): (Address & { endpoint?: Endpoint })[] {
  const values: Record<string, string> = { ...image, ...parameters, token: 'x'.repeat(43) }
  const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name)
  const named = (Object.keys(routes) as RouteName[]).filter(
    (name) => /\{(id|file_name)\}/.test(routes[name]) && api[name].category === 'images' && !('resumable' in api[name]),
  )
  const pages = [sharePagePath, slugPath, deletePagePath, `${sharePagePath}.jpg`].map((path) => fill(path))
  const urls = [imageUrls.sharePage(site, image.id), imageUrls.original(site, image.file_name)]
  const ids = [image.id]
  return [
    ...named.map((name) => {
      const [method = '', path = ''] = routes[name].split(' ')
      return { method, path: fill(path), endpoint: api[name], ...(bodies[name] && { body: bodies[name] }) }
    }),
    ...[...pages, `/uploads/${image.file_name.replace(/\.\w+$/, '')}`].map((path) => ({ method: 'GET', path })),
    ...urls.map((url) => ({ method: 'GET', path: `/oembed?url=${encodeURIComponent(url)}` })),
    { method: 'POST', path: '/api/reports', body: { image: urls[0], reason: 'spam' } },
    { method: 'POST', path: '/api/images/visibility', body: { ids, visibility: 'public' } },
    { method: 'POST', path: '/api/trash', body: { ids } },
    { method: 'POST', path: '/api/trash/restore', body: { ids } },
    { method: 'POST', path: '/api/trash/delete', body: { ids } },
    { method: 'GET', path: `/api/images?q=${image.slug}` },
  ]
}

/** Of a response, without what differs between any two. */
async function responseTo({ method, path, body }: Address, headers: Record<string, string>, image: Named) {
  const response = await fetch(app.url + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = (await response.text()).replaceAll(image.id, 'ID').replaceAll(image.slug, 'SLUG')
  const shown = [...response.headers].filter(
    ([name]) => !/^(date|x-request-id|ratelimit-.*|content-length)$/.test(name),
  )
  return { status: response.status, text: text.replaceAll(/nonce="[^"]*"/g, ''), headers: shown }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const asBrowser = { accept: 'text/html', 'sec-fetch-dest': 'document' }

describe('strangers get the response for an image that has never existed', () => {
  type Strangers = Record<string, () => Promise<Record<string, string>> | Record<string, string>>
  const strangers: Strangers = {
    'a guest': () => ({}),
    'a guest with a browser': () => asBrowser,
    'a guest who has its ETag': () => ({ 'if-none-match': '*' }),
    'another user': async () => bearer((await app.newUser()).token),
    "another user's API key": async () => {
      const { token } = await app.newUser()
      return bearer((await app.call('POST', '/api/api-keys', { token, body: {} })).body.key)
    },
    'a guest with the token of another image': async () => ({
      'x-guest-token': (await app.guestImage(picture)).delete_token,
    }),
  }
  const states: Record<string, (image: Image) => Promise<unknown>> = {
    private: async () => {},
    'private and quarantined': ({ id }) =>
      app.call('POST', '/api/admin/images/moderate', {
        token: admin,
        body: { action: 'quarantine', ids: [id], reason: 'x' },
      }),
    'private and in the trash': ({ id }) => app.call('DELETE', `/api/images/${id}?trash=1`, owner),
    'private and deleted': ({ id }) => app.call('DELETE', `/api/images/${id}`, owner),
    'private and expired': ({ id }) =>
      app.deps.db
        .updateTable('images')
        .set({ expires_at: app.deps.now() - 1 })
        .where('id', '=', id)
        .execute(),
    'public once, and seen': async (image) => {
      const publish = (visibility: string) =>
        app.call('PATCH', `/api/images/${image.id}`, { token: owner.token, body: { visibility } })
      expect((await publish('public')).status).toBe(200)
      for (let n = 0; n < 2; n++) expect((await fetch(app.url + new URL(image.url).pathname)).status).toBe(200)
      expect((await publish('private')).status).toBe(200)
    },
  }
  // All of them are of no more use in another state than the two most different ones.
  const cases = Object.keys(states).flatMap((state) =>
    Object.keys(strangers)
      .filter((who) => state === 'private' || ['a guest', 'another user'].includes(who))
      .map((who) => [state, who] as const),
  )

  it.each(cases)('%s: %s', async (state, who) => {
    const image = await privateImage()
    await states[state]?.(image)
    const headers = (await strangers[who]?.()) ?? {}
    const wanted = addressesOf(nothing)
    for (const [at, address] of addressesOf(image).entries()) {
      const none = await responseTo(wanted[at] ?? address, headers, nothing)
      expect(await responseTo(address, headers, image), `${address.method} ${address.path}`).toEqual(none)
    }
  })
})

describe('a text or path with two ids does not say whether the other one is of a private image', () => {
  it('in a report', async () => {
    const image = await privateImage()
    // By its index, the database would find the private one first.
    let other = ''
    while (other < image.id) other = (await app.upload(picture, owner)).body.id
    for (const { id } of [image, nothing]) {
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
      [image, nothing].map((named) =>
        responseTo({ method: 'GET', path: `/uploads/${named.id}.${gone}` }, asBrowser, { ...image, id: named.id }),
      ),
    )
    expect(withPrivate).toEqual(withNone)
    expect(withNone?.status).toBe(410)
  })
})

describe('a view key', () => {
  const served = (image: Named) =>
    addressesOf(image).filter(({ endpoint }) => endpoint?.response === 'image' && !identifiesCaller(endpoint))
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
