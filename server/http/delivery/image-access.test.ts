// One table: every route that can return a byte or a fact of an image, in every state of an image, asked by everyone who may or
// may not view it, on the server that changed it and on another one, after both have rendered and cached it. Who may not view an
// image gets the response for one that has never existed, byte for byte (docs/decisions/0066, docs/decisions/0070).
import { channel } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { api } from '../../../contract/endpoints/api.ts'
import type { Endpoint } from '../../../contract/endpoints/endpoint.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { type RouteName, routes } from '../../../contract/plain/routes.ts'
import type { LinksTable } from '../../db/schema.ts'
import { linkViewKeyOf, memberViewKeyOf, viewKeyOf } from '../../domain/images/sharing/view-keys.ts'
import { linkCookie } from '../../domain/links/link-cookies.ts'
import { newId } from '../../domain/shared/secrets.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import {
  addressOf,
  ask,
  factsOf,
  imageTools,
  legacyAddress,
  linkRoutes,
  listTools,
  managingRoutes,
  type NamedImage,
  noImage,
  routesOfOthers,
  siteOfImages,
  viewingAddresses,
  viewingRoutes,
} from '../../testing/image-routes.ts'
import { startSharedStores } from '../../testing/shared-stores.ts'
import { isShortRun, rowsInTurn } from '../../testing/short-run.ts'
import { jpeg, photograph } from '../../testing/test-images.ts'

const postgresUrl = inject('postgresUrl')
const mediaHost = 'media.example'
const hour = 3_600_000
const second = { MEDIA_ORIGIN: `http://${mediaHost}` }
const environment = {
  PUBLIC_URL: siteOfImages,
  ADMIN_EMAIL: 'boss@example.com',
  ADMIN_PASSWORD: 'boss-secret',
  LEGACY_PATHS: 'on',
  MAX_LINKS: '1000',
}

let one: TestApp
/** On the same data, with images on a host of their own. Where two servers cannot share a database, it starts when the first has stopped. */
let two: TestApp | undefined
const closers: (() => Promise<unknown>)[] = []
const served: string[] = []
let owner: { token: string; id: string }
let admin: string
/** Larger than what the server itself sends where a proxy can send files. */
let large: Buffer
let small: Buffer
/** Private images that links and albums show along with each other: with them, there are enough for a collage. */
let companions: NamedImage[]
/** Has a password, and shows none of the images of the table. */
let otherLink: LinksTable

beforeAll(async () => {
  const starts = channel('fastify.initialization')
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) served.push(`${name} ${url.replace(/:(\w+)/g, '{$1}')}`)
    })
  starts.subscribe(listen)
  if (postgresUrl === undefined) one = await startTestApp(environment)
  else {
    const stores = await startSharedStores(postgresUrl)
    const shared = { ...environment, ...stores.environment }
    one = await startTestApp(shared)
    two = await startTestApp({ ...shared, ...second })
    closers.push(stores.stop)
  }
  starts.unsubscribe(listen)
  const body = { email: environment.ADMIN_EMAIL, password: environment.ADMIN_PASSWORD }
  admin = (await one.call('POST', '/api/login', { body })).body.token
  owner = await one.newUser()
  small = await jpeg(60, 40)
  large = await photograph(700, 520).png({ compressionLevel: 0 }).toBuffer()
  companions = [await newImage('private'), await newImage('private'), await newImage('private')]
  otherLink = await newLink({ images: companions.map(({ id }) => id), password: 'other' })
  for (const person of Object.keys(strangers)) headersOf[person] = (await strangers[person]?.()) ?? {}
  for (const [at, [title, scenario]] of tried.entries()) cases.set(title, await prepare(scenario, at))
  // All renders of the table, which may share the machine with other tests.
}, 900_000)
afterAll(async () => {
  await two?.stop()
  await one.stop()
  for (const close of closers) await close()
})

