// Access control: every endpoint of the contract x every kind of caller, API keys of each scope
// included. An endpoint without a row does not compile. The last tests compare the table with the
// declarations of contract/endpoints/endpoint.ts, which the server enforces and the documentation shows.
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../../contract/endpoints/api.ts'
import { type Endpoint, identifiesCaller, takesGuestToken } from '../../../contract/endpoints/endpoint.ts'
import { compatAliasRoutes, type CompatName, compatRoutes } from '../../../contract/compat/routes.ts'
import { type RouteName, routes } from '../../../contract/plain/routes.ts'
import { grantedBy, type Scope, scopes } from '../../../contract/plain/scopes.ts'
import { insertDocuments } from '../../domain/database-view/insert-documents.ts'
import { openMetrics } from '../../metrics.ts'
import { builtPage, startTestApp, type TestApp } from '../../testing/app.ts'
import { createAuthenticator } from '../../testing/authenticator.ts'
import { newUpload, version } from '../../testing/resumable.ts'
import { rowsInTurn } from '../../testing/short-run.ts'
import { jpeg } from '../../testing/test-images.ts'
import { buildServer } from '../build-server.ts'

/**
 * `guestToken`: a guest with the token of the guest's image in the request. `user` owns what is in
 * the request and has unlocked the database view, like `admin`; `other` and `lockedAdmin` have not.
 * `uploadKey`, `readKey` and `manageKey` are API keys of `user` with that scope; `expiredKey` has all
 * scopes, and so has `adminKey`, an API key of `admin`.
 */
const roles = [
  'none',
  'guestToken',
  'other',
  'user',
  'uploadKey',
  'readKey',
  'manageKey',
  'adminKey',
  'expiredKey',
  'inactive',
  'admin',
  'lockedAdmin',
] as const
type Role = (typeof roles)[number]
type Expected = Record<Role, number>

type Params = Record<string, string>

interface Row {
  /** Values for the path, created for each call, since many calls delete what they refer to. */
  params?: (role: Role) => Promise<Params>
  query?: string
  body?: unknown
  headers?: Record<string, string>
  expected: Expected
}

let app: TestApp
let picture: Buffer
let userId: string
let userCount = 0
let collectionCount = 0
const tokens: Partial<Record<Role, string>> = {}
const pin = '4711'

beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret', DB_VIEW_PIN: pin })
  picture = await jpeg(60, 40)
  const owner = await app.newUser()
  const inactive = await app.newUser()
  await app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', inactive.id).execute()
  tokens.user = owner.token
  userId = owner.id
  tokens.other = (await app.newUser()).token
  tokens.inactive = inactive.token
  for (const scope of scopes) tokens[`${scope}Key`] = (await newKey({ scopes: [scope] })).key
  const expired = await newKey({})
  await app.deps.db.updateTable('api_keys').set({ expires_at: app.deps.now() }).where('id', '=', expired.id).execute()
  tokens.expiredKey = expired.key
  tokens.admin = await loginAsAdmin()
  tokens.lockedAdmin = await loginAsAdmin()
  tokens.adminKey = (await newKey({}, tokens.admin)).key
})
afterAll(() => app.stop())

async function loginAsAdmin(): Promise<string> {
  const body = { email: 'boss@example.com', password: 'boss-secret' }
  return (await app.call('POST', '/api/login', { body })).body.token
}

