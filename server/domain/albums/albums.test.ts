// Albums through the API: what they are, where they are, what they show, and who may do what.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import { albumColumns, fieldsIn } from '../../testing/album-columns.ts'
import * as albums from '../../testing/albums.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { png } from '../../testing/test-images.ts'

let app: TestApp
let token: string
let ownerId: string
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  const user = await app.newUser()
  token = user.token
  ownerId = user.id
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const call = (method: Method, path: string, body?: object, as = token) =>
  app.call(method, path, { token: as, ...(body && { body }) })

const newImage = (as = token, name?: string) => albums.newImage(app, { token: as, ...(name && { name }) })
async function newImages(count: number, as = token): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made++) ids.push(await newImage(as))
  return ids
}
const newAlbum = (body?: object, as = token) => albums.newAlbum(app, as, body)
const idsOf = (album: string) => albums.imagesOfAlbum(app, token, album)
const refusal = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
/** Members have no endpoint of their own yet. */
const addMember = (album: string, userId: string, role: 'view' | 'add' | 'manage', acceptedAt: number | null = 1) =>
  app.deps.db
    .insertInto('album_members')
    .values({
      id: crypto.randomUUID(),
      album_id: album,
      user_id: userId,
      email: null,
      role,
      token_hash: null,
      created_at: 1,
      accepted_at: acceptedAt,
    })
    .execute()

describe('an album', () => {
  it('is created with images in the order sent, listed, changed and deleted', async () => {
    const [a = '', b = '', c = ''] = await newImages(3)
    const created = await call('POST', '/api/albums', { title: ' Italy  2026 ', description: 'Sea', images: [b, a, b] })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      title: 'Italy 2026',
      description: 'Sea',
      parent_id: null,
      query: null,
      upload_visibility: null,
      images: 2,
      cover: { id: b },
      cover_id: null,
      role: 'owner',
    })
    const computed = ['images', 'cover', 'role']
    expect(Object.keys(created.body).toSorted()).toEqual([...fieldsIn(albumColumns, 'api'), ...computed].toSorted())
    const { id } = created.body
    expect(await idsOf(id)).toEqual([b, a])
    expect((await call('POST', `/api/albums/${id}/images`, { ids: [a, c], before: b })).body.added).toEqual([c])
    expect(await idsOf(id)).toEqual([c, b, a])
    const changes = { title: 'Italia', cover_id: a, upload_visibility: 'private' }
    const changed = await call('PATCH', `/api/albums/${id}`, changes)
    expect(changed.body).toMatchObject({ ...changes, description: 'Sea', cover: { id: a }, images: 3 })
    expect((await call('DELETE', `/api/albums/${id}/images`, { ids: [a, 'none'] })).body.removed).toEqual([a])
    const [listed] = (await call('GET', '/api/albums')).body
    expect(listed).toMatchObject({ id, cover: { id: c }, cover_id: a, images: 2 })
    expect((await call('DELETE', `/api/albums/${id}`)).body).toEqual({ success: true, deleted_images: 0 })
    expect((await call('GET', '/api/albums')).body).toEqual([])
    expect((await call('GET', '/api/images')).body).toHaveLength(3)
  })

  it('shows neither deleted, expired nor quarantined images, and has restored ones in their place', async () => {
    const [a = '', b = '', c = '', d = ''] = await newImages(4)
    const id = await newAlbum({ images: [a, b, c, d] })
    await call('PATCH', `/api/albums/${id}`, { cover_id: b })
    const { db } = app.deps
    await call('DELETE', `/api/images/${b}?trash=1`)
    await db.updateTable('images').set({ quarantined_at: 5 }).where('id', '=', c).execute()
    await db
      .updateTable('images')
      .set({ expires_at: app.deps.now() - 1 })
      .where('id', '=', a)
      .execute()
    expect(await idsOf(id)).toEqual([d])
    expect((await call('GET', `/api/albums/${id}`)).body).toMatchObject({ images: 1, cover: { id: d } })
    expect((await call('GET', `/api/albums/${id}/images`)).headers.get('x-total-count')).toBe('1')
    await call('POST', '/api/trash/restore', { ids: [b] })
    expect(await idsOf(id)).toEqual([b, d])
    expect((await call('GET', `/api/albums/${id}`)).body).toMatchObject({ images: 2, cover: { id: b } })
  })

  it('is not created of images of others alone, which are skipped beside own ones', async () => {
    const stranger = await app.newUser()
    const [own, foreign] = [await newImage(), await newImage(stranger.token)]
    const before = (await call('GET', '/api/albums')).body.length
    const refused = await call('POST', '/api/albums', { title: 'Theirs', images: [foreign, 'none'] })
    expect(refusal(refused)).toEqual([404, 'image_not_found'])
    expect((await call('GET', '/api/albums')).body).toHaveLength(before)
    expect(await idsOf(await newAlbum({ images: [foreign, own] }))).toEqual([own])
  })

  it('has pages by its order, which moves in between do not repeat', async () => {
    const ids = await newImages(7)
    const id = await newAlbum({ images: ids })
    const seen: string[] = []
    for (let path: string | undefined = `/api/albums/${id}/images?limit=3`; path !== undefined;) {
      const page = await call('GET', path)
      expect(page.headers.get('x-total-count')).toBe('7')
      seen.push(...page.body.map((image: { id: string }) => image.id))
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      path = next === undefined ? undefined : new URL(next).pathname + new URL(next).search
    }
    expect(seen).toEqual(ids)
    expect(refusal(await call('GET', `/api/albums/${id}/images?cursor=x`))).toEqual([400, 'invalid_input'])
  })

  it('counts an image of several albums once in the quota', async () => {
    const image = await newImage()
    for (let made = 0; made < 3; made++) await newAlbum({ images: [image] })
    const { image_count: count } = await app.deps.db
      .selectFrom('users')
      .select('image_count')
      .where('id', '=', ownerId)
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)
  })

  it('takes its images to the trash when it is deleted with them, and albums inside it move up', async () => {
    const [a = '', b = ''] = await newImages(2)
    const stranger = await app.newUser()
    const theirs = await newImage(stranger.token)
    const outer = await newAlbum()
    const id = await newAlbum({ images: [a], parent_id: outer })
    const inner = await newAlbum({ images: [b], parent_id: id })
    await addMember(id, stranger.id, 'add')
    await call('POST', `/api/albums/${id}/images`, { ids: [theirs] }, stranger.token)
    expect((await call('DELETE', `/api/albums/${id}?images=delete`)).body.deleted_images).toBe(1)
    expect((await call('GET', '/api/trash')).body.map((image: { id: string }) => image.id)).toEqual([a])
    expect((await call('GET', `/api/images/${theirs}`, undefined, stranger.token)).status).toBe(200)
    expect((await call('GET', `/api/albums/${inner}`)).body.parent_id).toBe(outer)
    expect(await app.deps.db.selectFrom('album_images').selectAll().where('album_id', '=', id).execute()).toEqual([])
  })
})

