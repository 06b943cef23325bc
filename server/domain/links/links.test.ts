import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import { fieldsIn, linkColumns } from '../../testing/album-columns.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { newId } from '../shared/secrets.ts'
import { openLink } from './open-link.ts'
import { enterLink } from './enter-link-password.ts'
import { imagesOfLink } from './link-archive.ts'

let app: TestApp
let picture: Buffer
let owner: Awaited<ReturnType<TestApp['newUser']>>
const hour = 3_600_000

beforeAll(async () => {
  app = await startTestApp({ MAX_LINKS: '200' })
  picture = await jpeg(60, 40)
  owner = await app.newUser()
})
afterAll(() => app.stop())

const newImage = async (fields: Record<string, string> = {}, { token } = owner): Promise<string> =>
  (await app.upload(picture, { token, fields })).body.id

const newAlbum = async (images: string[], values: object = {}, ownerId = owner.id): Promise<string> => {
  const id = newId(app.deps)
  const row = { id, owner_id: ownerId, title: 'Italy', description: 'By the sea', created_at: 1, ...values }
  await app.deps.db.insertInto('albums').values(row).execute()
  const rows = images.map((image_id, at) => ({ album_id: id, image_id, position: `a${at}`, added_at: 1 }))
  if (rows.length > 0) await app.deps.db.insertInto('album_images').values(rows).execute()
  return id
}

const create = (body: object, { token } = owner) => app.call('POST', '/api/links', { token, body })
const update = (id: string, body: object, { token } = owner) => app.call('PATCH', `/api/links/${id}`, { token, body })
const newLink = async (body: object) => (await create(body)).body as { id: string; slug: string }

const visit = {
  cookie: undefined,
  isRobot: false,
  isHead: false,
  isFromOwnPage: false,
  siteUrl: 'https://pics.example',
}
const open = (slug: string, more: object = {}) => openLink(app.deps, { ...visit, slug, ...more })
async function opened(slug: string, more: object = {}) {
  const found = await open(slug, more)
  if (found.kind !== 'open') throw new Error('It has a password')
  return found
}
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'open',
    (error: { code: string }) => error.code,
  )

it('a link has a field for every column that its owner may see', async () => {
  const { body } = await create({ images: [await newImage()] })
  const computed = ['url', 'title', 'images', 'named_images', 'cover', 'state']
  expect(Object.keys(body).toSorted()).toEqual([...fieldsIn(linkColumns, 'api'), ...computed].toSorted())
})

it('a watermark is refused where the server has no font, and the other settings are not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'image-host-fonts-'))
  await writeFile(join(folder, 'fonts.conf'), '<fontconfig></fontconfig>')
  vi.stubEnv('FONTCONFIG_FILE', join(folder, 'fonts.conf'))
  const bare = await startTestApp({}, undefined, { ownDecoders: true })
  try {
    const { token } = await bare.newUser()
    const images = [(await bare.upload(picture, { token })).body.id]
    const send = (body: object) => bare.call('POST', '/api/links', { token, body })
    const refused = await send({ images, watermark: 'Mine' })
    expect([refused.status, refused.body.error]).toEqual([400, 'watermark: needs a font, and this server has none'])
    const { status, body } = await send({ images, watermark: '' })
    expect(status).toBe(201)
    const change = { token, body: { watermark: 'Mine' } }
    expect((await bare.call('PATCH', `/api/links/${body.id}`, change)).status).toBe(400)
  } finally {
    await bare.stop()
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  }
})