let count = 0
async function newImage(visibility: 'public' | 'private'): Promise<NamedImage> {
  const n = ++count
  const bytes = n % 3 === 0 ? large : small
  // With a name that tells it from the others in a ZIP file, as long as that of no image.
  const name = `pict${String(n).padStart(3, '0')}.jpg`
  const { status, body } = await one.upload(bytes, { token: owner.token, name, fields: { visibility } })
  expect(status).toBe(201)
  const legacy = { path: addressOf(legacyAddress, body), image_id: body.id, size: 'original' as const }
  await one.deps.db.insertInto('legacy_paths').values(legacy).execute()
  const slug = `slug-${String(n).padStart(4, '0')}`
  expect((await change(body, { slug })).status).toBe(200)
  return { ...body, slug }
}
const change = ({ id }: { id: string }, body: object) =>
  one.call('PATCH', `/api/images/${id}`, { token: owner.token, body })
const remove = ({ id }: { id: string }, query = '') =>
  one.call('DELETE', `/api/images/${id}${query}`, { token: owner.token })
const quarantine = ({ id }: { id: string }) =>
  one.call('POST', '/api/admin/images/moderate', {
    token: admin,
    body: { action: 'quarantine', ids: [id], reason: 'x' },
  })

async function newAlbum(images: NamedImage[], parent?: string): Promise<string> {
  const body = { title: 'Italy', ...(parent !== undefined && { parent_id: parent }) }
  const { id } = (await one.call('POST', '/api/albums', { token: owner.token, body })).body
  if (images.length > 0)
    await one.call('POST', `/api/albums/${id}/images`, {
      token: owner.token,
      body: { ids: images.map((image) => image.id) },
    })
  return id
}

async function newLink(body: object): Promise<LinksTable> {
  const made = await one.call('POST', '/api/links', { token: owner.token, body })
  expect(made.status).toBe(201)
  return one.deps.db.selectFrom('links').selectAll().where('id', '=', made.body.id).executeTakeFirstOrThrow()
}
const changeLink = ({ id }: LinksTable, body: object) =>
  one.call('PATCH', `/api/links/${id}`, { token: owner.token, body })

/** @returns the id of the membership */
async function newMember(albumId: string, userId: string): Promise<string> {
  const id = newId(one.deps)
  const row = { id, album_id: albumId, user_id: userId, role: 'view' as const, created_at: 1, accepted_at: 1 }
  await one.deps.db.insertInto('album_members').values(row).execute()
  return id
}

/** Nobody of them may view the owner's private images by who they are. */
const strangers: Record<string, () => Promise<Record<string, string>>> = {
  guest: async () => ({}),
  user: async () => bearer((await one.newUser()).token),
  'key of a user': async () => {
    const { token } = await one.newUser()
    return bearer((await one.call('POST', '/api/api-keys', { token, body: {} })).body.key)
  },
  'guest with the token of another image': async () => ({
    'x-guest-token': (await one.guestImage(small)).delete_token,
  }),
}
const headersOf: Record<string, Record<string, string>> = {}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

type Outcome = 'open' | 'gone' | 'withheld' | 'nothing'

interface Shared {
  image: NamedImage
  key?: string
  link?: LinksTable
  album?: string
  member?: string
  /** Somebody who could view it once. */
  headers?: Record<string, string>
}

interface Scenario {
  start: () => Promise<Shared>
  /** What happens after all servers have rendered and cached it. */
  end?: (shared: Shared) => unknown
  outcome: Outcome
  /** The page of the link, at the end. Default: it is open, and without the image unless the outcome is 'open'. */
  page?: 'none' | 'password'
  /** How much later it is asked. */
  laterMs?: number
  /** By whom besides those who have the address. */
  askedBy?: string[]
}

