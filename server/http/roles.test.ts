// Who may do what: every endpoint of the contract x every kind of caller. An endpoint without a row does not compile. The
// documentation shows the same declaration that the server goes by (contract/endpoint.ts), and the last tests hold this table to it.
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/api.ts'
import { type Endpoint, takesGuestToken } from '../../contract/endpoint.ts'
import { type RouteName, routes } from '../../contract/routes.ts'
import { insertDocuments } from '../domain/database/insert-documents.ts'
import { openMetrics } from '../metrics.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { jpeg } from '../testing/test-images.ts'
import { buildServer } from './server.ts'

/**
 * `guestToken`: a guest with the token of the guest's image that the call is about, where it is about one. `user` owns what the
 * call is about and has unlocked the database view, as `admin` has; `other` and `lockedAdmin` have not. `key` is the user's.
 */
const roles = ['none', 'guestToken', 'other', 'user', 'key', 'inactive', 'admin', 'lockedAdmin'] as const
type Role = (typeof roles)[number]
type Expected = Record<Role, number>

type Made = Record<string, string>

interface Row {
  /** What fills the path, made anew for each call, since many calls destroy what they are about. */
  params?: (role: Role) => Promise<Made>
  query?: string
  body?: unknown
  expected: Expected
}

let app: TestApp
let picture: Buffer
let userCount = 0
let collectionCount = 0
const tokens: Partial<Record<Role, string>> = {}
const pin = '4711'
const builtPage = new URL('../../dist/web', import.meta.url).pathname

beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret', DB_VIEW_PIN: pin })
  picture = await jpeg(60, 40)
  const owner = await app.newUser()
  const inactive = await app.newUser()
  await app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', inactive.id).execute()
  tokens.user = owner.token
  tokens.other = (await app.newUser()).token
  tokens.inactive = inactive.token
  tokens.key = (await app.call('POST', '/api/api-keys', { token: owner.token, body: {} })).body.key
  tokens.admin = await loginAsAdmin()
  tokens.lockedAdmin = await loginAsAdmin()
})
afterAll(() => app.stop())

async function loginAsAdmin(): Promise<string> {
  const body = { email: 'boss@example.com', password: 'boss-secret' }
  return (await app.call('POST', '/api/login', { body })).body.token
}

/** Of the user; for who has but a guest token, of that guest. */
const ownImage = async (role: Role): Promise<Made> => {
  const { body } = await app.upload(picture, role === 'guestToken' ? {} : { token: tokens.user })
  return { id: body.id, file_name: body.file_name, guestToken: body.delete_token ?? '' }
}
const sized = async (role: Role) => ({ ...(await ownImage(role)), width: '20', height: '20', quality: '50' })
const ownCollection = async () => {
  const name = `collection-${collectionCount++}`
  await insertDocuments(app.deps, name, [{ _id: 'a' }])
  return { name, id: 'a' }
}
const someUser = async () => ({ userId: (await app.newUser()).id })
const ownKey = async () => {
  const { body } = await app.call('POST', '/api/api-keys', { token: tokens.user, body: {} })
  return { id: body.id as string }
}
/** One is taken at a time. */
const noBackup = async () => {
  const running = app.deps.db.selectFrom('backups').select('id').where('status', '=', 'running')
  while (await running.executeTakeFirst()) await setTimeout(20)
  return {}
}
const nothing = async () => ({ id: 'none' })

const everyone = (status: number): Expected => ({ ...all(status), inactive: status })
/** An inactive account is refused wherever it shows itself. */
const all = (status: number, others: Partial<Expected> = {}): Expected => ({
  none: status,
  guestToken: status,
  other: status,
  user: status,
  key: status,
  inactive: 403,
  admin: status,
  lockedAdmin: status,
  ...others,
})
/** For who is logged in; keys are not enough. */
const loggedIn = (status: number, others: Partial<Expected> = {}): Expected =>
  all(status, { none: 401, guestToken: 401, key: 403, ...others })
const adminOnly = (status: number): Expected => loggedIn(403, { admin: status, lockedAdmin: status })
/** For who has given the PIN, whatever their role. */
const unlocked = (status: number): Expected => loggedIn(status, { other: 401, lockedAdmin: 401 })
/** For who is logged in, with a key too. */
const withKey = (status: number): Expected => all(status, { none: 401, guestToken: 401 })
/** For who owns the image, and for admins. */
const imageOwner = (status: number): Expected => all(status, { none: 401, other: 403 })

