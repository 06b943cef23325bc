// Who may do what: every endpoint of the contract x every kind of caller. An endpoint without a row does not compile.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type RouteName, routes } from '../../contract/routes.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { jpeg } from '../testing/pictures.ts'

const roles = ['guest', 'owner', 'other', 'key', 'inactive', 'admin'] as const
type Role = (typeof roles)[number]
type Expected = Record<Role, number>

interface Row {
  /** What fills the path, made anew for each call, since many calls destroy what they are about. */
  params?: () => Promise<Record<string, string>>
  query?: string
  body?: unknown
  expected: Expected
}

let app: TestApp
let picture: Buffer
let userCount = 0
const tokens: Partial<Record<Role, string>> = {}

beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret' })
  picture = await jpeg(60, 40)
  const owner = await app.newUser()
  const inactive = await app.newUser()
  await app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', inactive.id).execute()
  tokens.owner = owner.token
  tokens.other = (await app.newUser()).token
  tokens.inactive = inactive.token
  tokens.key = (await app.call('POST', '/api/api-keys', { token: owner.token, body: {} })).body.key
  tokens.admin = await loginAsAdmin()
})
afterAll(() => app.stop())

async function loginAsAdmin(): Promise<string> {
  const body = { email: 'boss@example.com', password: 'boss-secret' }
  return (await app.call('POST', '/api/login', { body })).body.token
}

const ownImage = async () => {
  const { body } = await app.upload(picture, { token: tokens.owner })
  return { id: body.id as string, file_name: body.file_name as string }
}
const sized = async () => ({ ...(await ownImage()), width: '20', height: '20', quality: '50' })
const someUser = async () => ({ userId: (await app.newUser()).id })
const ownKey = async () => {
  const { body } = await app.call('POST', '/api/api-keys', { token: tokens.owner, body: {} })
  return { id: body.id as string }
}
const nothing = async () => ({ id: 'none', name: 'none' })

const everyone = (status: number): Expected => ({ ...all(status), inactive: status })
/** An inactive account is refused wherever it shows itself. */
const all = (status: number): Expected => ({
  guest: status,
  owner: status,
  other: status,
  key: status,
  inactive: 403,
  admin: status,
})
/** For who is logged in; keys are not enough. */
const loggedIn = (status: number, others: Partial<Expected> = {}): Expected => ({
  ...all(status),
  guest: 401,
  key: 403,
  ...others,
})
const adminOnly = (status: number): Expected => ({ ...all(403), guest: 401, admin: status })

const rows: Record<RouteName, Row> = {
  register: {
    body: () => ({ email: `new-${userCount++}@example.com`, password: 'secret-1' }),
    expected: everyone(201),
  },
  login: { body: { email: 'nobody@example.com', password: 'x' }, expected: everyone(401) },
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
  deleteApiKey: { params: ownKey, expected: loggedIn(200, { other: 404, admin: 404 }) },

  getDatabaseStats: { expected: adminOnly(200) },
  startBackup: { expected: adminOnly(201) },
  listBackups: { expected: adminOnly(200) },
  downloadBackup: { params: nothing, expected: adminOnly(404) },
  createBackupLink: { params: nothing, expected: adminOnly(404) },
  downloadBackupByLink: { expected: everyone(400) },
  deleteBackup: { params: nothing, expected: adminOnly(404) },
  previewCleanup: { expected: adminOnly(200) },
  cleanUp: { expected: adminOnly(200) },

  // Nobody here has given the PIN: whoever is logged in is asked for it.
  unlockDatabase: { body: { pin: 'none' }, expected: loggedIn(400) },
  lockDatabase: { expected: loggedIn(401) },
  listCollections: { expected: loggedIn(401) },
  deleteCollection: { params: nothing, expected: loggedIn(401) },
  listDocuments: { params: nothing, expected: loggedIn(401) },
  createDocuments: { params: nothing, body: {}, expected: loggedIn(401) },
  getDocument: { params: nothing, expected: loggedIn(401) },
  updateDocument: { params: nothing, body: {}, expected: loggedIn(401) },
  deleteDocuments: { params: nothing, body: { ids: ['none'] }, expected: loggedIn(401) },

  uploadImage: { expected: all(201) },
  listImages: { expected: { ...all(200), guest: 401 } },
  outlineImages: { expected: { ...all(200), guest: 401 } },
  claimImages: { body: { images: [{ id: 'none', token: 'none' }] }, expected: loggedIn(200) },
  listExpiringImages: { expected: { ...all(200), guest: 401 } },
  getImage: { params: ownImage, expected: { ...all(200), guest: 401, other: 403 } },
  deleteImage: { params: ownImage, expected: { ...all(200), guest: 401, other: 403 } },
  restoreImage: { params: ownImage, expected: { ...all(200), guest: 401, other: 403 } },
  extendImage: { params: ownImage, expected: { ...all(200), guest: 401, other: 403 } },
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
    // These calls end the session they are made with.
    const endsSession = name === 'logout' || name === 'logoutEverywhere'
    const token = endsSession ? await freshToken(role) : tokens[role]
    if (endpoint.upload) {
      expect((await app.upload(picture, { token })).status).toBe(row.expected[role])
      return
    }
    const [method = '', template = ''] = routes[name].split(' ')
    const params = row.params ? await row.params() : {}
    const path = template.replace(/\{(\w+)\}/g, (_, hole: string) => params[hole] ?? '')
    const body: unknown = typeof row.body === 'function' ? await (row.body as () => unknown)() : row.body
    const answer = await app.call(method, path, { token, ...(body === undefined ? {} : { body }) })
    expect(answer.status, JSON.stringify(answer.body).slice(0, 200)).toBe(row.expected[role])
  })
})

/** Of an account of its own, which its end leaves no other test without a login. */
async function freshToken(role: Role): Promise<string | undefined> {
  if (role !== 'owner' && role !== 'other' && role !== 'admin') return tokens[role]
  const { token, id } = await app.newUser()
  if (role === 'admin') await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute()
  return token
}