const isPublic = async (): Promise<Shared> => ({ image: await newImage('public') })
const isPrivate = async (): Promise<Shared> => ({ image: await newImage('private') })
const isSigned = async (): Promise<Shared> => {
  const image = await newImage('private')
  const { body } = await one.call('POST', `/api/images/${image.id}/view-keys`, {
    token: owner.token,
    body: { expires_in: '1h' },
  })
  return { image, key: body.key }
}
const byLink = async (): Promise<Shared> => {
  const image = await newImage('private')
  const link = await newLink({ images: [image, ...companions].map(({ id }) => id) })
  return { image, link, key: linkViewKeyOf(one.deps, image, link) }
}
const byAlbumLink = async (): Promise<Shared> => {
  const image = await newImage('private')
  const outer = await newAlbum([])
  const album = await newAlbum([image, ...companions], outer)
  const link = await newLink({ album_id: outer, shows_private: true })
  return { image, album, link, key: linkViewKeyOf(one.deps, image, link) }
}
const byMembership = async (): Promise<Shared> => {
  const image = await newImage('private')
  const outer = await newAlbum([])
  const album = await newAlbum([image, ...companions], outer)
  const user = await one.newUser()
  const member = await newMember(outer, user.id)
  return { image, album, member, key: memberViewKeyOf(one.deps, image, member), headers: bearer(user.token) }
}

/** With a later end, as nobody has signed it. */
const prolonged =
  (start: () => Promise<Shared>): (() => Promise<Shared>) =>
  async () => {
    const { image, key = '' } = await start()
    const end = Math.floor(one.deps.now() / 1000 + 3 * 86_400).toString(36)
    return { image, key: key.replace(/^\w+/, end) }
  }

const everybody = Object.keys(strangers)
const guestAndUser = ['guest', 'user']
const leavesAlbum = ({ album = '', image }: Shared) =>
  one.call('DELETE', `/api/albums/${album}/images`, { token: owner.token, body: { ids: [image.id] } })
const albumMoves = ({ album = '' }: Shared) =>
  one.call('PATCH', `/api/albums/${album}`, { token: owner.token, body: { parent_id: null } })
const deleteMember = ({ member = '' }: Shared) =>
  one.deps.db.deleteFrom('album_members').where('id', '=', member).execute()
const suspendMember = ({ member = '' }: Shared) =>
  one.deps.db
    .updateTable('users')
    .set({ status: 'Inactive' })
    .where('id', '=', (user) =>
      user.selectFrom('album_members').select('user_id').where('id', '=', member).$castTo<{ user_id: string }>(),
    )
    .execute()
const ofLink = (body: (link: LinksTable) => object) => (shared: Shared) =>
  shared.link && changeLink(shared.link, body(shared.link))
const timeIn = (ms: number) => new Date(one.deps.now() + ms).toISOString()

