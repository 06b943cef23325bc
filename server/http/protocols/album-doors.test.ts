// Albums as clients of other hosts name them: uploads into one, lists and deletion.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import type { Scope } from '../../../contract/plain/scopes.ts'
import * as albums from '../../testing/albums.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { multipart } from '../../testing/client-requests.ts'
import { png } from '../../testing/test-images.ts'

let app: TestApp
let token: string
let image: Buffer
beforeAll(async () => {
  app = await startTestApp()
  image = await png()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ;({ token } = await app.newUser())
})

const newKey = async (scope: Scope, as = token): Promise<string> =>
  (await app.call('POST', '/api/api-keys', { token: as, body: { scopes: [scope] } })).body.key
const newAlbum = (body?: object, as = token) => albums.newAlbum(app, as, body)
const imagesOf = (album: string) => albums.imagesOfAlbum(app, token, album)
const stored = async () => (await app.deps.db.selectFrom('images').select('id').execute()).length

interface Sent {
  key?: string | undefined
  fields?: Record<string, string>
  headers?: Record<string, string>
}
const auth = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` }

async function upload(path: string, field: string, { key, fields = {}, headers = {} }: Sent) {
  const parts = Object.entries(fields).map(([name, value]) => ({ name, value }))
  const form = multipart([...parts, { name: field, fileName: 'a.png', type: 'image/png', value: image }])
  const response = await app.request(path, {
    method: 'POST',
    headers: { ...form.headers, ...auth(key), ...headers },
    body: new Uint8Array(form.body),
  })
  return { status: response.status, text: await response.text() }
}

// oxlint-disable-next-line typescript/no-explicit-any -- the shape depends on the protocol
async function call(method: string, path: string, key: string | undefined): Promise<{ status: number; body: any }> {
  const response = await app.request(path, { method, headers: auth(key) })
  return { status: response.status, body: await response.json() }
}

type Door = (album: string, key?: string) => Promise<{ status: number; text: string }>
const doors: [string, Door][] = [
  ['Chevereto', (album_id, key) => upload('/api/1/upload', 'source', { key, fields: { album_id } })],
  ['Lsky Pro', (album_id, key) => upload('/api/v1/upload', 'file', { key, fields: { album_id } })],
  ['Imgur', (album, key) => upload('/3/image', 'image', { key, fields: { album } })],
  ['Zipline', (album, key) => upload('/api/upload', 'file', { key, headers: { 'x-zipline-folder': album } })],
]

describe.each(doors)('an upload of %s', (_, send) => {
  it('is added to the album that it names', async () => {
    const album = await newAlbum()
    const sent = await send(album, await newKey('upload'))
    expect([sent.status, sent.text]).toEqual([sent.status < 300 ? sent.status : 200, sent.text])
    const images = await imagesOf(album)
    expect(images).toHaveLength(1)
    expect(sent.text).toContain(images[0])
  })

  it('is in none without a name', async () => {
    expect((await send('', await newKey('upload'))).status).toBeLessThan(300)
    expect((await send('')).status).toBeLessThan(300)
  })

  it('into an unknown album, one of somebody else or as a guest is refused alike, and stores nothing', async () => {
    const key = await newKey('upload')
    const foreign = await newAlbum({}, (await app.newUser()).token)
    const before = await stored()
    const answers = [await send('none', key), await send(foreign, key), await send(await newAlbum())]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await send(await newAlbum({ query: 'sea' }), key)).status).toBe(409)
    expect(await stored()).toBe(before)
  })
})

describe('albums of Lsky Pro', () => {
  const list = async (query = '', as = token) => (await call('GET', `/api/v1/albums${query}`, as)).body.data
  const numberOf = async (name: string): Promise<number> =>
    (await list()).data.find((album: { name: string }) => album.name === name).id

  it('are listed in each order and by page, with numbers as ids', async () => {
    const full = await newAlbum({ title: 'Full', description: 'Two weeks by the sea' })
    app.moveClock(1000)
    await newAlbum({ title: 'Empty' })
    await app.upload(image, { token, fields: { album: full } })
    const names = async (query: string) => (await list(query)).data.map(({ name }: { name: string }) => name)
    expect(await names('')).toEqual(['Empty', 'Full'])
    expect(await names('?order=earliest')).toEqual(['Full', 'Empty'])
    expect(await names('?order=most')).toEqual(['Full', 'Empty'])
    expect(await names('?order=least')).toEqual(['Empty', 'Full'])
    expect(await list('?page=2')).toMatchObject({ current_page: 2, last_page: 1, total: 2, data: [] })
    const [first] = (await list('?order=most')).data
    expect(first).toEqual({ id: expect.any(Number), name: 'Full', intro: 'Two weeks by the sea', image_num: 1 })
    expect(Number.isSafeInteger(first.id)).toBe(true)
    expect((await call('GET', '/api/v1/profile', token)).body.data.album_num).toBe(2)
    expect((await call('GET', '/api/v1/albums', await newKey('upload'))).status).toBe(403)
    expect((await call('GET', '/api/v1/albums', undefined)).status).toBe(401)
  })

  it('are named by their number at the upload, in the list of images and at the deletion', async () => {
    const album = await newAlbum()
    const number = await numberOf('Italy')
    const key = await newKey('manage')
    for (const album_id of [String(number), album])
      expect((await upload('/api/v1/upload', 'file', { key, fields: { album_id } })).status).toBe(200)
    const ids = await imagesOf(album)
    await app.upload(image, { token })
    for (const name of [number, album]) {
      const { data } = (await call('GET', `/api/v1/images?album_id=${name}`, key)).body
      expect([data.total, data.data.map((shown: { key: string }) => shown.key)]).toEqual([ids.length, ids])
    }
    const live = await newAlbum({ title: 'Live', query: 'type:png' })
    const { data: found } = (await call('GET', `/api/v1/images?album_id=${live}`, key)).body
    expect(found.total).toBe(ids.length + 1)
    expect((await call('GET', `/api/v1/images?album_id=${live}&page=9`, key)).body.data.data).toEqual([])
    expect((await call('DELETE', `/api/v1/albums/${number}`, await newKey('upload'))).status).toBe(403)
    expect((await call('DELETE', `/api/v1/albums/${number}`, key)).body).toMatchObject({ status: true, data: {} })
    expect((await call('DELETE', `/api/v1/albums/${number}`, key)).status).toBe(404)
    expect((await call('GET', `/api/v1/images`, key)).body.data.total).toBe(ids.length + 1)
  })

  it('of somebody else do not exist, by number and id', async () => {
    const album = await newAlbum()
    const number = await numberOf('Italy')
    const { token: other } = await app.newUser()
    for (const name of [number, album, 'none', 12_345]) {
      expect((await call('GET', `/api/v1/images?album_id=${name}`, other)).status).toBe(404)
      expect((await call('DELETE', `/api/v1/albums/${name}`, other)).status).toBe(404)
    }
    expect((await list('', other)).total).toBe(0)
  })
})

describe('albums of Imgur', () => {
  const asGuest = { authorization: 'Client-ID 546c25a59c58ad7' }
  interface Reply {
    status: number
    // oxlint-disable-next-line typescript/no-explicit-any -- the shape depends on the call
    data: any
  }
  async function ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | FormData | URLSearchParams,
  ): Promise<Reply> {
    const response = await app.request(path, { method, headers, ...(body === undefined ? {} : { body }) })
    const { data } = (await response.json()) as Pick<Reply, 'data'>
    return { status: response.status, data }
  }
  const form = (fields: [string, string][]) => new URLSearchParams(fields)
  async function newImage(headers: Record<string, string>, album = ''): Promise<{ id: string; deletehash: string }> {
    const fields = new FormData()
    fields.append('album', album)
    fields.append('image', new Blob([new Uint8Array(image)]), 'a.png')
    return (await ask('POST', '/3/image', headers, fields)).data
  }
  const idsIn = (images: { id: string }[]) => images.map(({ id }) => id)

  it('of an account are created, filled, read and deleted', async () => {
    const headers = auth(await newKey('manage'))
    const [one, two, three] = [await newImage(headers), await newImage(headers), await newImage(headers)]
    const fields: [string, string][] = [
      ['ids[]', one.id],
      ['ids[]', two.id],
      ['title', 'Italy'],
      ['description', 'By the sea'],
      ['cover', two.id],
    ]
    const created = await ask('POST', '/3/album', headers, form(fields))
    expect([created.status, created.data]).toEqual([200, { id: expect.any(String), deletehash: created.data.id }])
    const path = `/3/album/${created.data.id}`
    expect((await ask('GET', path, headers)).data).toMatchObject({
      title: 'Italy',
      description: 'By the sea',
      cover: two.id,
      cover_width: expect.any(Number),
      images_count: 2,
      link: `${app.url}/albums/${created.data.id}`,
      images: [{ id: one.id }, { id: two.id }],
    })
    const json = { ...headers, 'content-type': 'application/json' }
    const added = await ask('POST', `${path}/add`, json, JSON.stringify({ deletehashes: [three.deletehash] }))
    expect([added.status, added.data]).toEqual([200, true])
    const four = await newImage(headers, created.data.deletehash)
    expect(idsIn((await ask('GET', `${path}/images`, headers)).data)).toEqual(idsIn([one, two, three, four]))
    const { data: listed } = await ask('GET', '/3/account/me/albums', headers)
    expect(listed).toMatchObject([{ id: created.data.id, images_count: 4 }])
    expect((await ask('POST', `${path}/add`, headers, form([]))).status).toBe(400)
    expect((await ask('DELETE', `${path}/remove_images`, headers)).status).toBe(400)
    const removed = await ask('DELETE', `${path}/remove_images?ids=${one.id},${two.id}&ids[]=${four.id}`, headers)
    expect([removed.status, removed.data]).toEqual([200, true])
    expect(idsIn((await ask('GET', `${path}/images`, headers)).data)).toEqual([three.id])
    expect((await ask('DELETE', path, auth(await newKey('upload')))).status).toBe(403)
    expect((await ask('DELETE', path, headers)).data).toBe(true)
    expect((await ask('GET', path, headers)).status).toBe(404)
    expect((await ask('GET', `/3/image/${one.id}`, headers)).status).toBe(200)
  })

  it('of an account are changed, and get the images that are named, in their order', async () => {
    const headers = auth(await newKey('manage'))
    const [one, two, three] = [await newImage(headers), await newImage(headers), await newImage(headers)]
    const foreign = await newImage(auth((await app.newUser()).token))
    const { data } = await ask('POST', '/3/album', headers, form([['ids', `${one.id},${two.id}`]]))
    const path = `/3/album/${data.id}`
    const shown = async () => (await ask('GET', path, headers)).data
    const texts = form([
      ['title', 'Italy'],
      ['description', 'By the sea'],
      ['cover', two.id],
    ])
    expect((await ask('PUT', path, headers, texts)).data).toBe(true)
    expect(await shown()).toMatchObject({ title: 'Italy', description: 'By the sea', cover: two.id, images_count: 2 })
    expect((await ask('PUT', path, headers, form([['ids', `${three.id},${one.id}`]]))).data).toBe(true)
    expect(idsIn((await shown()).images)).toEqual(idsIn([three, one]))
    const json = { ...headers, 'content-type': 'application/json' }
    const body = JSON.stringify({ deletehashes: [one.id, two.id, three.id], description: '' })
    expect((await ask('POST', path, json, body)).data).toBe(true)
    expect(await shown()).toMatchObject({
      title: 'Italy',
      description: null,
      images: [one, two, three].map(({ id }) => ({ id })),
    })
    const refused: [Record<string, string>, [string, string][], number][] = [
      [headers, [['ids', `${three.id},${foreign.id}`]], 404],
      [headers, [['cover', foreign.id]], 404],
      [auth(await newKey('upload')), [['title', 'Mine']], 403],
      [auth((await app.newUser()).token), [['title', 'Mine']], 404],
      [asGuest, [['title', 'Mine']], 401],
    ]
    for (const [as, fields, status] of refused)
      for (const method of ['PUT', 'POST']) expect((await ask(method, path, as, form(fields))).status).toBe(status)
    expect(idsIn((await shown()).images)).toEqual(idsIn([one, two, three]))
  })

  it('are listed by page, as ids and counted, for their owner alone', async () => {
    const headers = auth(await newKey('read'))
    const { imgurPage } = limits.compat
    for (let n = 0; n <= imgurPage; n++) await newAlbum({ title: `Album ${n}` })
    const list = async (path: string, as = headers) => (await ask('GET', `/3/account/${path}`, as)).data
    expect(await list('me/albums/count')).toBe(imgurPage + 1)
    for (const first of ['', '/', '/0']) {
      expect(await list(`me/albums${first}`)).toHaveLength(imgurPage)
      expect(await list(`me/albums/ids${first}`)).toHaveLength(imgurPage)
    }
    const [last] = await list('me/albums/1')
    expect(last).toMatchObject({ title: 'Album 0' })
    expect(await list('me/albums/ids/1')).toEqual([last.id])
    expect(await list('me/albums/2')).toEqual([])
    const { name } = await app.deps.db
      .selectFrom('users')
      .select('name')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    expect(await list(`${encodeURIComponent(name)}/albums/count`)).toBe(imgurPage + 1)
    expect(await list('nobody/albums')).toEqual([])
    expect(await list('nobody/albums/count')).toBe(0)
    expect((await ask('GET', '/3/account/me/albums/x', headers)).status).toBe(400)
    expect((await ask('GET', '/3/account/me/albums/ids/-1', headers)).status).toBe(400)
    expect((await ask('GET', '/3/account/me/albums/count', asGuest)).status).toBe(401)
    expect((await ask('GET', '/3/account/me/albums/ids', auth(await newKey('upload')))).status).toBe(403)
  })

  it('of a guest are created empty or with images, filled by the deletehash, and are open by their link', async () => {
    const [one, two] = [await newImage(asGuest), await newImage(asGuest)]
    const sent = form([['deletehashes', [one, two].map(({ deletehash }) => deletehash).join(',')]])
    const { data: full } = await ask('POST', '/3/album', asGuest, sent)
    const parts = new FormData()
    parts.append('title', 'Empty')
    const { data: empty } = await ask('POST', '/3/album', asGuest, parts)
    const three = await newImage(asGuest, empty.deletehash)
    const { data: shown } = await ask('GET', `/3/album/${empty.deletehash}`, asGuest)
    expect(shown).toMatchObject({ id: empty.id, title: 'Empty', account_url: null, images: [{ id: three.id }] })
    expect((await app.request(shown.link)).status).toBe(200)
    const more = form([['deletehashes[]', three.deletehash]])
    expect((await ask('POST', `/3/album/${full.deletehash}/add`, asGuest, more)).data).toBe(true)
    const { data: images } = await ask('GET', `/3/album/${full.deletehash}/images`, asGuest)
    expect(idsIn(images)).toEqual(idsIn([one, two, three]))
    expect((await ask('DELETE', `/3/album/${full.deletehash}`, asGuest)).data).toBe(true)
    expect((await ask('GET', `/3/album/${full.deletehash}`, asGuest)).status).toBe(404)
    expect((await app.request(shown.link)).status).toBe(200)
  })

  it('of a guest that are full take no further upload, which is not stored', async () => {
    const first = await newImage(asGuest)
    const { data: album } = await ask('POST', '/3/album', asGuest, form([['deletehashes', first.deletehash]]))
    const { db } = app.deps
    const row = await db.selectFrom('images').selectAll().where('id', '=', first.id).executeTakeFirstOrThrow()
    const copies = Array.from({ length: limits.albums.maxGuestImages - 1 }, (_, n) => `${first.id.slice(2)}${10 + n}`)
    const rows = copies.map((id) => ({ ...row, id, file_name: `${id}.png` }))
    await db.insertInto('images').values(rows).execute()
    const placed = { album_id: album.id, position: 'a1', added_by: null, added_at: 1 }
    const places = copies.map((id) => ({ ...placed, image_id: id }))
    await db.insertInto('album_images').values(places).execute()
    const before = await app.files('originals')
    const fields = { album: album.deletehash }
    expect((await upload('/3/image', 'image', { headers: asGuest, fields })).status).toBe(409)
    expect(await app.files('originals')).toEqual(before)
  })

  it("are nobody else's: what is not theirs is answered as what does not exist", async () => {
    const headers = auth(token)
    const { data: guests } = await ask('POST', '/3/album', asGuest, form([]))
    const { data: owned } = await ask('POST', '/3/album', headers, form([['title', 'Mine']]))
    const other = auth((await app.newUser()).token)
    const before = await stored()
    const wrong = `${guests.id}.${'x'.repeat(43)}`
    for (const [as, status] of [
      [other, 404],
      [asGuest, 401],
    ] as const)
      for (const hash of [owned.id, guests.id, 'none'])
        for (const [method, path] of [
          ['GET', ''],
          ['GET', '/images'],
          ['POST', '/add'],
          ['DELETE', '/remove_images?ids=x'],
          ['DELETE', ''],
        ] as const) {
          const body = method === 'POST' ? form([['ids', 'x']]) : undefined
          expect((await ask(method, `/3/album/${hash}${path}`, as, body)).status).toBe(status)
        }
    expect((await ask('GET', `/3/album/${wrong}`, asGuest)).status).toBe(404)
    for (const album of [wrong, guests.id, owned.id, 'none'])
      expect((await upload('/3/image', 'image', { headers: asGuest, fields: { album } })).status).toBe(404)
    expect(await stored()).toBe(before)
    const foreign = await newImage(other)
    expect((await ask('POST', '/3/album', asGuest, form([['ids', foreign.id]]))).status).toBe(404)
    expect((await ask('POST', '/3/album', asGuest, form([['deletehashes', foreign.deletehash]]))).status).toBe(404)
    expect(JSON.stringify(app.logged)).not.toContain(guests.deletehash)
  })
})

describe('folders of Zipline', () => {
  interface Answer {
    status: number
    // oxlint-disable-next-line typescript/no-explicit-any -- the shape depends on the call
    body: any
  }
  /** A key without a scheme, as Zipline's clients send it. */
  async function ask(method: string, path: string, key: string, body?: object): Promise<Answer> {
    const response = await app.request(`/api/user/folders${path}`, {
      method,
      headers: { authorization: key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  const newImage = async (as = token): Promise<string> => (await app.upload(image, { token: as })).body.id

  it('are created, filled, renamed, moved, emptied and deleted', async () => {
    const key = await newKey('manage')
    const [one, two] = [await newImage(), await newImage()]
    const created = await ask('POST', '', key, { name: 'Italy', isPublic: false, files: [one] })
    expect([created.status, created.body]).toEqual([
      200,
      {
        id: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        name: 'Italy',
        public: false,
        allowUploads: false,
        parentId: null,
        _count: { children: 0, files: 1 },
      },
    ])
    const { id } = created.body
    app.moveClock(1000)
    const { body: inside } = await ask('POST', '', key, { name: 'Rome', parentId: id })
    expect((await ask('PUT', `/${id}`, key, { id: two })).body._count).toEqual({ children: 1, files: 2 })
    const idsOf = async (query: string) =>
      (await ask('GET', query, key)).body.map((folder: { id: string }) => folder.id)
    expect(await idsOf('?noincl=true')).toEqual([inside.id, id])
    expect(await idsOf('?root=true')).toEqual([id])
    expect(await idsOf(`?parentId=${id}`)).toEqual([inside.id])
    const { body: whole } = await ask('GET', `/${id}`, key)
    expect(whole.files).toMatchObject([
      { id: one, folderId: id, type: 'image/png', size: expect.any(Number) },
      { id: two, url: expect.stringContaining(two) },
    ])
    expect(whole.files[0].url).toContain(whole.files[0].name)
    expect((await ask('GET', `/${id}?noincl=true`, key)).body).not.toHaveProperty('files')
    const moved = await ask('PATCH', `/${inside.id}`, key, { name: 'Naples', parentId: null, allowUploads: true })
    expect(moved.body).toMatchObject({ name: 'Naples', parentId: null, allowUploads: false })
    expect((await ask('DELETE', `/${id}`, key, { delete: 'file', id: one })).body).toMatchObject({
      success: true,
      folder: { _count: { files: 1 } },
    })
    expect((await ask('DELETE', `/${id}`, key, { delete: 'file', id: one })).status).toBe(404)
    expect((await ask('DELETE', `/${id}`, key, { delete: 'folder' })).body).toEqual({ success: true })
    expect((await ask('GET', `/${id}`, key)).status).toBe(404)
    expect((await app.call('GET', `/api/images/${two}`, { token })).status).toBe(200)
  })

  it('take no broken request, and are for their owner and the scopes of our own calls', async () => {
    const key = await newKey('manage')
    const { body: folder } = await ask('POST', '', key, { name: 'Italy' })
    const path = `/${folder.id}`
    const { token: other } = await app.newUser()
    const foreign = await newKey('manage', other)
    const theirs = await newImage(other)
    const upload = await newKey('upload')
    const requests: [string, string, string, object | undefined, number][] = [
      ['POST', '', key, {}, 400],
      ['POST', '', key, { name: ' ' }, 400],
      ['POST', '', key, { name: 'x', files: 'x' }, 400],
      ['POST', '', key, { name: 'x', parentId: 'none' }, 404],
      ['PUT', path, key, { id: 'none' }, 404],
      ['PUT', path, key, { id: theirs }, 403],
      ['PATCH', path, key, { parentId: folder.id }, 409],
      ['DELETE', path, key, { delete: 'everything' }, 400],
      ['DELETE', path, key, { delete: 'file' }, 400],
      ['DELETE', path, key, { delete: 'folder', childrenAction: 'cascade-files' }, 400],
      ['GET', '', upload, undefined, 403],
      ['PATCH', path, upload, { name: 'x' }, 403],
      ['DELETE', path, upload, { delete: 'folder' }, 403],
      ['GET', path, foreign, undefined, 404],
      ['PATCH', path, foreign, { name: 'x' }, 404],
      ['PUT', path, foreign, { id: theirs }, 404],
      ['DELETE', path, foreign, { delete: 'folder' }, 404],
      ['GET', '', '', undefined, 401],
    ]
    for (const [method, at, as, body, status] of requests) {
      const answer = await ask(method, at, as, body)
      expect([method, at, body, answer.status]).toEqual([method, at, body, status])
      expect(answer.body).toMatchObject({ success: false, error: expect.any(String) })
    }
    expect((await ask('GET', path, key)).body).toMatchObject({ name: 'Italy', files: [] })
  })
})
