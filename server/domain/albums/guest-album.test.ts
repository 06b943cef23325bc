import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hourMs, limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { sweepExpired } from '../images/deletion/sweep.ts'
import { sweepGuestAlbums } from './guest-album.ts'

let app: TestApp
let bytes: Buffer
beforeAll(async () => {
  app = await startTestApp()
  bytes = await jpeg(60, 40)
})
afterAll(() => app.stop())

type Claim = { id: string; token: string }

async function guestImages(count: number): Promise<Claim[]> {
  const images: Claim[] = []
  for (let n = 0; n < count; n++) {
    const { id, delete_token: token } = await app.guestImage(bytes)
    images.push({ id, token })
  }
  return images
}

const create = (images: Claim[], title?: string) =>
  app.call('POST', '/api/albums/guest', { body: { images, ...(title === undefined ? {} : { title }) } })
const add = ({ id, token }: Claim, images: Claim[]) =>
  app.call('POST', `/api/albums/guest/${id}`, { body: { token, images } })
const remove = ({ id, token }: Claim, query = '') =>
  app.call('DELETE', `/api/albums/guest/${id}${query}`, { body: { token } })

async function imagesOf(albumId: string): Promise<string[]> {
  const rows = await app.deps.db
    .selectFrom('album_images')
    .select('image_id')
    .where('album_id', '=', albumId)
    .orderBy('position')
    .execute()
  return rows.map(({ image_id }) => image_id)
}
const albumOf = (id: string) => app.deps.db.selectFrom('albums').selectAll().where('id', '=', id).executeTakeFirst()
const linkOf = (id: string) => app.deps.db.selectFrom('links').selectAll().where('album_id', '=', id).executeTakeFirst()
const idsOf = (images: Claim[]) => images.map(({ id }) => id)

describe('createGuestAlbum', () => {
  it('puts the images in the given order under one link', async () => {
    const images = await guestImages(3)
    const { status, body } = await create(images.toReversed(), ' A walk ')
    expect(status).toBe(201)
    expect(await imagesOf(body.id)).toEqual(idsOf(images.toReversed()))
    const link = await linkOf(body.id)
    expect(body.url).toBe(`${app.url}/l/${link?.slug}`)
    expect(link).toMatchObject({ owner_id: null, shows_private: 0, password_hash: null, ends_at: null })
    expect(await albumOf(body.id)).toMatchObject({ title: 'A walk', owner_id: null })
  })

  it('refuses images that are unknown, of an account, or whose token is wrong, and makes nothing', async () => {
    const [one, two] = (await guestImages(2)) as [Claim, Claim]
    const user = await app.newUser()
    const { body: owned } = await app.upload(bytes, user)
    const before = await app.deps.db.selectFrom('albums').select('id').execute()
    const refusals = [
      await create([one, { id: 'none', token: 'none' }]),
      await create([one, { id: owned.id, token: one.token }]),
      await create([one, { id: two.id, token: one.token }]),
      await create([one]),
    ]
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'image_not_found'],
      [404, 'image_not_found'],
      [403, 'wrong_guest_token'],
      [400, 'invalid_input'],
    ])
    expect(await app.deps.db.selectFrom('albums').select('id').execute()).toEqual(before)
  })

  it('is limited for each address', async () => {
    const images = await guestImages(2)
    app.moveClock(2 * hourMs)
    for (let n = 0; n < limits.albums.guestAlbumsPerHour; n++) await create(images)
    expect(await create(images)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    app.moveClock(2 * hourMs)
    expect((await create(images)).status).toBe(201)
  })
})