const scenarios: Record<string, Scenario> = {
  'it is public': { start: isPublic, outcome: 'open', askedBy: guestAndUser },
  'it is public and was deleted': { start: isPublic, end: ({ image }) => remove(image), outcome: 'gone' },
  'it is public and in the trash': { start: isPublic, end: ({ image }) => remove(image, '?trash=1'), outcome: 'gone' },
  'it is public and quarantined': { start: isPublic, end: ({ image }) => quarantine(image), outcome: 'withheld' },
  'it was public': {
    start: isPublic,
    end: ({ image }) => change(image, { visibility: 'private' }),
    outcome: 'nothing',
    askedBy: guestAndUser,
  },
  'it is private': { start: isPrivate, outcome: 'nothing', askedBy: everybody },
  'it is private and quarantined': {
    start: isPrivate,
    end: ({ image }) => quarantine(image),
    outcome: 'nothing',
    askedBy: guestAndUser,
  },
  'it is private and in the trash': {
    start: isPrivate,
    end: ({ image }) => remove(image, '?trash=1'),
    outcome: 'nothing',
    askedBy: guestAndUser,
  },
  'it is private and was deleted': {
    start: isPrivate,
    end: ({ image }) => remove(image),
    outcome: 'nothing',
    askedBy: guestAndUser,
  },
  'it is private and expired': { start: isPrivate, outcome: 'nothing', laterMs: 61 * dayMs * 10, askedBy: ['guest'] },
  'it is private, and in an album that a link shows without private images': {
    start: async () => {
      const { image, album, link } = await byAlbumLink()
      if (link) await changeLink(link, { shows_private: false })
      return { image, ...(album !== undefined && { album }), ...(link && { link }) }
    },
    outcome: 'nothing',
    askedBy: ['user'],
  },
  'it is signed': { start: isSigned, outcome: 'open' },
  'its signature has ended': { start: isSigned, outcome: 'nothing', laterMs: 2 * hour },
  'its signatures were revoked': {
    start: isSigned,
    end: ({ image }) => one.call('DELETE', `/api/images/${image.id}/view-keys`, { token: owner.token }),
    outcome: 'nothing',
  },
  'it is signed and quarantined': { start: isSigned, end: ({ image }) => quarantine(image), outcome: 'withheld' },
  'its signature is of another image': {
    start: async () => ({ image: await newImage('private'), key: (await isSigned()).key ?? '' }),
    outcome: 'nothing',
  },
  'its signature is of its next version': {
    start: async () => {
      const image = await newImage('private')
      return { image, key: viewKeyOf(one.deps, { ...image, view_key_version: 1 }, one.deps.now() + hour) }
    },
    outcome: 'nothing',
  },
  'its signature has another end': { start: prolonged(isSigned), outcome: 'nothing' },
  'a link names it': { start: byLink, outcome: 'open' },
  'a link names it, whose views are used up': {
    start: byLink,
    end: ({ link }) =>
      one.deps.db
        .updateTable('links')
        .set({ views_left: 0 })
        .where('id', '=', link?.id ?? '')
        .execute(),
    // What a visitor has opened stays open.
    outcome: 'open',
    page: 'none',
  },
  'the link names another image': {
    start: async () => ({ image: await newImage('private'), key: (await byLink()).key ?? '' }),
    outcome: 'nothing',
  },
  'the link is revoked': { start: byLink, end: ofLink(() => ({ revoked: true })), outcome: 'nothing', page: 'none' },
  'the link has ended': {
    start: byLink,
    end: ofLink(() => ({ ends_at: timeIn(-1) })),
    outcome: 'nothing',
    page: 'none',
  },
  'the link has not started': {
    start: byLink,
    end: ofLink(() => ({ starts_at: timeIn(hour) })),
    outcome: 'nothing',
    page: 'none',
  },
  'the link gets a password': {
    start: byLink,
    end: ofLink(() => ({ password: 'sea' })),
    outcome: 'nothing',
    page: 'password',
  },
  'the link is deleted': {
    start: byLink,
    end: ({ link }) => link && one.call('DELETE', `/api/links/${link.id}`, { token: owner.token }),
    outcome: 'nothing',
    page: 'none',
  },
  'the image of a link is quarantined': { start: byLink, end: ({ image }) => quarantine(image), outcome: 'nothing' },
  'the image of a link is deleted': { start: byLink, end: ({ image }) => remove(image), outcome: 'nothing' },
  'the key of a link has ended': { start: byLink, outcome: 'nothing', laterMs: 3 * hour },
  'the key of its link is for another image there': {
    start: async () => {
      const { image, link } = await byLink()
      const [other = noImage] = companions
      return { image, ...(link && { key: linkViewKeyOf(one.deps, other, link) }) }
    },
    outcome: 'nothing',
  },
  'the key of a link has another end': { start: prolonged(byLink), outcome: 'nothing' },
  'a link has an album around its album': { start: byAlbumLink, outcome: 'open' },
  'the link to its album is revoked': {
    start: byAlbumLink,
    end: ofLink(() => ({ revoked: true })),
    outcome: 'nothing',
    page: 'none',
  },
  'the link to its album shows no private images any more': {
    start: byAlbumLink,
    end: ofLink(() => ({ shows_private: false })),
    outcome: 'nothing',
  },
  'it leaves the album of the link': { start: byAlbumLink, end: leavesAlbum, outcome: 'nothing' },
  'its album leaves that of the link': { start: byAlbumLink, end: albumMoves, outcome: 'nothing' },
  'a member views it': { start: byMembership, outcome: 'open' },
  'the key of its member is for another image there': {
    start: async () => {
      const { image, member = '' } = await byMembership()
      const [other = noImage] = companions
      return { image, key: memberViewKeyOf(one.deps, other, member) }
    },
    outcome: 'nothing',
  },
  'the key of a member has another end': { start: prolonged(byMembership), outcome: 'nothing' },
  'the member is removed': { start: byMembership, end: deleteMember, outcome: 'nothing', askedBy: [] },
  'the member is suspended': { start: byMembership, end: suspendMember, outcome: 'nothing' },
  'it leaves the album of the member': { start: byMembership, end: leavesAlbum, outcome: 'nothing', askedBy: [] },
  'its album leaves that of the member': { start: byMembership, end: albumMoves, outcome: 'nothing' },
  'the image of a member is quarantined': {
    start: byMembership,
    end: ({ image }) => quarantine(image),
    outcome: 'nothing',
  },
  'the image of a member is in the trash': {
    start: byMembership,
    end: ({ image }) => remove(image, '?trash=1'),
    outcome: 'nothing',
  },
}