/** An image of `user`; for `guestToken` an image of that guest. */
const ownImage = async (role: Role): Promise<Params> => {
  const { body } = await app.upload(picture, role === 'guestToken' ? {} : { token: tokens.user })
  return { id: body.id, file_name: body.file_name, guestToken: body.delete_token ?? '' }
}
const kept: Partial<Record<'guest' | 'user', Promise<Params>>> = {}
/** One for all calls that change nothing. */
const keptImage = (role: Role) => (kept[role === 'guestToken' ? 'guest' : 'user'] ??= ownImage(role))
const ownTrashedImage = async (role: Role): Promise<Params> => {
  const image = await ownImage(role)
  await app.call('DELETE', `/api/images/${image.id}?trash=1`, { token: tokens.user })
  return image
}
/** Of an image without limited views the analysis is for everyone. */
const ownLimitedImage = async (role: Role) => {
  const image = await ownImage(role)
  await app.deps.db
    .updateTable('images')
    .set({ views_left: 5 })
    .where('file_name', '=', image.file_name ?? '')
    .execute()
  return image
}
const ownUpload = async () => ({ id: (await newUpload(app, 100, { token: tokens.user })).split('/').at(-1) ?? '' })
const keptFile = async (role: Role) => {
  const image = await keptImage(role)
  return { ...image, name: 'photo', extension: image.file_name?.split('.').at(-1) ?? '' }
}
const twoUnknown = [1, 2].map((n) => ({ id: `none-${n}`, token: 'none' }))
const sized = async (role: Role) => ({ ...(await keptImage(role)), width: '20', height: '20', quality: '50' })
const ownCollection = async () => {
  const name = `collection-${collectionCount++}`
  await insertDocuments(app.deps, name, [{ _id: 'a' }])
  return { name, id: 'a' }
}
const someUser = async () => ({ userId: (await app.newUser()).id })
async function newKey(body: object, token = tokens.user): Promise<{ id: string; key: string }> {
  return (await app.call('POST', '/api/api-keys', { token, body })).body
}
const aWebhook = { url: 'https://example.com/hooks', events: ['image.uploaded'] }
/** The only webhook of `user`: an account has few of them. */
const ownWebhook = async () => {
  const { db } = app.deps
  await db.deleteFrom('webhooks').execute()
  return { id: (await app.call('POST', '/api/webhooks', { token: tokens.user, body: aWebhook })).body.id as string }
}
const ownDelivery = async () => {
  const { id } = await ownWebhook()
  const { body } = await app.call('POST', `/api/webhooks/${id}/test`, { token: tokens.user })
  return { id, deliveryId: body.id as string }
}
/** A further session of `user`. */
const ownSession = async () => {
  const id = crypto.randomUUID()
  const { db } = app.deps
  const first = db.selectFrom('sessions').selectAll().where('user_id', '=', userId)
  await db
    .insertInto('sessions')
    .values({ ...(await first.executeTakeFirstOrThrow()), id })
    .execute()
  return { id }
}
const ownAlbum = async () => {
  const body = { title: 'An album' }
  return { id: (await app.call('POST', '/api/albums', { token: tokens.user, body })).body.id as string }
}
const ownMember = async () => {
  const { id } = await ownAlbum()
  const body = { email: `${crypto.randomUUID()}@example.com`, role: 'view' }
  const member = await app.call('POST', `/api/albums/${id}/members`, { token: tokens.user, body })
  return { id, memberId: member.body.id as string }
}
const ownKey = async () => ({ id: (await newKey({})).id })
/** Waits until no backup is running: only one runs at a time. */
const noBackup = async () => {
  const running = app.deps.db.selectFrom('backups').select('id').where('status', '=', 'running')
  while (await running.executeTakeFirst()) await setTimeout(20)
  return {}
}
const nothing = async () => ({ id: 'none' })
const noProvider = async () => ({ provider: 'none' })
const noPasskey = createAuthenticator('http://localhost')
const startedTotp = async (role: Role) => {
  await app.call('POST', '/api/me/totp', { token: tokens[role] })
  return {}
}

const everyone = (status: number): Expected =>
  Object.fromEntries(roles.map((role) => [role, status])) as Record<Role, number>
/** An inactive account and an expired key are refused wherever the caller is identified. */
const all = (status: number, others: Partial<Expected> = {}): Expected => ({
  ...everyone(status),
  inactive: 403,
  expiredKey: 401,
  ...others,
})
const noKey = { uploadKey: 403, readKey: 403, manageKey: 403, adminKey: 403 }
/** For sessions; API keys are not enough. */
const loggedIn = (status: number, others: Partial<Expected> = {}): Expected =>
  all(status, { none: 401, guestToken: 401, ...noKey, ...others })
