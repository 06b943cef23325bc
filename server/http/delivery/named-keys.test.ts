// Every route that can return a byte or a fact of an image, asked with every kind of key that names a link or a membership: who
// may not view the image gets the response for one that has never existed. A route that names an image is here by itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { imageUrls, withKey } from '../../../contract/derive/client.ts'
import { api } from '../../../contract/endpoints/api.ts'
import { type Endpoint, identifiesCaller } from '../../../contract/endpoints/endpoint.ts'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { sharePagePath, slugPath } from '../../../contract/plain/page-paths.ts'
import { type RouteName, routes } from '../../../contract/plain/routes.ts'
import type { LinksTable } from '../../db/schema.ts'
import { linkViewKeyOf, memberViewKeyOf, signLinkKey, signMemberKey, viewKeyOf } from '../../domain/images/view-keys.ts'
import { newId } from '../../domain/shared/secrets.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

const site = 'https://pics.example'
const hour = 3_600_000
let app: TestApp
let picture: Buffer
let owner: Awaited<ReturnType<TestApp['newUser']>>
let admin: string

beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: site, ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret' })
  picture = await jpeg(900, 600)
  owner = await app.newUser()
  const body = { email: 'boss@example.com', password: 'boss-secret' }
  admin = (await app.call('POST', '/api/login', { body })).body.token
})
afterAll(() => app.stop())

type Named = Pick<UploadedImage, 'id' | 'file_name'> & { slug: string }

let count = 0
async function newImage(visibility: 'public' | 'private' = 'private'): Promise<Named> {
  const { body } = await app.upload(picture, { token: owner.token, fields: { visibility } })
  const slug = `named-${count++}`
  await app.call('PATCH', `/api/images/${body.id}`, { token: owner.token, body: { slug } })
  return { ...body, slug }
}

const nothing: Named = { id: 'A'.repeat(22), file_name: `photo-${'A'.repeat(22)}.jpg`, slug: 'no-such-link' }

async function newAlbum(images: Named[], parent: string | null = null): Promise<string> {
  const { db } = app.deps
  const id = newId(app.deps)
  const row = { id, owner_id: owner.id, parent_id: parent, title: 'Italy', description: '', created_at: 1 }
  await db.insertInto('albums').values(row).execute()
  for (const [at, image] of images.entries())
    await db
      .insertInto('album_images')
      .values({ album_id: id, image_id: image.id, position: `a${at}`, added_at: 1 })
      .execute()
  return id
}

async function newLink(body: object): Promise<LinksTable> {
  const made = await app.call('POST', '/api/links', { token: owner.token, body })
  expect(made.status).toBe(201)
  return app.deps.db.selectFrom('links').selectAll().where('id', '=', made.body.id).executeTakeFirstOrThrow()
}
const change = (link: LinksTable, body: object) =>
  app.call('PATCH', `/api/links/${link.id}`, { token: owner.token, body })

async function newMember(albumId: string): Promise<string> {
  const id = newId(app.deps)
  const { id: userId } = await app.newUser()
  const row = { id, album_id: albumId, user_id: userId, role: 'view' as const, created_at: 1, accepted_at: 1 }
  await app.deps.db.insertInto('album_members').values(row).execute()
  return id
}

const parameters = { width: '300', height: '200', quality: '80', extension: 'jpg', name: 'photo' }

/** Of all endpoints that name an image in their path and take a key, and of the pages that do. */
const keyed = (Object.keys(routes) as RouteName[]).filter((name) => {
  const { query }: Endpoint = api[name]
  return query !== undefined && 'key' in query.shape
})

function addressesOf(image: Named): { name: string; path: string }[] {
  const values: Record<string, string> = { ...image, ...parameters }
  const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name)
  const pages = [sharePagePath, slugPath].map((path) => ({ name: path, path: fill(path) }))
  return [...keyed.map((name) => ({ name, path: fill(routes[name].split(' ')[1] ?? '') })), ...pages]
}

const get = (path: string, key: string | undefined, headers: Record<string, string> = {}) =>
  fetch(app.url + withKey(path, key), { redirect: 'manual', headers })