const rows: Record<RouteName, Row> = {
  register: {
    body: () => ({ email: `new-${userCount++}@example.com`, password: 'secret-1' }),
    expected: everyone(201),
  },
  // Each of somebody else: one address tries so often at one account only.
  login: { body: () => ({ email: `nobody-${userCount++}@example.com`, password: 'x' }), expected: everyone(401) },
  logout: { expected: loggedIn(200) },
  logoutEverywhere: { expected: loggedIn(200) },
  getMe: { expected: loggedIn(200) },
  updateMe: { body: { firstName: 'A' }, expected: loggedIn(200) },

  listUsers: { expected: adminOnly(200) },
  createUser: {
    body: () => ({ email: `new-${userCount++}@example.com`, password: 'secret-1' }),
    expected: adminOnly(201),
  },
  getUserStats: { expected: adminOnly(200) },
  updateUser: { params: someUser, body: { name: 'B' }, expected: adminOnly(200) },
  deleteUser: { params: someUser, expected: adminOnly(200) },
  promoteUser: { body: async () => someUser(), expected: adminOnly(200) },

  createApiKey: { body: {}, expected: loggedIn(201) },
  listApiKeys: { expected: loggedIn(200) },
  deleteApiKey: { params: ownKey, expected: loggedIn(200, { other: 404, admin: 404, lockedAdmin: 404 }) },

  getDatabaseStats: { expected: adminOnly(200) },
  startBackup: { params: noBackup, expected: adminOnly(201) },
  listBackups: { expected: adminOnly(200) },
  downloadBackup: { params: nothing, expected: adminOnly(404) },
  createBackupLink: { params: nothing, expected: adminOnly(404) },
  downloadBackupByLink: { expected: everyone(400) },
  deleteBackup: { params: nothing, expected: adminOnly(404) },
  previewCleanup: { expected: adminOnly(200) },
  cleanUp: { expected: adminOnly(200) },

  unlockDatabase: { body: { pin }, expected: loggedIn(200) },
  lockDatabase: { expected: unlocked(200) },
  listCollections: { expected: unlocked(200) },
  deleteCollection: { params: ownCollection, expected: unlocked(200) },
  listDocuments: { params: ownCollection, expected: unlocked(200) },
  createDocuments: { params: ownCollection, body: {}, expected: unlocked(201) },
  getDocument: { params: ownCollection, expected: unlocked(200) },
  updateDocument: { params: ownCollection, body: { n: 1 }, expected: unlocked(200) },
  deleteDocuments: { params: ownCollection, body: { ids: ['a'] }, expected: unlocked(200) },

  uploadImage: { expected: all(201) },
  listImages: { expected: withKey(200) },
  outlineImages: { expected: withKey(200) },
  claimImages: { body: { images: [{ id: 'none', token: 'none' }] }, expected: loggedIn(200) },
  listExpiringImages: { expected: withKey(200) },
  getImage: { params: ownImage, expected: imageOwner(200) },
  deleteImage: { params: ownImage, expected: imageOwner(200) },
  restoreImage: { params: ownImage, expected: imageOwner(200) },
  extendImage: { params: ownImage, expected: imageOwner(200) },
  analyzeImage: { params: ownImage, expected: everyone(200) },
  getOriginal: { params: ownImage, expected: everyone(200) },
  getThumbnail: { params: sized, expected: everyone(200) },
  getResized: { params: sized, expected: everyone(200) },
  getResizedToBox: { params: sized, expected: everyone(200) },
  getJpeg: { params: sized, expected: everyone(200) },
  getWebp: { params: sized, expected: everyone(200) },
  getLimits: { expected: everyone(200) },

  sendEmail: { body: {}, expected: everyone(400) },
  sendEmailForm: { expected: everyone(415) },
}

