// What must be there before a sample of each endpoint can succeed, and what its reader would fill in.
import type { RouteName } from '../../contract/routes.ts'
import type { SampleOptions } from '../../contract/samples/request.ts'
import { startTestApp, type TestApp } from './app.ts'
import { jpeg } from './pictures.ts'

/** What the reader fills in; all else stands in the sample as the documentation shows it. */
export type Filled = Pick<SampleOptions, 'token' | 'values'>
type Row = (host: SampleHost) => Promise<Filled> | Filled

export interface SampleHost {
  app: TestApp
  picture: Buffer
  admin: string
  owner: string
  /** Of owner. */
  key: string
}

const admin = { email: 'boss@example.com', password: 'boss-secret' }
/** Of the samples. */
const ada = { email: 'ada@example.com', password: 'correct-horse-1' }
const pin = '1234'

export async function startSampleHost(): Promise<SampleHost> {
  const app = await startTestApp({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, DB_VIEW_PIN: pin })
  const owner = (await app.newUser()).token
  return {
    app,
    picture: await jpeg(60, 40),
    admin: (await app.call('POST', '/api/login', { body: admin })).body.token,
    owner,
    key: (await app.call('POST', '/api/api-keys', { token: owner, body: {} })).body.key,
  }
}

const byAnyone: Row = () => ({})
const byOwner: Row = ({ owner }) => ({ token: owner })
const byKey: Row = ({ key }) => ({ token: key })
const byAdmin: Row = ({ admin: token }) => ({ token })
const bySomeone: Row = async ({ app }) => ({ token: (await app.newUser()).token })

export const rows: Record<RouteName, Row> = {
  register: async (host) => {
    await sendAdaAway(host)
    return {}
  },
  login: async (host) => {
    await letAdaIn(host)
    return {}
  },
  logout: bySomeone,
  logoutEverywhere: bySomeone,
  getMe: byOwner,
  updateMe: async (host) => ({ token: await letAdaIn(host) }),

  listUsers: byAdmin,
  createUser: async (host) => {
    await sendAdaAway(host)
    return { token: host.admin }
  },
  getUserStats: byAdmin,
  updateUser: async (host) => {
    await sendAdaAway(host)
    return someUser(host)
  },
  deleteUser: someUser,
  promoteUser: someUser,

  createApiKey: bySomeone,
  listApiKeys: byOwner,
  deleteApiKey: async ({ app, owner }) => {
    const { body } = await app.call('POST', '/api/api-keys', { token: owner, body: {} })
    return { token: owner, values: { id: body.id } }
  },

  getDatabaseStats: byAdmin,
  startBackup: async (host) => {
    await untilNoBackupRuns(host)
    return { token: host.admin }
  },
  listBackups: byAdmin,
  downloadBackup: someBackup,
  deleteBackup: someBackup,
  previewCleanup: byAdmin,
  cleanUp: byAdmin,

  unlockDatabase: bySomeone,
  lockDatabase: unlocked,
  listCollections: unlocked,
  deleteCollection: someDocument,
  listDocuments: someDocument,
  createDocuments: unlocked,
  getDocument: someDocument,
  updateDocument: someDocument,
  deleteDocuments: async (host) => {
    const { token, values } = await someDocument(host)
    return { token, values: { 'X-DB-Token': values['X-DB-Token'], ids: [values['id']] } }
  },

  uploadImage: byAnyone,
  listImages: byKey,
  outlineImages: byKey,
  claimImages: async ({ app, picture, owner }) => {
    const { id, delete_token: token } = await app.guestImage(picture)
    return { token: owner, values: { images: [{ id, token }] } }
  },
  listExpiringImages: byKey,
  getImage: ownImage,
  deleteImage: ownImage,
  restoreImage: async (host) => {
    const image = await ownImage(host)
    await host.app.call('DELETE', `/api/images/${image.values.id}?undo=1`, { token: host.owner })
    return image
  },
  extendImage: ownImage,
  analyzeImage: ownImage,
  getOriginal: ownImage,
  getThumbnail: ownImage,
  getResized: ownImage,
  getResizedToBox: ownImage,
  getJpeg: ownImage,
  getWebp: ownImage,
  getLimits: byAnyone,

  sendEmail: byAnyone,
  sendEmailForm: byAnyone,
}

/** The same endpoints with more filled in: optional fields, the other credential. */
export const fuller: [name: RouteName, row: Row][] = [
  [
    'uploadImage',
    ({ key }) => ({ token: key, values: { expires_in: '7d', 'Idempotency-Key': 'q"u\'o$te `x` 0123456789' } }),
  ],
  ['listImages', ({ owner }) => ({ token: owner, values: { limit: 2, q: "a&b=c 'd' #?", sort: 'name' } })],
  ['getImage', guestImage],
  ['deleteImage', guestImage],
  ['extendImage', guestImage],
  [
    'getResizedToBox',
    async (host) => ({ values: { ...(await ownImage(host)).values, width: 30, height: 30, fit: 'contain' } }),
  ],
  [
    'createApiKey',
    async ({ app }) => ({ token: (await app.newUser()).token, values: { name: `it's "my" $app\n\\ é 🦊 </script>` } }),
  ],
]

async function guestImage({ app, picture }: SampleHost) {
  const { id, delete_token: token } = await app.guestImage(picture)
  return { values: { id, 'X-Guest-Token': token } }
}

async function sendAdaAway({ app }: SampleHost): Promise<void> {
  const email = `${crypto.randomUUID()}@example.com`
  await app.deps.db.updateTable('users').set({ email }).where('email', '=', ada.email).execute()
}

async function letAdaIn(host: SampleHost): Promise<string> {
  await sendAdaAway(host)
  return (await host.app.call('POST', '/api/register', { body: ada })).body.token
}

async function someUser({ app, admin: token }: SampleHost) {
  return { token, values: { userId: (await app.newUser()).id } }
}

async function ownImage({ app, picture, owner, key }: SampleHost) {
  const { body } = await app.upload(picture, { token: owner })
  return { token: key, values: { id: body.id as string, file_name: body.file_name as string } }
}

async function unlocked({ app }: SampleHost) {
  const { token } = await app.newUser()
  const { body } = await app.call('POST', '/db/unlock', { token, body: { pin } })
  return { token, values: { 'X-DB-Token': body.token as string } }
}

async function someDocument(host: SampleHost) {
  const { token, values } = await unlocked(host)
  const headers = { 'x-db-token': values['X-DB-Token'] }
  const path = '/db/collections/destinations/documents'
  const { body } = await host.app.call('POST', path, { token, headers, body: { name: 'Porto' } })
  return { token, values: { ...values, id: body.ids[0] as string } }
}

async function someBackup(host: SampleHost) {
  await untilNoBackupRuns(host)
  const { body } = await host.app.call('POST', '/api/database/backup', { token: host.admin })
  await untilNoBackupRuns(host)
  return { token: host.admin, values: { id: body.backupId as string } }
}

async function untilNoBackupRuns({ app, admin: token }: SampleHost): Promise<void> {
  for (;;) {
    const { body } = await app.call('GET', '/api/database/backups', { token })
    if (!body.backups.some(({ status }: { status: string }) => status === 'running')) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