describe('albums inside each other', () => {
  it('are at most eight levels deep, and never inside themselves', async () => {
    const chain: string[] = []
    for (let level = 0; level < limits.albums.maxDepth; level++)
      chain.push(await newAlbum({ parent_id: chain.at(-1) ?? null }))
    const [first = '', second = ''] = chain
    const last = chain.at(-1)
    const deeper = await call('POST', '/api/albums', { title: 'Too deep', parent_id: last })
    expect(refusal(deeper)).toEqual([409, 'album_depth'])
    for (const parent_id of [first, last])
      expect(refusal(await call('PATCH', `/api/albums/${first}`, { parent_id }))).toEqual([409, 'album_circle'])
    const root = await newAlbum()
    expect(refusal(await call('PATCH', `/api/albums/${first}`, { parent_id: root }))).toEqual([409, 'album_depth'])
    expect((await call('PATCH', `/api/albums/${second}`, { parent_id: root })).body.parent_id).toBe(root)
  })

  it('two moves at the same time make no circle', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await newAlbum(), await newAlbum()]
      const moves = await Promise.all([
        call('PATCH', `/api/albums/${a}`, { parent_id: b }),
        call('PATCH', `/api/albums/${b}`, { parent_id: a }),
      ])
      expect(moves.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    }
  })
})