describe('a link', () => {
  it('is created with a slug that nobody can guess, or with one of its own', async () => {
    const image = await newImage()
    const { status, body } = await create({ images: [image, image] })
    expect(status).toBe(201)
    expect(body).toMatchObject({ images: 1, title: 'picture.jpg', state: 'open', has_password: false, views: 0 })
    expect(body.slug).toMatch(/^[a-z2-9]{12}$/)
    expect(new URL(body.url).pathname).toBe(`/l/${body.slug}`)
    const named = await create({ images: [image], slug: ' Italy-2026 ', password: 'secret', max_views: 3 })
    expect(named.body).toMatchObject({ slug: 'italy-2026', has_password: true, views_left: 3 })
    expect(JSON.stringify(named.body)).not.toContain('argon2')
  })

  it('has the cover of its album, or the first image that visitors see', async () => {
    const hidden = await newImage({ visibility: 'private' })
    const [first, second] = [await newImage(), await newImage()]
    const album = await newAlbum([hidden, first, second])
    const coverOf = async (body: object) => (await create(body)).body.cover?.id ?? null
    expect(await coverOf({ album_id: album })).toBe(first)
    expect(await coverOf({ album_id: album, shows_private: true })).toBe(hidden)
    expect(await coverOf({ images: [second, first] })).toBe(second)
    expect(await coverOf({ album_id: await newAlbum([first, second], { cover_id: second }) })).toBe(second)
    expect(await coverOf({ album_id: await newAlbum([hidden]) })).toBeNull()
    expect(await coverOf({ album_id: await newAlbum([], { query: 'type:jpg' }) })).toBe(second)
  })

  it('is listed by its state', async () => {
    const user = await app.newUser()
    const images = [await newImage({}, user)]
    const make = async (body: object, change?: object) => {
      const { id } = (await create({ images, ...body }, user)).body
      if (change) await update(id, change, user)
      return id as string
    }
    const at = (ms: number) => new Date(app.deps.now() + ms).toISOString()
    const open = [await make({}), await make({ starts_at: at(-hour), ends_at: at(hour), max_views: 1 })]
    const waiting = [await make({ starts_at: at(hour) })]
    const ended = [await make({ ends_at: at(-hour) }), await make({ starts_at: at(-2 * hour), ends_at: at(-hour) })]
    const used = await make({ max_views: 1 })
    await app.deps.db.updateTable('links').set({ views_left: 0 }).where('id', '=', used).execute()
    const revoked = [await make({}, { revoked: true }), await make({ ends_at: at(-hour) }, { revoked: true })]
    for (const [state, ids] of Object.entries({ open, waiting, ended: [...ended, used], revoked })) {
      const { body } = await app.call('GET', `/api/links?state=${state}`, { token: user.token })
      const found = body as { id: string; state: string }[]
      expect(found.map(({ id }) => id).toSorted(), state).toEqual(ids.toSorted())
      expect(new Set(found.map((link) => link.state))).toEqual(new Set([state]))
    }
  })

  it.each<[string, () => Promise<object> | object, number, string]>([
    ['nothing', () => ({}), 400, 'invalid_input'],
    ['an album and images', async () => ({ album_id: await newAlbum([]), images: ['x'] }), 400, 'invalid_input'],
    ['an image that does not exist', () => ({ images: ['none'] }), 404, 'image_not_found'],
    [
      "somebody else's image",
      async () => ({ images: [await newImage({}, await app.newUser())] }),
      404,
      'image_not_found',
    ],
    ['an album that does not exist', () => ({ album_id: 'none' }), 404, 'album_not_found'],
    [
      "somebody else's album",
      async () => ({ album_id: await newAlbum([], {}, (await app.newUser()).id) }),
      404,
      'album_not_found',
    ],
    ['a reserved slug', async () => ({ images: [await newImage()], slug: 'login' }), 400, 'invalid_input'],
    ['a slug with a slash', async () => ({ images: [await newImage()], slug: 'a/b' }), 400, 'invalid_input'],
    [
      'an end before its start',
      async () => ({
        images: [await newImage()],
        starts_at: '2030-01-02T00:00:00.000Z',
        ends_at: '2030-01-01T00:00:00.000Z',
      }),
      400,
      'invalid_input',
    ],
  ])('is not created to %s', async (_, body, status, code) => {
    expect(await create(await body())).toMatchObject({ status, body: { code } })
  })

  it('has a slug of which there is one, whoever has it, until it is deleted', async () => {
    const other = await app.newUser()
    const image = await newImage({}, other)
    const mine = await newLink({ images: [await newImage()], slug: 'only-one' })
    expect(await create({ images: [image], slug: 'only-one' }, other)).toMatchObject({
      status: 409,
      body: { code: 'slug_taken' },
    })
    const another = await newLink({ images: [await newImage()] })
    expect(await update(another.id, { slug: 'only-one' })).toMatchObject({ status: 409, body: { code: 'slug_taken' } })
    expect((await update(mine.id, { slug: 'only-one' })).status).toBe(200)
    expect((await app.call('DELETE', `/api/links/${mine.id}`, owner)).status).toBe(200)
    expect((await create({ images: [image], slug: 'only-one' }, other)).status).toBe(201)
  })

  it('goes to one of two who want the same slug at once', async () => {
    const image = await newImage()
    const made = await Promise.all([1, 2, 3].map(() => create({ images: [image], slug: 'at-once' })))
    expect(made.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })

  it('is its owner’s alone', async () => {
    const { id } = await newLink({ images: [await newImage()] })
    const other = await app.newUser()
    expect(await update(id, { name: 'mine' }, other)).toMatchObject({ status: 404, body: { code: 'link_not_found' } })
    expect((await app.call('DELETE', `/api/links/${id}`, other)).status).toBe(404)
    expect((await app.call('GET', '/api/links', other)).body).toEqual([])
  })

  it('keeps what is not sent, and says what it is', async () => {
    const { id } = await newLink({ images: [await newImage()], name: 'A', watermark: 'w', ends_at: null })
    const ends_at = new Date(app.deps.now() + hour).toISOString()
    const changed = (await update(id, { note: 'B', ends_at, can_download: false, max_size: 500 })).body
    expect(changed).toMatchObject({
      name: 'A',
      watermark: 'w',
      note: 'B',
      ends_at,
      can_download: false,
      max_size: 500,
      state: 'open',
    })
    const later = new Date(app.deps.now() + hour / 2).toISOString()
    expect((await update(id, { starts_at: later })).body.state).toBe('waiting')
    expect((await update(id, { revoked: true })).body.state).toBe('revoked')
    expect((await update(id, { revoked: false, starts_at: null })).body.state).toBe('open')
    await app.deps.db.updateTable('links').set({ views_left: 0 }).where('id', '=', id).execute()
    expect((await update(id, {})).body.state).toBe('ended')
  })

  it('is listed newest first, in pages, by album and by image', async () => {
    const user = await app.newUser()
    const image = await newImage({}, user)
    const album = await newAlbum([image], { title: 'Rome' }, user.id)
    for (const body of [{ images: [image] }, { album_id: album }, { images: [image] }]) {
      app.moveClock(1000)
      expect((await create(body, user)).status).toBe(201)
    }
    const list = (query: string) => app.call('GET', `/api/links${query}`, user)
    const all = await list('')
    expect(all.headers.get('x-total-count')).toBe('3')
    expect(all.body.map((one: { title: string }) => one.title)).toEqual(['picture.jpg', 'Rome', 'picture.jpg'])
    const first = await list('?limit=2')
    const next = new URL(/<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '')
    expect([...first.body, ...(await list(next.search)).body]).toEqual(all.body)
    expect((await list(`?album=${album}`)).body).toEqual([all.body[1]])
    expect((await list(`?image=${image}`)).body).toEqual([all.body[0], all.body[2]])
  })

  it('says how many images it names, also while one is in the trash', async () => {
    const [first, second] = [await newImage(), await newImage()]
    const { id } = await newLink({ images: [first, second] })
    const found = async () => {
      const { body } = await app.call('GET', `/api/links?image=${first}`, owner)
      const link = body.find((one: { id: string }) => one.id === id)
      return [link.images, link.named_images]
    }
    expect(await found()).toEqual([2, 2])
    await app.call('POST', '/api/trash', { token: owner.token, body: { ids: [second] } })
    expect(await found()).toEqual([1, 2])
    const ofAlbum = await newLink({ album_id: await newAlbum([first]) })
    expect(ofAlbum).toMatchObject({ images: 1, named_images: 0 })
  })

  it('is one of at most MAX_LINKS of an account', async () => {
    const user = await app.newUser()
    const image = await newImage({}, user)
    app.deps.config.MAX_LINKS = 1
    const statuses = [await create({ images: [image] }, user), await create({ images: [image] }, user)]
    app.deps.config.MAX_LINKS = 200
    expect(statuses.map(({ status }) => status)).toEqual([201, 409])
    expect(statuses[1]?.body).toMatchObject({ code: 'too_many_links', error: expect.stringContaining('1 links') })
  })
})

it('a visitor gets no ZIP file where a live album inside has more images than are counted', async () => {
  const user = await app.newUser()
  const image = await newImage({}, user)
  const outer = await newAlbum([], {}, user.id)
  await newAlbum([], { parent_id: outer, query: 'picture' }, user.id)
  const { slug } = (await create({ album_id: outer, shows_private: true }, user)).body
  const { bytes, ...row } = await app.deps.db
    .selectFrom('images')
    .selectAll()
    .where('id', '=', image)
    .executeTakeFirstOrThrow()
  expect((await opened(slug)).downloadBytes).toBe(bytes)
  for (let n = 0; n < limits.list.maxCounted; n += 100) {
    const copies = Array.from({ length: 100 }, (_, at) => `copy-${user.id}-${n + at}`)
    await app.deps.db
      .insertInto('images')
      .values(copies.map((id) => ({ ...row, bytes, id, file_name: id })))
      .execute()
  }
  expect((await opened(slug)).downloadBytes).toBeNull()
})

describe('a visitor', () => {
  it('sees the images that the link names, private ones too, in their order', async () => {
    const ids = [await newImage({ visibility: 'private' }), await newImage(), await newImage()]
    const { slug } = await newLink({ images: ids })
    const found = await opened(slug)
    expect(found.images.map(({ id }) => id)).toEqual(ids)
    expect(found.images.map((row) => typeof found.keyOf(row))).toEqual(['string', 'undefined', 'undefined'])
    expect(found).toMatchObject({ total: 3, title: '', albums: [], nextCursor: null })
    expect(found.downloadBytes).toBe(found.images.reduce((sum, { bytes }) => sum + bytes, 0))
  })

  it('sees an album in pages, with those inside it, without private images unless the link says so', async () => {
    const [first, secret, last] = [await newImage(), await newImage({ visibility: 'private' }), await newImage()]
    const album = await newAlbum([first, secret, last])
    const inside = await newAlbum([secret, last], { title: 'Rome', parent_id: album })
    const { id, slug } = await newLink({ album_id: album })
    const found = await opened(slug)
    expect(found).toMatchObject({ title: 'Italy', description: 'By the sea', total: 2 })
    expect(found.images.map((row) => row.id)).toEqual([first, last])
    expect(found.albums).toMatchObject([{ id: inside, title: 'Rome', images: 1, cover: { id: last } }])
    await update(id, { shows_private: true })
    const page = await opened(slug, { limit: 2 })
    expect(page.images.map((row) => row.id)).toEqual([first, secret])
    const rest = await opened(slug, { limit: 2, cursor: page.nextCursor ?? '' })
    expect([rest.images.map((row) => row.id), rest.nextCursor]).toEqual([[last], null])
    const deeper = await opened(slug, { albumId: inside })
    expect(deeper).toMatchObject({ title: 'Rome', around: [{ id: album, title: 'Italy' }], total: 2 })
    const files = []
    for await (const row of imagesOfLink(app.deps, deeper.link)) files.push([...row.folder, row.id].join('/'))
    expect(files).toEqual([first, secret, last, `Rome/${secret}`, `Rome/${last}`])
    expect(await codeOf(open(slug, { albumId: await newAlbum([first]) }))).toBe('link_not_found')
  })

  it('sees no album in which there is nothing for them, and the size and a cover of what is deeper', async () => {
    const album = await newAlbum([])
    const hidden = await newAlbum([await newImage({ visibility: 'private' })], { parent_id: album })
    const empty = await newAlbum([], { parent_id: hidden })
    const outer = await newAlbum([], { parent_id: album })
    const sea = await newImage({ tags: 'deep' })
    const live = await newAlbum([], { parent_id: outer })
    await app.deps.db.updateTable('albums').set({ query: 'tag:deep' }).where('id', '=', live).execute()
    const { slug } = await newLink({ album_id: album })
    const found = await opened(slug)
    expect(found.albums.map(({ id, cover }) => [id, cover.id])).toEqual([[outer, sea]])
    expect(found.downloadBytes).toBe(found.albums[0]?.cover.bytes)
    for (const albumId of [hidden, empty]) expect(await codeOf(open(slug, { albumId }))).toBe('link_not_found')
    expect((await opened(slug, { albumId: outer })).albums.map(({ id }) => id)).toEqual([live])
  })

  it('sees what the query of a live album finds, as long as it does', async () => {
    const [sea, hills] = [await newImage({ tags: 'sea', visibility: 'private' }), await newImage({ tags: 'sea' })]
    await newImage({ tags: 'city' })
    const outer = await newAlbum([])
    const album = await newAlbum([], { query: 'tag:sea', parent_id: outer })
    const { id, slug } = await newLink({ album_id: outer, shows_private: true })
    const found = await opened(slug, { albumId: album, limit: 1 })
    const rest = await opened(slug, { albumId: album, limit: 1, cursor: found.nextCursor ?? '' })
    expect([...found.images, ...rest.images].map((row) => row.id).toSorted()).toEqual([sea, hills].toSorted())
    expect([found.total, rest.nextCursor]).toEqual([2, null])
    expect(found.albums).toEqual([])
    expect((await opened(slug)).albums).toMatchObject([{ id: album, images: 2 }])
    const key = [...found.images, ...rest.images].map(found.keyOf).find((one) => one !== undefined)
    const status = async () => (await fetch(`${app.url}/api/thumbnail/${sea}/300?key=${key}`)).status
    expect(await status()).toBe(200)
    await app.call('POST', '/api/tags/images', { token: owner.token, body: { ids: [sea], remove: ['sea'] } })
    expect(await status()).toBe(404)
    const direct = await create({ album_id: album })
    expect(direct.body).toMatchObject({ images: 1, album_id: album })
    expect((await update(id, {})).body.images).toBe(0)
  })

  it.each<[string, (id: string, slug: string, user: typeof owner) => unknown]>([
    ['there is none', (_, slug) => app.deps.db.deleteFrom('links').where('slug', '=', slug).execute()],
    ['it was revoked', (id, _, user) => update(id, { revoked: true }, user)],
    ['it has ended', (id, _, user) => update(id, { ends_at: new Date(app.deps.now() - 1).toISOString() }, user)],
    [
      'it has not started',
      (id, _, user) => update(id, { starts_at: new Date(app.deps.now() + hour).toISOString() }, user),
    ],
    ['its views are used up', (_, slug) => open(slug)],
    [
      'its owner is suspended',
      (_, __, { id }) => app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', id).execute(),
    ],
  ])('gets the same failure where %s', async (_, close) => {
    const user = await app.newUser()
    const made = await create({ images: [await newImage({}, user)], max_views: 1, slug: 'closing' }, user)
    expect(made.status).toBe(201)
    await close(made.body.id, 'closing', user)
    const failure = await open('closing').catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'link_not_found' })
    await app.deps.db.deleteFrom('links').where('slug', '=', 'closing').execute()
  })

  it('counts once in an hour, and not at all as a robot', async () => {
    const { id, slug } = await newLink({ images: [await newImage()] })
    const { setCookie } = await opened(slug)
    expect(setCookie).toMatch(
      new RegExp(`^visit=[\\w.-]+; Path=/l/${slug}; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$`),
    )
    const cookie = `a=b; ${setCookie?.split(';')[0]}`
    expect((await opened(slug, { cookie })).setCookie).toBeUndefined()
    for (const more of [{ isRobot: true }, { isHead: true }, { isFromOwnPage: true }])
      expect((await opened(slug, more)).setCookie).toBeUndefined()
    expect((await update(id, {})).body.views).toBe(1)
    expect((await opened(slug, { cookie: `${cookie}x` })).setCookie).toBeDefined()
    app.moveClock(2 * hour)
    expect((await opened(slug, { cookie })).setCookie).toBeDefined()
    expect((await update(id, {})).body.views).toBe(3)
  })

  it('gets the last view of a link alone, and keeps it for an hour', async () => {
    const { slug } = await newLink({ images: [await newImage()], max_views: 2 })
    expect(await codeOf(open(slug, { isRobot: true }))).toBe('robot_excluded')
    const visits = await Promise.all([1, 2, 3, 4, 5].map(() => open(slug).catch(() => null)))
    const cookies = visits.flatMap((found) => (found?.kind === 'open' ? [found.setCookie?.split(';')[0]] : []))
    expect(cookies.length).toBe(2)
    expect(await codeOf(open(slug))).toBe('link_not_found')
    for (const cookie of cookies) expect(await codeOf(open(slug, { cookie }))).toBe('open')
  })

  it('enters the password once, until it changes', async () => {
    const { id, slug } = await newLink({ images: [await newImage({ visibility: 'private' })], password: 'sea' })
    const address = '192.0.2.1'
    const enter = (password: string) =>
      enterLink(app.deps, { slug, cookie: undefined, password, address, siteUrl: 'http://x' })
    expect(await open(slug)).toEqual({ kind: 'password' })
    expect(await codeOf(enter('lake'))).toBe('wrong_link_password')
    const [header = '', visitHeader = ''] = await enter('sea')
    expect(visitHeader).toMatch(/^visit=/)
    expect((await update(id, {})).body.views).toBe(1)
    expect(header).toMatch(new RegExp(`^pass=[\\w.-]+; Path=/l/${slug}; Max-Age=3600; HttpOnly; SameSite=Lax$`))
    const cookie = header.split(';')[0] ?? ''
    expect((await open(slug, { cookie })).kind).toBe('open')
    // A cookie of another kind, or of another link.
    expect((await open(slug, { cookie: cookie.replace('pass', 'visit') })).kind).toBe('password')
    expect((await open(slug, { cookie: cookie.replace(/^pass=\w+/, 'pass=zzzzzz') })).kind).toBe('password')
    await update(id, { password: 'ocean' })
    expect((await open(slug, { cookie })).kind).toBe('password')
    await update(id, { revoked: true })
    expect(await codeOf(enter('ocean'))).toBe('link_not_found')
  })

  it('is not asked for the password of a link whose views are used up, unless they have one', async () => {
    const { slug } = await newLink({ images: [await newImage()], password: 'sea', max_views: 1 })
    const enter = (cookie?: string) =>
      enterLink(app.deps, { slug, cookie, password: 'sea', address: '192.0.2.9', siteUrl: 'http://x' })
    const [header = '', ...visits] = await enter()
    expect(visits).toEqual([])
    const pass = header.split(';')[0] ?? ''
    const { setCookie } = await opened(slug, { cookie: pass })
    const visiting = setCookie?.split(';')[0]
    expect(await codeOf(open(slug))).toBe('link_not_found')
    expect(await codeOf(enter())).toBe('link_not_found')
    expect(await open(slug, { cookie: visiting })).toEqual({ kind: 'password' })
    expect(await codeOf(enter(visiting))).toBe('open')
    expect((await open(slug, { cookie: `${pass}; ${visiting}` })).kind).toBe('open')
  })

  it('gets the same failure for texts that no database finds', async () => {
    const { slug } = await newLink({ album_id: await newAlbum([]) })
    for (const albumId of ['\0', 'a\0b', '\ud800', "' or 1=1 --"])
      expect(await codeOf(open(slug, { albumId }))).toBe('link_not_found')
    for (const other of ['\0', `${slug}\0`, '\ud800', '%']) expect(await codeOf(open(other))).toBe('link_not_found')
  })

  it('gets no page for a cursor that no page gave', async () => {
    const album = await newAlbum([await newImage()])
    const named = await newLink({ images: [await newImage()] })
    const ofAlbum = await newLink({ album_id: album })
    const cursor = (value: unknown) => Buffer.from(JSON.stringify(['place', value, 'x'])).toString('base64url')
    for (const value of ['abc', '1', 1.5, 1e300, null])
      expect(await codeOf(open(named.slug, { cursor: cursor(value) }))).toBe('invalid_input')
    expect((await opened(named.slug, { cursor: cursor(2 ** 53 - 1) })).images).toEqual([])
    expect(await codeOf(open(ofAlbum.slug, { cursor: cursor(1) }))).toBe('invalid_input')
    expect((await opened(ofAlbum.slug, { cursor: cursor('zz') })).images).toEqual([])
  })

  it('tries few passwords, and so do all visitors together', async () => {
    const { slug } = await newLink({ images: [await newImage()], password: 'sea' })
    const enter = (address: string, password = 'x') =>
      codeOf(enterLink(app.deps, { slug, cookie: undefined, password, address, siteUrl: '' }))
    for (let n = 0; n < 10; n++) expect(await enter('192.0.2.2')).toBe('wrong_link_password')
    expect(await enter('192.0.2.2', 'sea')).toBe('too_many_requests')
    expect(await enter('192.0.2.3', 'sea')).toBe('open')
    const tries = []
    for (let n = 0; n < 100; n++) tries.push(await enter(`198.51.100.${n}`))
    expect(tries.filter((code) => code === 'wrong_link_password').length).toBe(90)
    app.moveClock(hour)
    expect(await enter('192.0.2.2', 'sea')).toBe('open')
  })
})