/** The two that most others are variants of, and what a former member still has. Of the others, a short run tries every second. */
const always = ['it is private', 'it is signed', 'the member is removed']
const tried = Object.entries(scenarios).filter(([title], n) => !isShortRun || n % 2 === 0 || always.includes(title))

interface Case extends Shared {
  scenario: Scenario
  /** A short run asks each in other ways, also those of every fourth on a second server. */
  turn: number
  etag: string
}
const cases = new Map<string, Case>()

/** Renders every variant on every server, twice: the second response comes from the hot cache. */
async function prepare(scenario: Scenario, at: number): Promise<Case> {
  const shared = await scenario.start()
  const wasPublic = scenario.start === isPublic
  const key = scenario.end === undefined && scenario.outcome === 'nothing' ? await ownKeyOf(shared) : shared.key
  let etag = ''
  for (const app of [one, ...(two ? [two] : [])])
    for (const [path, { isImage, open = 200, ofPrivate = open }] of rowsInTurn(Object.entries(viewingAddresses), at))
      for (let n = 0; n < (isImage ? 2 : 1); n++) {
        const known = wasPublic ? key : (key ?? (await ownKeyOf(shared)))
        const { status, headers } = await request(app, path, shared.image, { key: known })
        expect([path, status]).toEqual([path, wasPublic ? open : ofPrivate])
        etag = headers.find((line) => /^etag:/i.test(line))?.slice(6) ?? etag
      }
  if (shared.key !== undefined) for (const app of [one, ...(two ? [two] : [])]) await expectShown(app, shared)
  await scenario.end?.(shared)
  return { ...shared, scenario, turn: at + Math.floor(at / 3), etag }
}

async function ownKeyOf({ image }: Shared): Promise<string> {
  return (await one.call('GET', `/api/images/${image.id}`, { token: owner.token })).body.view_key
}

interface How {
  key?: string | undefined
  method?: string
  headers?: Record<string, string>
}

function request(app: TestApp, path: string, image: NamedImage, { key, ...how }: How) {
  const host: Record<string, string> = app === two && viewingAddresses[path]?.isImage ? { host: mediaHost } : {}
  return ask({ url: app.url, path: addressOf(path, image, key), ...how, headers: { ...how.headers, ...host } })
}

/** What a response for no image is like, by the address and everything that is sent but the key. */
const nothings = new Map<string, ReturnType<typeof factsOf>>()
async function factsOfNothing(app: TestApp, path: string, how: How) {
  const kind = how.key?.replace(/^.*?(?=\.[lm]|$)/, '').slice(0, 2)
  const id = JSON.stringify([app === two, path, kind, how.method, how.headers])
  const known = nothings.get(id) ?? factsOf(await request(app, path, noImage, how), noImage, how.key)
  nothings.set(id, known)
  return known
}

/** As programs and browsers ask, those that have seen it too. */
const kindsOf = (etag: string): Record<string, How> => ({
  get: {},
  head: { method: 'HEAD' },
  browser: { headers: { accept: 'text/html', 'sec-fetch-dest': 'document' } },
  etag: { headers: { 'if-none-match': etag } },
  range: { headers: { range: 'bytes=0-9' } },
})