/** For the account that it belongs to, not for admins either. */
const ownersOnly = (status: number) => loggedIn(status, { other: 404, admin: 404, lockedAdmin: 404 })
const adminOnly = (status: number): Expected => loggedIn(403, { admin: status, lockedAdmin: status })
/** For accounts that have unlocked the database view, whatever their role. */
const unlocked = (status: number): Expected => loggedIn(status, { other: 401, lockedAdmin: 401 })
/** For API keys with this scope, and with `manage`, which includes the others. */
const keysWith = (scope: Scope, status: number) => ({
  ...noKey,
  [`${scope}Key`]: status,
  manageKey: status,
  adminKey: status,
})
/** For everyone, and for API keys that may upload. */
const uploader = (status: number): Expected => all(status, keysWith('upload', status))
/** For the account that has it; API keys need the scope. For others it does not exist. */
const accountOwner = (status: number, scope: Scope): Expected =>
  all(status, {
    none: 401,
    guestToken: 401,
    ...keysWith(scope, status),
    other: 404,
    adminKey: 404,
    admin: 404,
    lockedAdmin: 404,
  })
const uploadOwner = (status: number) => accountOwner(status, 'upload')
/** For sessions, and for API keys that may read. */
const reader = (status: number): Expected => all(status, { none: 401, guestToken: 401, ...keysWith('read', status) })
/** For sessions, and for API keys that may manage, each with its own account. */
const manager = (status: number): Expected => all(status, { none: 401, guestToken: 401, ...keysWith('manage', status) })
/** For the account whose trash the image is in. */
const trashOwner = (status: number): Expected => ({
  ...reader(status),
  other: 404,
  adminKey: 404,
  admin: 404,
  lockedAdmin: 404,
})
const albumCreator = all(201, { none: 401, guestToken: 401, ...keysWith('upload', 201) })
/**
 * For the owner of the image, by session or by an API key with this scope, and for admins by session
 * only.
 */
const imageOwner = (status: number, scope: Scope): Expected =>
  all(status, { none: 401, other: 403, ...keysWith(scope, status), adminKey: 403 })