describe('addToGuestAlbum', () => {
  it('appends what is new, at the same time too', async () => {
    const [one, two, three, four] = (await guestImages(4)) as [Claim, Claim, Claim, Claim]
    const { body: album } = await create([two, one])
    expect((await add(album, [one, three])).body).toEqual({ success: true, images: 3 })
    await Promise.all([add(album, [four]), add(album, [four]), add(album, [three, four])])
    expect(await imagesOf(album.id)).toEqual(idsOf([two, one, three, four]))
  })

  it('refuses a wrong token, an album of nobody and more than fit', async () => {
    const images = await guestImages(2)
    const { body: album } = await create(images)
    expect((await add({ ...album, token: images[0]?.token }, images)).body.code).toBe('album_not_found')
    expect((await add({ ...album, id: 'none' }, images)).body.code).toBe('album_not_found')
    const rows = await app.deps.db
      .selectFrom('images')
      .selectAll()
      .where('id', '=', images[0]?.id ?? '')
      .execute()
    const copies = Array.from({ length: limits.albums.maxGuestImages - 1 }, (_, n) =>
      rows.map((row) => ({ ...row, id: `copy-${n}`, file_name: `copy-${n}.jpg` })),
    ).flat()
    await app.deps.db.insertInto('images').values(copies).execute()
    const many = copies.map(({ id }) => ({ id, token: images[0]?.token ?? '' }))
    expect((await add(album, many)).body.code).toBe('guest_album_full')
    expect((await add(album, many.slice(1))).body).toEqual({ success: true, images: limits.albums.maxGuestImages })
  })
})

describe('deleteGuestAlbum', () => {
  it('ends the link; the images stay, or are deleted as asked', async () => {
    const images = await guestImages(2)
    const { body: one } = await create(images)
    const { body: two } = await create(images)
    expect((await remove({ ...one, token: two.token })).body.code).toBe('album_not_found')
    expect((await remove(one)).body).toEqual({ success: true, deleted_images: 0 })
    expect(await linkOf(one.id)).toBeUndefined()
    expect((await app.request(`/i/${images[0]?.id}.webp`)).status).toBe(200)
    expect((await remove(two, '?images=delete')).body).toEqual({ success: true, deleted_images: 2 })
    expect((await app.request(`/i/${images[0]?.id}.webp`)).status).toBe(410)
    expect((await remove(two)).body.code).toBe('album_not_found')
  })
})

describe('sweepGuestAlbums', () => {
  it('ends an album with its last image, not before', async () => {
    const images = await guestImages(2)
    const { body: album } = await create(images)
    await app.call('DELETE', `/api/images/${images[0]?.id}`, { guestToken: images[0]?.token ?? '' })
    await sweepGuestAlbums(app.deps, app.deps.now())
    expect(await imagesOf(album.id)).toEqual([images[1]?.id])
    await app.deps.db
      .updateTable('images')
      .set({ expires_at: app.deps.now() - 1 })
      .where('id', '=', images[1]?.id ?? '')
      .execute()
    await sweepExpired(app.deps)
    await sweepGuestAlbums(app.deps, app.deps.now())
    expect(await albumOf(album.id)).toBeDefined()
    app.moveClock(hourMs)
    await sweepGuestAlbums(app.deps, app.deps.now())
    expect(await albumOf(album.id)).toBeUndefined()
    expect(await linkOf(album.id)).toBeUndefined()
  })

  it('leaves empty albums of users', async () => {
    const { id: owner_id } = await app.newUser()
    const none = { guest_token_hash: null, parent_id: null, cover_id: null, query: null, upload_visibility: null }
    const row = { ...none, id: crypto.randomUUID(), owner_id, title: 'Empty', description: '', created_at: 1 }
    await app.deps.db.insertInto('albums').values(row).execute()
    await sweepGuestAlbums(app.deps, app.deps.now())
    expect(await albumOf(row.id)).toBeDefined()
  })
})