async function expectViewing(
  app: TestApp,
  { image, key, scenario: { start, outcome }, turn, etag }: Case,
): Promise<void> {
  const kinds = Object.entries(kindsOf(outcome === 'nothing' ? '*' : etag))
  if (outcome === 'nothing') kinds.push(['own etag', { headers: { 'if-none-match': etag } }])
  for (const [way, [path, statuses]] of Object.entries(viewingAddresses).entries())
    for (const [kind, how] of rowsInTurn(kinds, turn + way)) {
      const asked = { ...how, key }
      const found = await request(app, path, image, asked)
      const where = `${kind} ${path}`
      if (outcome === 'nothing') {
        const nothing = await factsOfNothing(
          app,
          path,
          kind === 'own etag' ? { ...asked, headers: { 'if-none-match': '*' } } : asked,
        )
        expect(factsOf(found, image, key), where).toEqual(nothing)
        continue
      }
      const { open = 200, gone = 410, withheld = 451, ofPrivate } = statuses
      const ofPublic = { open: [open, 304, 206], gone: [gone], withheld: [withheld] }[outcome]
      const expected = start === isPublic || ofPrivate === undefined ? ofPublic : [ofPrivate]
      expect([where, expected.includes(found.status)]).toEqual([where, true])
      // It tells where the image is, and nothing of it.
      if (path === legacyAddress) continue
      const caching = found.headers.find((line) => /^cache-control:/i.test(line)) ?? ''
      const isShared = caching.includes('public')
      if (key !== undefined || outcome !== 'open') expect([where, isShared]).toEqual([where, false])
    }
}

async function expectManaging(
  app: TestApp,
  { image, scenario: { outcome }, turn }: Case,
  headers: Record<string, string>,
) {
  const statuses: Record<string, number> = {}
  const all = Object.entries(managingRoutes)
  const asked = outcome === 'open' ? all : rowsInTurn(all, turn)
  for (const [route, { body }] of asked) {
    const [method = '', path = ''] = route.split(' ')
    const send = (named: NamedImage, as = method) =>
      ask({ url: app.url, method: as, path: addressOf(path, named), headers, ...(body && { body: body(named) }) })
    const found = await send(image)
    statuses[route] = found.status
    if (outcome !== 'nothing') continue
    for (const one of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      const [got, none] = [one === method ? found : await send(image, one), await send(noImage, one)]
      expect(withoutNew(factsOf(got, image)), `${one} ${path}`).toEqual(withoutNew(factsOf(none, noImage)))
    }
  }
  if (outcome !== 'nothing' && headers['authorization'] !== undefined)
    expect(statuses).toEqual(Object.fromEntries(asked.map(([route, { ofPublic }]) => [route, ofPublic])))
}

interface Assistant {
  headers: Record<string, string>
  /** Of its account. */
  album: string
}
const assistants = new Map<string, Assistant>()

/** With an API key of the same account. */
async function assistantOf(app: TestApp, { authorization = '' }: Record<string, string>): Promise<Assistant> {
  const known = assistants.get(authorization)
  if (known) return known
  const token = authorization.replace('Bearer ', '')
  const made = await app.call('POST', '/api/api-keys', { token, body: {} })
  const key = made.status === 201 ? made.body.key : token
  const { id } = (await app.call('POST', '/api/albums', { token: key, body: { title: 'Mine' } })).body
  const assistant = { headers: { ...bearer(key), accept: 'application/json, text/event-stream' }, album: id }
  assistants.set(authorization, assistant)
  return assistant
}

const askTool = (app: TestApp, headers: Record<string, string>, method: string, params: object) =>
  ask({ url: app.url, method: 'POST', path: '/mcp', headers, body: { jsonrpc: '2.0', id: 1, method, params } })

async function expectTools(app: TestApp, { image, scenario: { outcome }, turn }: Case, person: Record<string, string>) {
  const { headers, album } = await assistantOf(app, person)
  const call = (name: string, given: object) => askTool(app, headers, 'tools/call', { name, arguments: given })
  for (const [name, { isRefused, given }] of rowsInTurn(Object.entries(imageTools), turn)) {
    const found = await call(name, given(image, album))
    const isError = found.text.includes('"isError":true')
    if (outcome === 'open') expect([name, found.status, isError]).toEqual([name, 200, isRefused])
    if (outcome !== 'nothing') continue
    const none = await call(name, given(noImage, album))
    expect(withoutNew(factsOf(found, image)), name).toEqual(withoutNew(factsOf(none, noImage)))
  }
  if (outcome !== 'nothing') return
  for (const [name, given] of rowsInTurn(Object.entries(listTools), turn)) {
    const { text } = await call(name, given(image, album))
    expect([name, text.includes(image.id)]).toEqual([name, false])
  }
}