const rows: Record<RouteName, Row> = {
  register: {
    body: () => ({ email: `new-${userCount++}@example.com`, password: 'secret-1' }),
    expected: everyone(201),
  },
  // A new address each time: attempts are limited per account.
  login: { body: () => ({ email: `nobody-${userCount++}@example.com`, password: 'x' }), expected: everyone(401) },
  logout: { expected: loggedIn(200) },
  logoutEverywhere: { expected: loggedIn(200) },
  getMe: { expected: loggedIn(200) },
  updateMe: { body: { firstName: 'A' }, expected: loggedIn(200) },
  // This server sends no mail.
  requestEmailConfirmation: { body: {}, expected: loggedIn(403) },
  confirmEmail: { body: {}, expected: everyone(400) },
  requestPasswordReset: { body: { email: 'nobody@example.com' }, expected: everyone(403) },
  completePasswordReset: { body: {}, expected: everyone(400) },
  confirmIdentity: { body: { currentPassword: 'wrong' }, expected: loggedIn(403) },
  deleteMe: { body: { currentPassword: 'wrong' }, expected: loggedIn(403) },
  restoreMe: { expected: loggedIn(200) },
  downloadOwnData: { expected: loggedIn(200) },
  createOwnDataLink: { expected: loggedIn(201) },
  downloadOwnDataByLink: { expected: everyone(415) },

  listSessions: { expected: loggedIn(200) },
  deleteSession: { params: ownSession, expected: ownersOnly(200) },
  deleteOtherSessions: { expected: loggedIn(200) },

  loginWithCode: { body: { challenge: 'x', code: '000000' }, expected: everyone(403) },
  startPasskeyLogin: { expected: everyone(200) },
  loginWithPasskey: { body: { token: 'x', response: noPasskey.assert({ challenge: '' }) }, expected: everyone(403) },
  startOidcLogin: { params: noProvider, expected: everyone(404) },
  finishOidc: { body: { token: 'x', query: '' }, expected: everyone(403) },
  getSecurity: { expected: loggedIn(200) },
  startTotp: { expected: loggedIn(200) },
  confirmTotp: { params: startedTotp, body: { code: '000000' }, expected: loggedIn(403) },
  deleteTotp: { expected: loggedIn(404) },
  createRecoveryCodes: { expected: loggedIn(409) },
  startPasskey: { expected: loggedIn(200) },
  addPasskey: {
    body: { token: 'x', response: noPasskey.register({ challenge: '' }), name: 'Laptop' },
    expected: loggedIn(403),
  },
  renamePasskey: { params: nothing, body: { name: 'Laptop' }, expected: loggedIn(404) },
  deletePasskey: { params: nothing, expected: loggedIn(404) },
  startIdentity: { params: noProvider, expected: loggedIn(404) },
  deleteIdentity: { params: nothing, expected: loggedIn(404) },

  listUsers: { expected: adminOnly(200) },
  createUser: {
    body: () => ({ email: `new-${userCount++}@example.com`, password: 'secret-1' }),
    expected: adminOnly(201),
  },
  getUserStats: { expected: adminOnly(200) },
  updateUser: { params: someUser, body: { name: 'B' }, expected: adminOnly(200) },
  deleteUser: { params: someUser, expected: adminOnly(200) },
  promoteUser: { body: async () => someUser(), expected: adminOnly(200) },
  createInvite: { body: {}, expected: adminOnly(201) },
  listInvites: { expected: adminOnly(200) },
  deleteInvite: {
    params: async () => (await app.call('POST', '/api/admin/invites', { token: tokens.admin, body: {} })).body,
    expected: adminOnly(200),
  },

  listAuditEntries: { expected: adminOnly(200) },
  exportAuditEntries: { expected: adminOnly(200) },

  createApiKey: { body: {}, expected: loggedIn(201) },
  listApiKeys: { expected: loggedIn(200) },
  deleteApiKey: { params: ownKey, expected: loggedIn(200, { other: 404, admin: 404, lockedAdmin: 404 }) },

  createWebhook: { body: aWebhook, expected: loggedIn(201) },
  listWebhooks: { expected: loggedIn(200) },
  updateWebhook: { params: ownWebhook, body: { isActive: true }, expected: ownersOnly(200) },
  deleteWebhook: { params: ownWebhook, expected: ownersOnly(200) },
  rotateWebhookSecret: { params: ownWebhook, expected: ownersOnly(200) },
  testWebhook: { params: ownWebhook, expected: ownersOnly(201) },
  listWebhookDeliveries: { params: ownWebhook, expected: ownersOnly(200) },
  resendWebhookDelivery: { params: ownDelivery, expected: ownersOnly(200) },

  getDatabaseStats: { expected: adminOnly(200) },
  startBackup: { params: noBackup, expected: adminOnly(201) },
  listBackups: { expected: adminOnly(200) },
  downloadBackup: { params: nothing, expected: adminOnly(404) },
  createBackupLink: { params: nothing, expected: adminOnly(404) },
  downloadBackupByLink: { expected: everyone(415) },
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

  uploadImage: { expected: uploader(201) },
  createUpload: { headers: { ...version, 'upload-length': '100' }, expected: uploader(201) },
  // No image is complete after none of its bytes.
  continueUpload: {
    params: ownUpload,
    headers: { ...version, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    expected: uploadOwner(204),
  },
  getUpload: { params: ownUpload, expected: uploadOwner(409) },
  deleteUpload: { params: ownUpload, headers: version, expected: uploadOwner(204) },
  listImages: { expected: reader(200) },
  outlineImages: { expected: reader(200) },
  claimImages: { body: { images: [{ id: 'none', token: 'none' }] }, expected: loggedIn(200) },
  createGuestAlbum: { body: { images: twoUnknown }, expected: everyone(404) },
  addToGuestAlbum: {
    params: async () => ({ id: 'none' }),
    body: { token: 'none', images: twoUnknown },
    expected: everyone(404),
  },
  deleteGuestAlbum: { params: async () => ({ id: 'none' }), body: { token: 'none' }, expected: everyone(404) },
  listTrash: { expected: reader(200) },
  viewTrashedImage: { params: ownTrashedImage, expected: trashOwner(200) },
  moveToTrash: { body: { ids: ['none'] }, expected: manager(200) },
  restoreFromTrash: { body: { ids: ['none'] }, expected: manager(200) },
  deleteFromTrash: { body: { ids: ['none'] }, expected: manager(200) },
  emptyTrash: { expected: manager(200) },
  listTags: { expected: reader(200) },
  updateTag: { body: { tag: 'none' }, expected: manager(404) },
  deleteTag: { body: { tag: 'none' }, expected: manager(404) },
  tagImages: { body: { ids: ['none'], add: ['a'] }, expected: manager(200) },
  listAlbums: { expected: reader(200) },
  createAlbum: { body: { title: 'An album' }, expected: albumCreator },
  getAlbum: { params: ownAlbum, expected: accountOwner(200, 'read') },
  updateAlbum: { params: ownAlbum, body: { title: 'A title' }, expected: accountOwner(200, 'manage') },
  deleteAlbum: { params: ownAlbum, expected: accountOwner(200, 'manage') },
  listAlbumImages: { params: ownAlbum, expected: accountOwner(200, 'read') },
  addToAlbum: { params: ownAlbum, body: { ids: ['none'] }, expected: accountOwner(200, 'upload') },
  moveInAlbum: { params: ownAlbum, body: { ids: ['none'] }, expected: accountOwner(200, 'manage') },
  removeFromAlbum: { params: ownAlbum, body: { ids: ['none'] }, expected: accountOwner(200, 'manage') },
  sortAlbum: { params: ownAlbum, body: { by: 'oldest' }, expected: accountOwner(200, 'manage') },
  listAlbumMembers: { params: ownAlbum, expected: accountOwner(200, 'read') },
  addAlbumMember: { params: ownAlbum, body: { email: 'x@example.com', role: 'view' }, expected: ownersOnly(201) },
  updateAlbumMember: { params: ownMember, body: { role: 'add' }, expected: ownersOnly(200) },
  removeAlbumMember: { params: ownMember, expected: ownersOnly(200) },
  acceptAlbumInvite: { body: { token: 'none' }, expected: loggedIn(404) },
  createLink: { body: { images: ['none'] }, expected: manager(404) },
  listLinks: { expected: reader(200) },
  updateLink: { params: nothing, body: {}, expected: manager(404) },
  deleteLink: { params: nothing, expected: manager(404) },
  listExpiringImages: { expected: reader(200) },
  getImage: { params: keptImage, expected: imageOwner(200, 'read') },
  updateImage: { params: ownImage, body: { title: 'A title' }, expected: imageOwner(200, 'manage') },
  getImageViews: { params: keptImage, expected: imageOwner(200, 'read') },
  viewOwnImage: { params: keptImage, expected: imageOwner(200, 'read') },
  getOwnOriginal: { params: keptImage, expected: imageOwner(200, 'read') },
  deleteImage: { params: ownImage, expected: imageOwner(200, 'manage') },
  restoreImage: { params: ownImage, expected: imageOwner(200, 'manage') },
  extendImage: { params: ownImage, expected: imageOwner(200, 'manage') },
  setVisibility: { body: { ids: ['none'], visibility: 'private' }, expected: manager(200) },
  setExpiry: {
    body: { ids: ['none'], expires_at: new Date(Date.now() + 3_600_000).toISOString() },
    expected: manager(200),
  },
  createViewKey: { params: ownImage, body: {}, expected: imageOwner(200, 'manage') },
  endViewKeys: { params: ownImage, expected: imageOwner(200, 'manage') },
  signVariant: { params: keptImage, body: { w: 20, h: 20 }, expected: imageOwner(200, 'manage') },
  analyzeImage: { params: ownLimitedImage, expected: imageOwner(200, 'read') },
  getImageFile: { params: keptFile, expected: everyone(200) },
  getNamedImageFile: { params: keptFile, expected: everyone(200) },
  getOriginal: { params: keptImage, expected: everyone(200) },
  getThumbnail: { params: sized, expected: everyone(200) },
  getResized: { params: sized, expected: everyone(200) },
  getResizedToBox: { params: sized, expected: everyone(200) },
  getJpeg: { params: sized, expected: everyone(200) },
  getWebp: { params: sized, expected: everyone(200) },
  getLimits: { expected: everyone(200) },

  listAllImages: { expected: adminOnly(200) },
  moderateImages: { body: { action: 'quarantine', ids: ['none'] }, expected: adminOnly(200) },
  previewImage: { params: keptImage, expected: adminOnly(200) },
  blockUploader: { params: ownImage, expected: adminOnly(409) },
  listBlockedImages: { expected: adminOnly(200) },
  blockImages: { body: { images: ['none'] }, expected: adminOnly(201) },
  unblockImages: { body: { sha256: ['none'] }, expected: adminOnly(200) },
  listBlockedNetworks: { expected: adminOnly(200) },
  blockNetworks: { body: { networks: ['198.51.100.7'] }, expected: adminOnly(201) },
  unblockNetworks: { body: { networks: ['198.51.100.7'] }, expected: adminOnly(200) },

  sendReport: { body: {}, expected: everyone(400) },
  listReports: { expected: adminOnly(200) },
  decideReport: { params: async () => ({ caseId: 'none' }), body: { action: 'dismiss' }, expected: adminOnly(404) },
  dismissReports: { body: { caseIds: ['none'] }, expected: adminOnly(200) },

  sendEmail: { body: {}, expected: everyone(400) },
  sendEmailForm: { expected: everyone(415) },
}

const names = Object.keys(rows) as RouteName[]
/** Of the others a short run tries one or two per endpoint, in turn: all callers of a kind pass the same check. */
const alwaysTried: Role[] = ['none', 'guestToken', 'other', 'user', 'readKey', 'admin']
const otherRoles = roles.filter((role) => !alwaysTried.includes(role))
const triedAt = (name: RouteName) => [...alwaysTried, ...rowsInTurn(otherRoles, names.indexOf(name), 5)]

describe.each(names)('%s', (name) => {
  it.each(triedAt(name))('has the expected status for %s', async (role) => {
    const row = rows[name]
    const endpoint: Endpoint = api[name]
    const [method = '', template = ''] = routes[name].split(' ')
    // These calls end their session.
    const endsSession = name === 'logout' || name === 'logoutEverywhere' || name === 'deleteOtherSessions'
    for (const path of pathsOf(template)) {
      const token = endsSession ? await freshToken(role) : tokens[role]
      if (endpoint.upload) {
        expect((await app.upload(picture, { token })).status).toBe(row.expected[role])
        continue
      }
      const { guestToken = '', ...params } = row.params ? await row.params(role) : {}
      const filled = path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? '')
      const body: unknown = typeof row.body === 'function' ? await (row.body as () => unknown)() : row.body
      const dbToken = path.startsWith('/db/') && (role === 'user' || role === 'admin') ? await unlock(token) : ''
      const headers = {
        'x-db-token': dbToken,
        ...row.headers,
        ...(role === 'guestToken' ? { 'x-guest-token': guestToken || 'x' } : {}),
      }
      const response = await app.call(method, filled, { token, headers, ...(body === undefined ? {} : { body }) })
      expect(response.status, `${filled} ${JSON.stringify(response.body).slice(0, 200)}`).toBe(row.expected[role])
    }
  })

  it('is declared in the contract as the table expects', () => {
    const { expected } = rows[name]
    const endpoint: Endpoint = api[name]
    const [, path = ''] = routes[name].split(' ')
    const isRefused = (role: Role) => expected[role] === 401 || expected[role] === 403
    if (endpoint.access !== 'public') expect([expected.none, expected.guestToken]).toEqual([401, 401])
    if (endpoint.access === 'admin') expect([expected.other, expected.user]).toEqual([403, 403])
    if (identifiesCaller(endpoint)) {
      expect(expected.expiredKey).toBe(401)
      const { keyScope } = endpoint
      for (const scope of scopes) {
        const isGranted = keyScope !== undefined && grantedBy([scope]).includes(keyScope)
        expect([scope, isRefused(`${scope}Key`)]).toEqual([scope, !isGranted])
      }
    }
    if (takesGuestToken(endpoint, path)) expect([expected.none, isRefused('guestToken')]).toEqual([401, false])
    if (!identifiesCaller(endpoint)) expect(new Set(Object.values(expected)).size).toBe(1)
  })
})