const oembedOf = (image: Named, key: string | undefined) =>
  fetch(`${app.url}/oembed?url=${encodeURIComponent(withKey(imageUrls.sharePage(site, image.id), key))}`)

/** Without what differs between any two responses. */
async function factsOf(response: Response, image: Named) {
  const text = (await response.text()).replaceAll(image.id, 'ID').replaceAll(image.slug, 'SLUG')
  const headers = [...response.headers].filter(
    ([name]) => !/^(date|x-request-id|ratelimit-.*|content-length)$/.test(name),
  )
  return { status: response.status, text: text.replaceAll(/nonce="[^"]*"/g, ''), headers }
}

const kinds: Record<string, Record<string, string>> = {
  plain: {},
  browser: { accept: 'text/html', 'sec-fetch-dest': 'document' },
  etag: { 'if-none-match': '*' },
  range: { range: 'bytes=0-9' },
}

/** Through every address, as programs and browsers ask, with an ETag, and by a range. */
async function responsesTo(image: Named, key: string | undefined) {
  const all: Record<string, unknown> = {}
  for (const { name, path } of addressesOf(image))
    for (const [kind, headers] of Object.entries(kinds))
      all[`${name} ${kind}`] = await factsOf(await get(path, key, headers), image)
  all['oembed'] = await factsOf(await oembedOf(image, key), image)
  return all
}

async function expectNothing(image: Named, key: string | undefined): Promise<void> {
  expect(await responsesTo(image, key)).toEqual(await responsesTo(nothing, key))
}

async function expectAll(image: Named, key: string): Promise<void> {
  for (let n = 0; n < 2; n++)
    for (const { path } of addressesOf(image)) {
      const response = await get(path, key)
      expect([path, response.status < 303]).toEqual([path, true])
      if (response.status === 200 && !path.startsWith('/api/analyze'))
        expect([path, response.headers.get('cache-control')]).toEqual([path, 'private, no-cache'])
      expect(response.headers.get('surrogate-key')).toBeNull()
    }
}

it('has a row for every route that sends an image without asking who it is for', () => {
  const served = (Object.keys(routes) as RouteName[]).filter((name) => {
    const endpoint: Endpoint = api[name]
    return endpoint.response === 'image' && !identifiesCaller(endpoint)
  })
  expect(keyed).toEqual(expect.arrayContaining(served))
})

interface Shared {
  image: Named
  key: string
}
type Way = () => Promise<Shared & { link?: LinksTable; album?: string; member?: string }>

const ways: Record<string, Way> = {
  'a link that names it': async () => {
    const image = await newImage()
    const link = await newLink({ images: [image.id] })
    return { image, link, key: linkViewKeyOf(app.deps, image, link) }
  },
  'a link to an album around its album': async () => {
    const image = await newImage()
    const outer = await newAlbum([])
    const album = await newAlbum([image], outer)
    const link = await newLink({ album_id: outer, shows_private: true })
    return { image, link, album, key: linkViewKeyOf(app.deps, image, link) }
  },
  'a membership of an album around its album': async () => {
    const image = await newImage()
    const outer = await newAlbum([])
    const album = await newAlbum([image], outer)
    const member = await newMember(outer)
    return { image, album, member, key: memberViewKeyOf(app.deps, image, member) }
  },
}

const ends: Record<string, (shared: Awaited<ReturnType<Way>>) => unknown> = {
  'it is revoked': ({ link }) => link && change(link, { revoked: true }),
  'it has ended': ({ link }) => link && change(link, { ends_at: new Date(app.deps.now() - 1).toISOString() }),
  'it has not started': ({ link }) =>
    link && change(link, { starts_at: new Date(app.deps.now() + hour).toISOString() }),
  'it gets a password': ({ link }) => link && change(link, { password: 'sea' }),
  'it is deleted': ({ link }) => link && app.call('DELETE', `/api/links/${link.id}`, { token: owner.token }),
  'it no longer shows private images': ({ link, album }) => album && link && change(link, { shows_private: false }),
  'the image leaves the album': ({ album }) =>
    album && app.deps.db.deleteFrom('album_images').where('album_id', '=', album).execute(),
  'the album moves out': ({ album }) =>
    album && app.deps.db.updateTable('albums').set({ parent_id: null }).where('id', '=', album).execute(),
  'the member is removed': ({ member }) =>
    member && app.deps.db.deleteFrom('album_members').where('id', '=', member).execute(),
  'the member is suspended': ({ member }) =>
    member &&
    app.deps.db
      .updateTable('users')
      .set({ status: 'Inactive' })
      .where('id', '=', (user) =>
        user.selectFrom('album_members').select('user_id').where('id', '=', member).$castTo<{ user_id: string }>(),
      )
      .execute(),
  'the image is in the trash': ({ image }) =>
    app.call('DELETE', `/api/images/${image.id}?trash=1`, { token: owner.token }),
  'the image is deleted': ({ image }) => app.call('DELETE', `/api/images/${image.id}`, { token: owner.token }),
  'the image is quarantined': ({ image }) =>
    app.call('POST', '/api/admin/images/moderate', {
      token: admin,
      body: { action: 'quarantine', ids: [image.id], reason: 'x' },
    }),
  'its end has come': () => app.moveClock(3 * dayMs),
}

describe.each(Object.keys(ways))('by %s', (way) => {
  it('everyone who has the key views the image, from no shared cache', async () => {
    const shared = await ways[way]?.()
    if (!shared) throw new Error(`There is no ${way}`)
    const { image, key } = shared
    await expectAll(image, key)
    const html = await (await get(`/i/${image.id}`, key)).text()
    expect(html).toContain(`key=${key}`)
    expect((await oembedOf(image, key)).status).toBe(200)
    await expectNothing(image, undefined)
  })

  it.each(Object.keys(ends))('nobody does when %s', async (end) => {
    const shared = await ways[way]?.()
    if (!shared) throw new Error(`There is no ${way}`)
    const path = `/uploads/${shared.image.file_name}`
    const etag = (await get(path, shared.key)).headers.get('etag') ?? ''
    expect((await get(path, shared.key, { 'if-none-match': etag })).status).toBe(304)
    // Where the way has no such end, the key still opens the image.
    const isEnded = (await ends[end]?.(shared)) !== undefined || end === 'its end has come'
    if (!isEnded) return expectAll(shared.image, shared.key)
    expect((await get(path, shared.key, { 'if-none-match': etag })).status).toBe(404)
    await expectNothing(shared.image, shared.key)
    if (end === 'its end has come') app.moveClock(-3 * dayMs)
  })
})

it('used-up views do not close what was opened', async () => {
  const image = await newImage()
  const link = await newLink({ images: [image.id], max_views: 1 })
  await app.deps.db.updateTable('links').set({ views_left: 0 }).where('id', '=', link.id).execute()
  await expectAll(image, linkViewKeyOf(app.deps, image, link))
})

describe('a key is of one kind, one image, and one version', () => {
  it.each<[string, (image: Named, link: LinksTable, member: string) => string]>([
    ['of another image', (_, link) => linkViewKeyOf(app.deps, nothing, link)],
    ['of an older version', (image, link) => linkViewKeyOf(app.deps, image, { ...link, version: -1 })],
    ['of a link as one of the image', (image, link) => linkViewKeyOf(app.deps, image, link).replace(/\.l.*/, '')],
    [
      'of the image as one of a link',
      (image, link) => `${viewKeyOf(app.deps, { ...image, view_key_version: 9 }, soon())}.l${link.id}`,
    ],
    [
      'of a link as one of a member',
      (image, link, member) => linkViewKeyOf(app.deps, image, link).replace(/\.l.*/, `.m${member}`),
    ],
    [
      'of a member as one of a link',
      (image, link, member) => signMemberKey(app.deps, image, member, soon()).replace(/\.m.*/, `.l${link.id}`),
    ],
    ['with a later end', (image, link) => linkViewKeyOf(app.deps, image, link).replace(/^\w+/, 'zzzzzzz')],
    ['that has ended', (image, link) => signLinkKey(app.deps, image, link, app.deps.now() - 1000)],
    ['of a link that does not exist', (image, link) => signLinkKey(app.deps, image, { ...link, id: 'x' }, soon())],
    ['that names nothing', (image, link) => linkViewKeyOf(app.deps, image, link).replace(/\.l.*/, '.l')],
    ['with a character that no key has', (image, link) => `${linkViewKeyOf(app.deps, image, link)}%00'`],
  ])('one %s opens nothing', async (_, keyOf) => {
    const image = await newImage()
    const link = await newLink({ images: [image.id] })
    const member = await newMember(await newAlbum([image]))
    await expectNothing(image, keyOf(image, link, member))
  })

  const soon = () => app.deps.now() + hour

  it('a very long one is refused', async () => {
    const image = await newImage()
    const path = `/i/${image.id}.jpg`
    expect((await get(path, `x.${'a'.repeat(22)}.l${'b'.repeat(5000)}`)).status).toBe(400)
  })
})

describe('a public image', () => {
  it('has its own addresses, whatever becomes of a link', async () => {
    const image = await newImage('public')
    const link = await newLink({ images: [image.id], can_download: false })
    const key = linkViewKeyOf(app.deps, image, link)
    await change(link, { revoked: true })
    await expectNothing(image, key)
    for (const { path } of addressesOf(image)) expect((await get(path, undefined)).status).toBeLessThan(303)
  })
})

describe('what a link allows', () => {
  const sizeOf = async (path: string, key: string) => {
    const response = await get(path, key)
    expect([path, response.status]).toEqual([path, 200])
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
    return Math.max(width, height)
  }
  const variants = ({ id }: Named) => [
    `/i/${id}.jpg`,
    `/i/${id}.webp?w=640`,
    `/i/${id}.webp?w=640&h=640&fit=cover`,
    `/i/${id}.jpg?fmt=auto`,
    `/api/thumbnail/${id}/800`,
  ]

  it.each(['public', 'private'] as const)('without download, nothing of a %s original is sent', async (visibility) => {
    const image = await newImage(visibility)
    const link = await newLink({ images: [image.id], can_download: false })
    const key = linkViewKeyOf(app.deps, image, link)
    const none = (path: string) => get(path, key).then(({ status }) => status)
    for (const path of [
      `/uploads/${image.file_name}`,
      `/api/analyze/${image.id}`,
      `/i/${image.id}`,
      `/s/${image.slug}`,
    ])
      expect([path, await none(path)]).toEqual([path, 404])
    expect((await oembedOf(image, key)).status).toBe(404)
    const whole = Buffer.from(await (await get(`/i/${image.id}.jpg`, key)).arrayBuffer())
    expect(whole.equals(picture)).toBe(false)
  })

  it('variants are no larger than it says, whatever is requested', async () => {
    const image = await newImage()
    const link = await newLink({ images: [image.id], max_size: 200 })
    const key = linkViewKeyOf(app.deps, image, link)
    for (const path of [...variants(image), `/uploads/${image.file_name}`]) expect(await sizeOf(path, key)).toBe(200)
    await change(link, { max_size: 500 })
    expect(await sizeOf(`/i/${image.id}.webp?w=640`, key)).toBe(500)
  })

  it('its watermark is on every variant, and on nobody else’s', async () => {
    const image = await newImage()
    const path = `/i/${image.id}.png?w=320`
    const plain = await newLink({ images: [image.id] })
    const pixelsOf = async (link: LinksTable) => {
      const bytes = await (await get(path, linkViewKeyOf(app.deps, image, link))).arrayBuffer()
      return sharp(Buffer.from(bytes)).greyscale().raw().toBuffer()
    }
    const clean = await pixelsOf(plain)
    const marked = await newLink({ images: [image.id], watermark: '<Proof> & "Ada" 日本' })
    const first = await pixelsOf(marked)
    const differing = (a: Buffer, b: Buffer) => a.filter((value, at) => Math.abs(value - (b[at] ?? 0)) > 20).length
    expect(differing(first, clean)).toBeGreaterThan(clean.length / 100)
    await change(marked, { watermark: 'Other' })
    expect(differing(await pixelsOf(marked), first)).toBeGreaterThan(clean.length / 200)
    expect(differing(await pixelsOf(plain), clean)).toBe(0)
    const stored = async () => (await app.files('variants')).filter((name) => name.includes(`-l${marked.id}-`))
    expect((await stored()).length).toBe(1)
    await app.call('DELETE', `/api/links/${marked.id}`, { token: owner.token })
    expect(await stored()).toEqual([])
  })
})