it('a member who may manage an album shares it, as long as that is so', async () => {
  const member = await app.newUser()
  const album = await newAlbum([await newImage()])
  const inside = await newAlbum([await newImage()], { parent_id: album })
  const row = { id: newId(app.deps), album_id: album, user_id: member.id, role: 'add' as const, created_at: 1 }
  await app.deps.db.insertInto('album_members').values(row).execute()
  expect((await create({ album_id: inside }, member)).body.code).toBe('album_not_found')
  const members = app.deps.db.updateTable('album_members').where('id', '=', row.id)
  await members.set({ accepted_at: 1 }).execute()
  expect((await create({ album_id: inside }, member)).body.code).toBe('album_role')
  await members.set({ role: 'manage' }).execute()
  const { status, body } = await create({ album_id: inside }, member)
  expect([status, await codeOf(open(body.slug))]).toEqual([201, 'open'])
  // Images of others in an album of a suspended user.
  const ofOwner = app.deps.db.updateTable('users').where('id', '=', owner.id)
  await ofOwner.set({ status: 'Inactive' }).execute()
  expect(await codeOf(open(body.slug))).toBe('link_not_found')
  await ofOwner.set({ status: 'Active' }).execute()
  expect(await codeOf(open(body.slug))).toBe('open')
  const listed = async (query = '') => (await app.call('GET', `/api/links${query}`, { token: member.token })).body
  expect((await listed())[0]).toMatchObject({ state: 'open', title: 'Italy', images: 1 })
  await app.deps.db.deleteFrom('album_members').where('id', '=', row.id).execute()
  expect(await codeOf(open(body.slug))).toBe('link_not_found')
  // Who made it sees nothing of the album any more.
  expect((await listed())[0]).toMatchObject({ state: 'ended', title: '', images: 0, cover: null })
  expect(await listed('?state=open')).toEqual([])
})