describe.each(Object.keys(rows) as RouteName[])('%s', (name) => {
  it.each(roles)('by %s', async (role) => {
    const row = rows[name]
    const endpoint: Endpoint = api[name]
    const [method = '', template = ''] = routes[name].split(' ')
    // These calls end the session they are made with.
    const endsSession = name === 'logout' || name === 'logoutEverywhere'
    for (const path of addressesOf(template)) {
      const token = endsSession ? await freshToken(role) : tokens[role]
      if (endpoint.upload) {
        expect((await app.upload(picture, { token })).status).toBe(row.expected[role])
        continue
      }
      const { guestToken = '', ...params } = row.params ? await row.params(role) : {}
      const filled = path.replace(/\{(\w+)\}/g, (_, hole: string) => params[hole] ?? '')
      const body: unknown = typeof row.body === 'function' ? await (row.body as () => unknown)() : row.body
      const dbToken = path.startsWith('/db/') && (role === 'user' || role === 'admin') ? await unlock(token) : ''
      const headers = {
        'x-db-token': dbToken,
        ...(role === 'guestToken' ? { 'x-guest-token': guestToken || 'x' } : {}),
      }
      const answer = await app.call(method, filled, { token, headers, ...(body === undefined ? {} : { body }) })
      expect(answer.status, `${filled} ${JSON.stringify(answer.body).slice(0, 200)}`).toBe(row.expected[role])
    }
  })

  it('as its declaration says, which the documentation shows', () => {
    const { expected } = rows[name]
    const endpoint: Endpoint = api[name]
    const [, path = ''] = routes[name].split(' ')
    const isRefused = (role: Role) => expected[role] === 401 || expected[role] === 403
    if (endpoint.access !== 'public') expect([expected.none, expected.guestToken]).toEqual([401, 401])
    if (endpoint.access === 'admin') expect([expected.other, expected.user, expected.key]).toEqual([403, 403, 403])
    if (endpoint.access !== 'public' && !endpoint.acceptsApiKey) expect(expected.key).toBe(403)
    if (endpoint.acceptsApiKey) expect(isRefused('key')).toBe(false)
    if (takesGuestToken(endpoint, path)) expect([expected.none, isRefused('guestToken')]).toEqual([401, false])
    if (endpoint.access === 'public' && !endpoint.acceptsApiKey) expect(new Set(Object.values(expected)).size).toBe(1)
  })
})

it('a guest token opens nothing but its own image', async () => {
  const { guestToken = '' } = await ownImage('guestToken')
  for (const [role, status] of [
    ['guestToken', 403],
    ['user', 401],
  ] as const) {
    const { id } = await ownImage(role)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/restore'],
      ['POST', '/extend-expiration'],
    ]) {
      expect((await app.call(method ?? '', `/api/images/${id}${path}`, { guestToken })).status, path).toBe(status)
    }
  }
})

it('there is no route beside the contract but those of the page, of health and of figures', async () => {
  const server = await buildServer({ ...app.deps, metrics: openMetrics() }, pino({ level: 'silent' }), builtPage)
  try {
    const declared = Object.values(routes).flatMap((route) => {
      const [method = '', path = ''] = route.split(' ')
      const methods = method === 'GET' ? ['GET', 'HEAD'] : [method]
      return addressesOf(path).flatMap((at) => methods.map((one) => `${one} ${at.replace(/\{(\w+)\}/g, ':$1')}`))
    })
    const served = routesOf(server.printRoutes({ commonPrefix: false }))
    expect(served.filter((route) => !declared.includes(route)).toSorted()).toEqual([
      'GET /',
      'GET /*',
      'GET /api/openapi.json',
      'GET /healthz',
      'GET /metrics',
      'GET /readyz',
      'HEAD /',
      'HEAD /*',
      'HEAD /healthz',
      'HEAD /readyz',
      'POST /share-target',
    ])
    expect(declared.filter((route) => !served.includes(route))).toEqual([])
  } finally {
    await server.close()
  }
})

/** The documentation's examples call /users: the same as /api/users. */
function addressesOf(path: string): string[] {
  return path.startsWith('/api/users') ? [path, path.replace('/api', '')] : [path]
}

/** Out of the framework's own drawing of them: each line continues the line above it that is one step less deep. */
function routesOf(drawing: string): string[] {
  const above: string[] = []
  return drawing.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? []
    const depth = indent.length / 4
    above.splice(depth, Infinity, segment)
    return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${above.join('')}`)
  })
}

async function unlock(token: string | undefined): Promise<string> {
  return (await app.call('POST', '/db/unlock', { token, body: { pin } })).body.token
}

/** Of an account of its own, which its end leaves no other test without a login. */
async function freshToken(role: Role): Promise<string | undefined> {
  if (role === 'none' || role === 'guestToken' || role === 'key' || role === 'inactive') return tokens[role]
  const { token, id } = await app.newUser()
  if (role === 'admin' || role === 'lockedAdmin')
    await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute()
  return token
}
