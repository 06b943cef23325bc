// Keys that name a link or a membership: what is none opens nothing, and what a link allows. Who may view an image when is in the
// table of image-access.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { withKey } from '../../../contract/derive/client.ts'
import type { LinksTable } from '../../db/schema.ts'
import { linkViewKeyOf, signLinkKey, signMemberKey, viewKeyOf } from '../../domain/images/sharing/view-keys.ts'
import { newId } from '../../domain/shared/secrets.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import {
  addressOf,
  ask,
  factsOf,
  type NamedImage,
  noImage,
  siteOfImages,
  legacyAddress,
  viewingAddresses,
} from '../../testing/image-routes.ts'
import { jpeg } from '../../testing/test-images.ts'

const hour = 3_600_000
let app: TestApp
let picture: Buffer
let owner: Awaited<ReturnType<TestApp['newUser']>>

beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: siteOfImages })
  picture = await jpeg(900, 600)
  owner = await app.newUser()
})
afterAll(() => app.stop())

let count = 0
async function newImage(visibility: 'public' | 'private' = 'private'): Promise<NamedImage> {
  const { body } = await app.upload(picture, { token: owner.token, fields: { visibility } })
  const slug = `slug-${String(count++).padStart(4, '0')}`
  await app.call('PATCH', `/api/images/${body.id}`, { token: owner.token, body: { slug } })
  return { ...body, slug }
}

async function newAlbum(images: NamedImage[], parent: string | null = null): Promise<string> {
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

const get = (path: string, key: string | undefined) => fetch(app.url + withKey(path, key), { redirect: 'manual' })
const oembedOf = (image: NamedImage, key: string) => fetch(app.url + addressOf('/oembed', image, key))

/** Every address responds as for an image that has never existed. */
async function expectNothing(image: NamedImage, key: string): Promise<void> {
  for (const route of Object.keys(viewingAddresses)) {
    const [found, none] = await Promise.all(
      [image, noImage].map(async (named) =>
        factsOf(await ask({ url: app.url, path: addressOf(route, named, key) }), named, key),
      ),
    )
    expect(found, route).toEqual(none)
  }
}

describe('a key is of one kind, one image, and one version', () => {
  it.each<[string, (image: NamedImage, link: LinksTable, member: string) => string]>([
    ['of another image', (_, link) => linkViewKeyOf(app.deps, noImage, link)],
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
    for (const route of Object.keys(viewingAddresses).filter((route) => route !== legacyAddress))
      expect((await get(addressOf(route, image), undefined)).status).toBeLessThan(303)
  })
})

describe('what a link allows', () => {
  const sizeOf = async (path: string, key: string) => {
    const response = await get(path, key)
    expect([path, response.status]).toEqual([path, 200])
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
    return Math.max(width, height)
  }
  const variants = ({ id }: NamedImage) => [
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
