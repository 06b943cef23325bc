// Uploads into an album: by every way of uploading, with keys bound to one, and what refuses them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as albums from '../../testing/albums.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { newUpload, sendBytes, startUpload } from '../../testing/resumable.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
let token: string
let ownerId: string
let picture: Buffer
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  const user = await app.newUser()
  token = user.token
  ownerId = user.id
  picture = await jpeg(30, 20)
})

const newAlbum = (body?: object, as = token) => albums.newAlbum(app, as, body)
const imagesOf = (album: string) => albums.imagesOfAlbum(app, token, album)
const newKey = async (body: object): Promise<{ id: string; key: string; albumId: string | null }> =>
  (await app.call('POST', '/api/api-keys', { token, body })).body
const upload = (album: string, options: object = {}) => app.upload(picture, { token, fields: { album }, ...options })

it('a form and a resumable upload add the image at the end of the album', async () => {
  const album = await newAlbum()
  const { body: first } = await upload(album)
  const path = await newUpload(app, picture.length, { token, metadata: { filename: 'a.jpg', album } })
  const second = (await (await sendBytes(app, path, picture, { token })).json()) as { id: string }
  expect(await imagesOf(album)).toEqual([first.id, second.id])
  const [row] = await app.deps.db.selectFrom('album_images').selectAll().where('album_id', '=', album).execute()
  expect(row).toMatchObject({ added_by: ownerId, position: 'a0' })
})

it('an empty field is none, and a repeated upload is added once', async () => {
  const album = await newAlbum()
  expect((await upload('')).status).toBe(201)
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const [first, second] = [await upload(album, { headers }), await upload(album, { headers })]
  expect(second.body.id).toBe(first.body.id)
  expect(await imagesOf(album)).toEqual([first.body.id])
})

it('uploads at the same time are all in the album', async () => {
  const album = await newAlbum()
  const uploads = await Promise.all(Array.from({ length: 8 }, () => upload(album)))
  expect((await imagesOf(album)).toSorted()).toEqual(uploads.map(({ body }) => body.id as string).toSorted())
  expect((await app.call('GET', `/api/albums/${album}`, { token })).body.images).toBe(8)
})

describe('what cannot be added to the album is not stored', () => {
  it.each<[string, () => Promise<[album: string, token?: string | undefined]>, number, string]>([
    ['an unknown album', async () => ['none'], 404, 'album_not_found'],
    [
      'an album of somebody else',
      async () => [await newAlbum({}, (await app.newUser()).token)],
      404,
      'album_not_found',
    ],
    ['a live album', async () => [await newAlbum({ query: 'sea' })], 409, 'album_is_live'],
    ['a guest', async () => [await newAlbum(), undefined], 404, 'album_not_found'],
  ])('%s', async (_, target, status, code) => {
    const [album, ...as] = await target()
    const sender = as.length > 0 ? {} : { token }
    const before = await app.files('originals')
    const refused = await app.upload(picture, { ...sender, fields: { album } })
    expect([refused.status, refused.body.code]).toEqual([status, code])
    const started = await startUpload(app, picture.length, { ...sender, metadata: { filename: 'a.jpg', album } })
    expect([started.status, started.body.code]).toEqual([status, code])
    expect(await app.files('originals')).toEqual(before)
    expect(await app.deps.db.selectFrom('images').select('id').where('owner_id', '=', ownerId).execute()).toEqual([])
  })
})

describe('the visibility of an upload', () => {
  const visibilityIn = async (album: string, fields: object = {}, as = token) =>
    (await app.upload(picture, { token: as, fields: { album, ...fields } })).body.visibility as string

  it('is that of the album unless it says', async () => {
    const album = await newAlbum({ upload_visibility: 'private' })
    expect(await visibilityIn(album)).toBe('private')
    expect(await visibilityIn(album, { visibility: 'public' })).toBe('public')
  })

  it('is not public because the album of somebody else says so', async () => {
    const album = await newAlbum({ upload_visibility: 'public' })
    const member = await app.newUser()
    await app.deps.db
      .insertInto('album_members')
      .values({
        id: member.id,
        album_id: album,
        user_id: member.id,
        email: null,
        role: 'add',
        token_hash: null,
        created_at: 1,
        accepted_at: 1,
      })
      .execute()
    await app.call('PUT', '/api/me', { token: member.token, body: { uploadVisibility: 'private' } })
    expect(await visibilityIn(album, {}, member.token)).toBe('private')
  })
})

describe('a key with an album', () => {
  it('adds all uploads to it, and goes on without it when it is deleted', async () => {
    const [album, other] = [await newAlbum(), await newAlbum()]
    const { key, albumId } = await newKey({ scopes: ['upload'], albumId: album })
    expect(albumId).toBe(album)
    expect((await app.call('GET', '/api/api-keys', { token })).body[0].albumId).toBe(album)
    const first = await app.upload(picture, { token: key })
    const second = await app.upload(picture, { token: key, fields: { album: other } })
    expect(await imagesOf(album)).toEqual([first.body.id, second.body.id])
    expect(await imagesOf(other)).toEqual([])
    await app.call('DELETE', `/api/albums/${album}`, { token })
    expect((await app.upload(picture, { token: key })).status).toBe(201)
    expect((await app.call('GET', '/api/api-keys', { token })).body[0].albumId).toBeNull()
  })

  it.each([
    ['none', 'album_not_found'],
    ['live', 'album_is_live'],
  ])('is not created with an album that is %s', async (kind, code) => {
    const albumId = kind === 'live' ? await newAlbum({ query: 'sea' }) : kind
    const refused = await app.call('POST', '/api/api-keys', { token, body: { albumId } })
    expect(refused.body.code).toBe(code)
  })
})

it('the webhook of an upload says in which albums it is', async () => {
  const { body: webhook } = await app.call('POST', '/api/webhooks', {
    token,
    body: { url: 'https://example.com/hooks', events: ['image.uploaded'] },
  })
  const album = await newAlbum()
  await upload(album)
  await upload('')
  const rows = await app.deps.db
    .selectFrom('webhook_deliveries')
    .select('body')
    .where('webhook_id', '=', webhook.id)
    .execute()
  const albums = rows.map(({ body }) => (JSON.parse(body) as { data: { albums: string[] } }).data.albums)
  expect(albums).toHaveLength(2)
  expect(albums).toContainEqual([album])
  expect(albums).toContainEqual([])
})