it('the number of albums is limited, also for requests at the same time', async () => {
  const limited = await startTestApp({ MAX_ALBUMS: '3' })
  try {
    const user = await limited.newUser()
    const create = () => limited.call('POST', '/api/albums', { token: user.token, body: { title: 'One of them' } })
    const created = await Promise.all(Array.from({ length: 6 }, create))
    expect(created.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(created.filter(({ status }) => status === 409)).toHaveLength(3)
    expect(created.find(({ status }) => status === 409)?.body.code).toBe('too_many_albums')
  } finally {
    await limited.stop()
  }
})

describe('the order', () => {
  it('a move writes one row for each image that moves', async () => {
    const ids = await newImages(6)
    const [a = '', b = '', c = '', d = '', e = '', f = ''] = ids
    const id = await newAlbum({ images: ids })
    const positions = async () =>
      new Map(
        (await app.deps.db.selectFrom('album_images').selectAll().where('album_id', '=', id).execute()).map((row) => [
          row.image_id,
          row.position,
        ]),
      )
    const before = await positions()
    expect((await call('PATCH', `/api/albums/${id}/images`, { ids: [f, a], before: c })).status).toBe(200)
    expect(await idsOf(id)).toEqual([b, f, a, c, d, e])
    const after = await positions()
    expect(ids.filter((image) => after.get(image) !== before.get(image))).toEqual([a, f])
    await call('PATCH', `/api/albums/${id}/images`, { ids: [b] })
    expect(await idsOf(id)).toEqual([f, a, c, d, e, b])
    const refused = [
      await call('PATCH', `/api/albums/${id}/images`, { ids: [a], before: 'none' }),
      await call('PATCH', `/api/albums/${id}/images`, { ids: [a], before: a }),
    ]
    expect(refused.map(refusal)).toEqual([
      [404, 'image_not_found'],
      [400, 'invalid_input'],
    ])
  })

  it('a thousand moves to the same place keep positions short', async () => {
    const ids = await newImages(4)
    const [a = '', b = '', c = '', d = ''] = ids
    const id = await newAlbum({ images: ids })
    for (let move = 0; move < 500; move++)
      await call('PATCH', `/api/albums/${id}/images`, { ids: [move % 2 ? b : c], before: move % 2 ? c : b })
    expect((await idsOf(id)).toSorted()).toEqual(ids.toSorted())
    expect((await idsOf(id)).at(0)).toBe(a)
    expect((await idsOf(id)).at(-1)).toBe(d)
    const rows = await app.deps.db.selectFrom('album_images').select('position').where('album_id', '=', id).execute()
    for (const { position } of rows) expect(position.length).toBeLessThanOrEqual(60)
  })

  it('a move between images with the same position finds its place', async () => {
    const ids = await newImages(5)
    const id = await newAlbum({ images: ids })
    await app.deps.db.updateTable('album_images').set({ position: 'a5' }).where('album_id', '=', id).execute()
    const [a = '', b = '', c = '', d = '', e = ''] = ids.toSorted()
    expect(await idsOf(id)).toEqual([a, b, c, d, e])
    await call('PATCH', `/api/albums/${id}/images`, { ids: [e], before: c })
    expect(await idsOf(id)).toEqual([a, b, e, c, d])
  })

  it('adds at the same time do not lose an image', async () => {
    const ids = await newImages(6)
    const id = await newAlbum()
    await Promise.all(ids.map((image) => call('POST', `/api/albums/${id}/images`, { ids: [image] })))
    expect((await idsOf(id)).toSorted()).toEqual(ids.toSorted())
    expect((await call('GET', `/api/albums/${id}`)).body.images).toBe(6)
  })

  it('sorts by time, name and size', async () => {
    const { db } = app.deps
    const [a, b, c] = [await newImage(token, 'b.jpg'), await newImage(token, 'c.jpg'), await newImage(token, 'a.jpg')]
    for (const [image, bytes] of [[a, 30] as const, [b, 10] as const, [c, 20] as const])
      await db
        .updateTable('images')
        .set({ bytes, created_at: 1000 - bytes })
        .where('id', '=', image)
        .execute()
    const id = await newAlbum({ images: [a, b, c] })
    const expected = { newest: [b, c, a], oldest: [a, c, b], name: [c, a, b], size: [a, c, b] }
    for (const [by, order] of Object.entries(expected)) {
      expect((await call('POST', `/api/albums/${id}/sort`, { by })).status).toBe(200)
      expect([by, await idsOf(id)]).toEqual([by, order])
    }
  })
})

describe('a live album', () => {
  it('has what its query finds, newest first', async () => {
    const { body: photo } = await app.upload(await png(30, 30), { token, name: 'plain.png' })
    const other = await newImage()
    const id = await newAlbum({ query: 'type:png' })
    expect((await call('GET', `/api/albums/${id}`)).body).toMatchObject({ images: 1, cover: { id: photo.id } })
    expect(await idsOf(id)).toEqual([photo.id])
    const changed = await call('PATCH', `/api/albums/${id}`, { query: 'type:jpeg', cover_id: other })
    expect(changed.body).toMatchObject({ images: 1, cover: { id: other } })
    expect(await idsOf(id)).toEqual([other])
    for (const refused of [
      await call('POST', `/api/albums/${id}/images`, { ids: [other] }),
      await call('PATCH', `/api/albums/${id}/images`, { ids: [other] }),
      await call('DELETE', `/api/albums/${id}/images`, { ids: [other] }),
      await call('POST', `/api/albums/${id}/sort`, { by: 'name' }),
      await call('POST', '/api/albums', { title: 'Both', query: 'sea', images: [other] }),
    ])
      expect(refusal(refused)).toEqual([409, 'album_is_live'])
  })

  it.each([['tag:'], [''], ['size:big']])('%j is refused', async (query) => {
    expect(refusal(await call('POST', '/api/albums', { title: 'Live', query }))).toEqual([400, 'invalid_input'])
  })

  it('an album does not become live, nor stop being it', async () => {
    const [stored, live] = [await newAlbum(), await newAlbum({ query: 'sea' })]
    expect((await call('PATCH', `/api/albums/${stored}`, { query: 'sea' })).status).toBe(400)
    expect((await call('PATCH', `/api/albums/${live}`, { query: null })).status).toBe(400)
  })
})

describe('the term album: of a query', () => {
  const found = async (q: string, as = token) =>
    (await call('GET', `/api/images?q=${encodeURIComponent(q)}`, undefined, as)).body
      .map(({ id }: { id: string }) => id)
      .toSorted() as string[]

  it('finds the images of an album by title or id, with those of albums inside it and of live ones', async () => {
    const [sea, town, alone] = [await newImage(), await newImage(), await newImage(token, 'blue boat.jpg')]
    const outer = await newAlbum({ title: 'Ärzte Italy 2026', images: [sea] })
    const inner = await newAlbum({ title: 'Town', images: [town], parent_id: outer })
    await newAlbum({ title: 'TOWN', images: [sea] })
    await newAlbum({ title: 'Empty' })
    await newAlbum({ title: 'Boats', query: 'boat' })
    const stranger = await app.newUser()
    const theirs = await newImage(stranger.token)
    await newAlbum({ title: 'Town', images: [theirs] }, stranger.token)
    const expected: [string, string[]][] = [
      ['album:"ärzte  ITALY 2026"', [sea, town]],
      [`album:${inner}`, [town]],
      ['album:town', [sea, town]],
      ['-album:town', [alone]],
      ['album:boats', [alone]],
      ['-album:boats', [sea, town]],
      ['album:none', [alone]],
      ['-album:none', [sea, town]],
      ['album:Empty', []],
      ['album:unknown', []],
      ['album:town album:"Ärzte Italy 2026" type:jpeg', [sea, town]],
    ]
    for (const [q, ids] of expected) expect([q, await found(q)]).toEqual([q, ids.toSorted()])
    // The same in a list so long that an index finds them.
    await app.deps.db.updateTable('users').set({ image_count: 1_000_000 }).where('id', '=', ownerId).execute()
    for (const [q, ids] of expected) expect([q, await found(q)]).toEqual([q, ids.toSorted()])
    expect((await call('GET', '/api/images/outline?q=album:town')).body.ratios).toHaveLength(2)
    expect(await found(`album:${outer}`, stranger.token)).toEqual([])
    await addMember(outer, stranger.id, 'add')
    await call('POST', `/api/albums/${inner}/images`, { ids: [theirs] }, stranger.token)
    expect(await found('album:"Ärzte Italy 2026"', stranger.token)).toEqual([theirs])
  })

  it('is not of a live album, which could mean itself', async () => {
    for (const query of ['album:Town', '-album:none'])
      expect(refusal(await call('POST', '/api/albums', { title: 'Live', query }))).toEqual([400, 'invalid_input'])
  })
})

describe('others', () => {
  const requests = (id: string, image: string): [Method, string, object | undefined][] => [
    ['GET', `/api/albums/${id}`, undefined],
    ['PATCH', `/api/albums/${id}`, { title: 'Mine' }],
    ['DELETE', `/api/albums/${id}`, undefined],
    ['GET', `/api/albums/${id}/images`, undefined],
    ['POST', `/api/albums/${id}/images`, { ids: [image] }],
    ['PATCH', `/api/albums/${id}/images`, { ids: [image] }],
    ['DELETE', `/api/albums/${id}/images`, { ids: [image] }],
    ['POST', `/api/albums/${id}/sort`, { by: 'name' }],
    ['POST', '/api/albums', { title: 'Inside', parent_id: id }],
  ]

  it('cannot tell an album from none, and cannot put it into theirs', async () => {
    const image = await newImage()
    const id = await newAlbum({ images: [image] })
    const stranger = await app.newUser()
    for (const album of [id, 'none', '%F0%9F%92%A9', "'; drop table albums --"]) {
      for (const [method, path, body] of requests(album, image)) {
        const { status, body: answer } = await call(method, path, body, stranger.token)
        expect([method, path, status, answer.code]).toEqual([method, path, 404, 'album_not_found'])
      }
    }
    expect(await idsOf(id)).toEqual([image])
    const theirs = await newAlbum({}, stranger.token)
    const moved = await call('PATCH', `/api/albums/${theirs}`, { parent_id: id }, stranger.token)
    expect(refusal(moved)).toEqual([404, 'album_not_found'])
    const added = await call('POST', `/api/albums/${theirs}/images`, { ids: [image] }, stranger.token)
    expect(added.body.added).toEqual([])
  })

  it.each([
    ['view', [200, 403, 403, 200, 403, 403, 403, 403, 404]],
    ['add', [200, 403, 403, 200, 200, 200, 200, 403, 404]],
    ['manage', [200, 200, 403, 200, 200, 200, 200, 200, 404]],
  ] as const)('with the role %s do what it allows, in albums inside it too', async (role, statuses) => {
    const image = await newImage()
    const outer = await newAlbum()
    const id = await newAlbum({ images: [image], parent_id: outer })
    const member = await app.newUser()
    await addMember(outer, member.id, role, null)
    expect((await call('GET', `/api/albums/${id}`, undefined, member.token)).status).toBe(404)
    expect((await call('GET', '/api/albums', undefined, member.token)).body).toEqual([])
    await app.deps.db.updateTable('album_members').set({ accepted_at: 1 }).where('user_id', '=', member.id).execute()
    const theirs = await newImage(member.token)
    const seen: number[] = []
    for (const [method, path, body] of requests(id, theirs))
      seen.push((await call(method, path, body, member.token)).status)
    expect(seen).toEqual(statuses)
    expect(await idsOf(id)).toContain(image)
    const listed = (await call('GET', '/api/albums', undefined, member.token)).body
    expect(new Map(listed.map((album: { id: string; role: string }) => [album.id, album.role]))).toEqual(
      new Map([
        [id, role],
        [outer, role],
      ]),
    )
    if (role === 'manage')
      expect(refusal(await call('PATCH', `/api/albums/${id}`, { query: 'sea' }, member.token))).toEqual([
        403,
        'album_role',
      ])
  })

  it('with the role add remove only what they have added, and view private images by keys of their own', async () => {
    const image = await newImage()
    await call('PATCH', `/api/images/${image}`, { visibility: 'private' })
    const outer = await newAlbum()
    const id = await newAlbum({ images: [image], parent_id: outer })
    const member = await app.newUser()
    await addMember(id, member.id, 'add')
    const shown = (await call('GET', `/api/albums/${id}`, undefined, member.token)).body
    expect([shown.cover.view_key, shown.parent_id, shown.role]).toEqual([expect.stringContaining('.m'), null, 'add'])
    expect((await call('GET', `/api/albums/${id}`)).body.cover.view_key).toEqual(expect.any(String))
    expect((await call('DELETE', `/api/albums/${id}/images`, { ids: [image] }, member.token)).body.removed).toEqual([])
    await app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', ownerId).execute()
    expect((await call('GET', `/api/albums/${id}`, undefined, member.token)).status).toBe(404)
  })
})

it('a list of a thousand albums has the covers and counts of all', async () => {
  const image = await newImage()
  const rows = Array.from({ length: 1000 }, (_, made) => ({
    id: `${ownerId}-${made}`,
    owner_id: ownerId,
    guest_token_hash: null,
    parent_id: null,
    title: `Album ${made}`,
    description: '',
    cover_id: null,
    query: null,
    upload_visibility: null,
    created_at: made,
  }))
  const { db } = app.deps
  for (let part = 0; part < rows.length; part += 100)
    await db
      .insertInto('albums')
      .values(rows.slice(part, part + 100))
      .execute()
  const placed = rows.map(({ id }) => ({ album_id: id, image_id: image, position: 'a0', added_by: null, added_at: 1 }))
  await db.insertInto('album_images').values(placed).execute()
  const { body, headers } = await call('GET', '/api/albums')
  expect(headers.get('x-total-count')).toBe('1000')
  expect(body[0]).toMatchObject({ title: 'Album 999', images: 1, cover: { id: image } })
  expect(body.every((album: { cover: object | null }) => album.cover !== null)).toBe(true)
})