it('a guest token gives access to its own image only', async () => {
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

it('the only routes outside the contract are those of pages, MCP, health, metrics, and documents about the site', async () => {
  const server = await buildServer(
    { ...app.deps, metrics: openMetrics() },
    pino({ level: 'silent' }),
    await builtPage(),
  )
  try {
    const aliases = (Object.keys(compatRoutes) as CompatName[]).flatMap(compatAliasRoutes)
    const declared = [...Object.values({ ...routes, ...compatRoutes }), ...aliases].flatMap((route) => {
      const [method = '', path = ''] = route.split(' ')
      const methods = method === 'GET' ? ['GET', 'HEAD'] : [method]
      return pathsOf(path).flatMap((at) => methods.map((one) => `${one} ${at.replace(/\{(\w+)\}/g, ':$1')}`))
    })
    const served = routesOf(server.printRoutes({ commonPrefix: false }))
    expect(served.filter((route) => !declared.includes(route)).toSorted()).toEqual([
      'DELETE /mcp',
      'GET /',
      'GET /*',
      'GET /.well-known/change-password',
      'GET /.well-known/security.txt',
      'GET /api/openapi.json',
      'GET /d/:id/:token',
      'GET /delete/:hash',
      'GET /healthz',
      'GET /i/:id',
      'GET /l/:slug',
      'GET /l/:slug/:albumId',
      'GET /l/:slug/images.zip',
      'GET /l/:slug/preview.jpg',
      'GET /mcp',
      'GET /metrics',
      'GET /oembed',
      'GET /readyz',
      'GET /robots.txt',
      'GET /s/:slug',
      'GET /unsubscribe/:id/:token',
      'HEAD /',
      'HEAD /*',
      'HEAD /.well-known/change-password',
      'HEAD /.well-known/security.txt',
      'HEAD /api/openapi.json',
      'HEAD /d/:id/:token',
      'HEAD /healthz',
      'HEAD /i/:id',
      'HEAD /l/:slug',
      'HEAD /l/:slug/:albumId',
      'HEAD /l/:slug/images.zip',
      'HEAD /l/:slug/preview.jpg',
      'HEAD /oembed',
      'HEAD /readyz',
      'HEAD /robots.txt',
      'HEAD /s/:slug',
      'HEAD /unsubscribe/:id/:token',
      'OPTIONS /api/uploads',
      'OPTIONS /api/uploads/:id',
      'POST /d/:id/:token',
      'POST /l/:slug',
      'POST /l/:slug/:albumId',
      'POST /mcp',
      'POST /share-target',
      'POST /unsubscribe/:id/:token',
    ])
    expect(declared.filter((route) => !served.includes(route))).toEqual([])
  } finally {
    await server.close()
  }
})

/** /users is an alias of /api/users. */
function pathsOf(path: string): string[] {
  return path.startsWith('/api/users') ? [path, path.replace('/api', '')] : [path]
}

/**
 * Parses the tree that Fastify prints: a line continues the path of the line above with one level
 * less.
 */
function routesOf(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? []
    const depth = indent.length / 4
    above.splice(depth, Infinity, segment)
    return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${above.join('')}`)
  })
}

async function unlock(token: string | undefined): Promise<string> {
  return (await app.call('POST', '/db/unlock', { token, body: { pin } })).body.token
}

/** A token of a new account, so that ending its session does not affect other tests. */
async function freshToken(role: Role): Promise<string | undefined> {
  if (role === 'none' || role === 'guestToken' || role === 'inactive' || role.endsWith('Key')) return tokens[role]
  const { token, id } = await app.newUser()
  if (role === 'admin' || role === 'lockedAdmin')
    await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute()
  return token
}