/** Ids and times of what the request itself has created. */
const withoutNew = ({ text, ...rest }: ReturnType<typeof factsOf>) => ({
  ...rest,
  text: text
    .replaceAll(/"[\w-]{22}\\?"/g, '"NEW"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/"slug":"\w+"/g, ''),
})

/** No list, search or other route tells of an image, whatever of it is known. */
async function expectUnlisted(
  app: TestApp,
  { image, turn, album = 'none', link, member = 'none' }: Case,
  headers: Record<string, string>,
) {
  const values: Record<string, string> = {
    id: album,
    albumId: album,
    hash: album,
    slug: link?.slug ?? 'none',
    memberId: member,
  }
  const lists = served.filter((route) => route.startsWith('GET ') && managingRoutes[route] === undefined)
  for (const route of rowsInTurn(lists, turn)) {
    const path = (route.split(' ')[1] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'none')
    if (viewingRoutes[route.slice(4)] || path.includes('*')) continue
    for (const query of ['', `?q=${image.slug}&image=${image.id}`]) {
      const { text } = await ask({ url: app.url, path: path + query, headers })
      expect([route, text.replaceAll(query.slice(1), '').includes(image.id)]).toEqual([route, false])
    }
  }
}

type LinkShared = Pick<Case, 'image' | 'link' | 'album'>

const pathOf = (route: string, slug: string, album = 'none') => {
  const path = (route.split(' ')[1] ?? '').replace('{slug}', slug).replace('{albumId}', album)
  return route.endsWith('preview.jpg') && album !== 'none' ? `${path}?album=${album}` : path
}

/** The name of an image in a ZIP file. */
const nameOf = ({ file_name }: NamedImage) => file_name.replace(/-[\w-]{22}\.\w+$/, '')
const names = (text: string, image: NamedImage) => text.includes(image.id) || text.includes(nameOf(image))

/** What a visitor sees who may see it all. */
async function expectShown(app: TestApp, { image, link, album }: LinkShared, headers: Record<string, string> = {}) {
  if (link === undefined) return
  const get = async (route: string) => {
    const found = await ask({ url: app.url, path: pathOf(`GET ${route}`, link.slug, album), headers })
    return { status: found.status, has: names(found.text, image) }
  }
  expect(await get(album === undefined ? '/l/{slug}' : '/l/{slug}/{albumId}')).toEqual({ status: 200, has: true })
  expect(await get('/l/{slug}/images.zip')).toEqual({ status: 200, has: true })
  const hasPassword = headers['cookie'] !== undefined
  expect((await get('/l/{slug}/preview.jpg')).status).toBe(hasPassword ? 404 : 200)
}

async function expectLinkPage(app: TestApp, { scenario: { page, outcome }, turn, ...shared }: Case) {
  const { image, link, album } = shared
  if (link === undefined) return
  if (outcome === 'open' && page === undefined) await expectShown(app, shared)
  const none = 'a'.repeat(link.slug.length)
  const pass = (of: LinksTable) => linkCookie(app.deps, 'pass', of, siteOfImages).replace(/;.*/s, '')
  const visitors: How[] = [...Object.values(kindsOf('*')), { headers: { cookie: pass(otherLink) } }]
  for (const [way, route] of [...linkRoutes, `GET /oembed?url=${siteOfImages}/l/{slug}`].entries()) {
    const send = (slug: string, how: How) =>
      ask({
        url: app.url,
        path: pathOf(route, slug, album),
        ...how,
        ...(route.startsWith('POST') && { method: 'POST', body: 'password=other' }),
      })
    for (const how of rowsInTurn(visitors, turn + way)) {
      const found = await send(link.slug, how)
      const isHidden = page !== undefined || outcome === 'nothing'
      if (isHidden) expect([route, names(found.text, image)]).toEqual([route, false])
      // Three images, at most, are left.
      if (isHidden && route.endsWith('preview.jpg')) expect([route, found.status]).toEqual([route, 404])
      if (page === 'password' && route.endsWith('.zip')) expect([route, found.status]).toEqual([route, 404])
      if (page !== 'none') continue
      const unknown = await send(none, how)
      const hide = (answer: typeof found, slug: string) => factsOf(answer, { ...noImage, slug })
      expect(hide(found, link.slug), route).toEqual(hide(unknown, none))
    }
  }
  const { status } = await ask({ url: app.url, path: `/l/${link.slug}` })
  expect([link.slug, status]).toEqual([link.slug, page === 'none' ? 404 : 200])
  if (page !== 'password') return
  const changed = await app.deps.db.selectFrom('links').selectAll().where('id', '=', link.id).executeTakeFirstOrThrow()
  await expectShown(app, shared, { cookie: pass(changed) })
}

async function expectCase(app: TestApp, title: string): Promise<void> {
  const found = cases.get(title)
  if (!found) throw new Error(`There is no case ${title}`)
  const { scenario, headers } = found
  app.moveClock(scenario.laterMs ?? 0)
  await expectViewing(app, found)
  if (scenario.laterMs === undefined) await expectLinkPage(app, found)
  for (const [n, person] of (scenario.askedBy ?? []).entries()) {
    const asked = { ...found, turn: found.turn + n }
    await expectManaging(app, asked, headersOf[person] ?? {})
    if (headersOf[person]?.['authorization'] !== undefined) await expectTools(app, asked, headersOf[person])
    if (scenario.outcome === 'nothing' && person === 'user') await expectUnlisted(app, asked, headersOf[person] ?? {})
  }
  if (headers && scenario.askedBy) {
    await expectManaging(app, found, headers)
    await expectTools(app, found, headers)
    await expectUnlisted(app, found, headers)
  }
  app.moveClock(-(scenario.laterMs ?? 0))
}

it('has every route of the server that names an image', () => {
  const viewing = Object.keys(viewingRoutes).map((path) => `GET ${path}`)
  const rows = [...viewing, ...Object.keys(managingRoutes), ...linkRoutes]
  const named = served.filter((route) => {
    const [method = '', path = ''] = route.split(' ')
    return method !== 'HEAD' && path.includes('{') && !routesOfOthers.some((pattern) => pattern.test(path))
  })
  const inBodies = (Object.keys(routes) as RouteName[]).filter((name) => {
    const { body, access, category, upload }: Endpoint = api[name]
    const fields = body && 'shape' in body ? Object.keys(body.shape) : []
    const namesImages = fields.some((field) => ['ids', 'images', 'image'].includes(field))
    return namesImages && category !== 'database' && access !== 'admin' && !upload && !routes[name].includes('{')
  })
  const missing = [...named, ...inBodies.map((name) => routes[name] as string)].filter((route) => !rows.includes(route))
  expect(missing).toEqual([])
  expect(rows.filter((row) => !served.includes(row))).toEqual([])
})

it('has every tool of the MCP endpoint', async () => {
  const { headers } = await assistantOf(one, headersOf['user'] ?? {})
  const { text } = await askTool(one, headers, 'tools/list', {})
  const { result } = JSON.parse(text.slice(text.indexOf('{'))) as { result: { tools: { name: string }[] } }
  const found = result.tools.map(({ name }) => name).filter((name) => name !== 'upload_image')
  expect(found.toSorted()).toEqual([...new Set([...Object.keys(imageTools), ...Object.keys(listTools)])].toSorted())
})

describe('on the server that changed it, when', () => {
  it.each(tried.map(([title]) => title))('%s', (title) => expectCase(one, title))
})

describe('on a second server with the same data, where images have a host of their own, when', () => {
  beforeAll(async () => {
    if (two) return
    await one.halt()
    two = await startTestApp({ ...environment, ...second, SENDFILE_HEADER: 'X-Accel-Redirect' }, one.dataDir)
  })
  // A short run asks it about some: it decides by the same code, and the others show what it adds.
  it.each(rowsInTurn(tried, 0).map(([title]) => title))('%s', (title) => {
    if (!two) throw new Error('It did not start')
    return expectCase(two, title)
  })
})