describe('claimImages', () => {
  const claim = (user: { token: string }, body: object) =>
    app.call('POST', '/api/images/claim', { token: user.token, body })

  it('takes an album along with the last of its images', async () => {
    const user = await app.newUser()
    const images = await guestImages(3)
    const { body: album } = await create(images)
    await claim(user, { images: images.slice(0, 2) })
    expect(await albumOf(album.id)).toMatchObject({ owner_id: null })
    await claim(user, { images: images.slice(2) })
    expect(await albumOf(album.id)).toMatchObject({ owner_id: user.id, guest_token_hash: null })
    expect(await linkOf(album.id)).toMatchObject({ owner_id: user.id, guest_token_hash: null })
    expect(await imagesOf(album.id)).toEqual(idsOf(images))
    expect((await remove(album)).body.code).toBe('album_not_found')
  })

  it('takes an album whose token is sent, without the images of others', async () => {
    const [user, other] = [await app.newUser(), await app.newUser()]
    const [mine, others, nobodys] = (await guestImages(3)) as [Claim, Claim, Claim]
    const { body: album } = await create([mine, others, nobodys])
    await claim(other, { images: [others], albums: [{ id: album.id, token: others.token }] })
    expect(await albumOf(album.id)).toMatchObject({ owner_id: null })
    await claim(user, { images: [mine], albums: [{ id: album.id, token: album.token }] })
    expect(await albumOf(album.id)).toMatchObject({ owner_id: user.id })
    expect(await imagesOf(album.id)).toEqual([mine.id])
    await claim(other, { images: [others], albums: [{ id: album.id, token: album.token }] })
    expect(await albumOf(album.id)).toMatchObject({ owner_id: user.id })
  })

  it('takes the links of its albums beyond MAX_LINKS too, and then no new one is made', async () => {
    const limited = await startTestApp({ MAX_LINKS: '1' })
    try {
      const { id: userId, token } = await limited.newUser()
      const claims: Claim[] = []
      const images: Claim[] = []
      for (let n = 0; n < 4; n++) {
        const { id, delete_token: imageToken } = await limited.guestImage(bytes)
        images.push({ id, token: imageToken })
      }
      for (const pair of [images.slice(0, 2), images.slice(2)])
        claims.push((await limited.call('POST', '/api/albums/guest', { body: { images: pair } })).body)
      const albums = claims.map(({ id, token: secret }) => ({ id, token: secret }))
      expect((await limited.call('POST', '/api/images/claim', { token, body: { images, albums } })).status).toBe(200)
      const owned = limited.deps.db.selectFrom('links').select('id').where('owner_id', '=', userId)
      expect(await owned.execute()).toHaveLength(2)
      const refused = await limited.call('POST', '/api/links', { token, body: { images: [images[0]?.id] } })
      expect([refused.status, refused.body.code]).toEqual([409, 'too_many_links'])
    } finally {
      await limited.stop()
    }
  })

  it('leaves albums beyond MAX_ALBUMS with guests, and claims their images', async () => {
    const limited = await startTestApp({ MAX_ALBUMS: '2' })
    try {
      const user = await limited.newUser()
      await limited.call('POST', '/api/albums', { token: user.token, body: { title: 'The first of two' } })
      const images: Claim[] = []
      for (let n = 0; n < 4; n++) {
        const { id, delete_token: token } = await limited.guestImage(bytes)
        images.push({ id, token })
      }
      const albums: Claim[] = []
      for (const pair of [images.slice(0, 2), images.slice(2)])
        albums.push((await limited.call('POST', '/api/albums/guest', { body: { images: pair } })).body)
      const claimed = await limited.call('POST', '/api/images/claim', {
        token: user.token,
        body: { images, albums: albums.map(({ id, token }) => ({ id, token })) },
      })
      expect([claimed.status, claimed.body.images.length]).toEqual([200, 4])
      for (const table of ['albums', 'links'] as const) {
        const ofGuests = limited.deps.db.selectFrom(table).select('guest_token_hash').where('owner_id', 'is', null)
        expect(await ofGuests.execute()).toEqual([{ guest_token_hash: expect.any(String) }])
      }
      const owned = limited.deps.db.selectFrom('albums').select('id').where('owner_id', '=', user.id)
      expect(await owned.execute()).toHaveLength(2)
    } finally {
      await limited.stop()
    }
  })
})
