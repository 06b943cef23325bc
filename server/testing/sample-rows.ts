// The data that each endpoint's sample needs, and the values its reader fills in.
import { Secret, TOTP } from 'otpauth'
import { dayMs } from '../../contract/plain/limits.ts'
import type { RouteName } from '../../contract/plain/routes.ts'
import type { SampleOptions } from '../../contract/derive/samples/request.ts'
import { createAccount } from '../domain/accounts/account-rows.ts'
import { createMailLink } from '../domain/accounts/email/mail-links.ts'
import { sendReport } from '../domain/moderation/reports/send-report.ts'
import { startTestApp, type TestApp } from './app.ts'
import { createAuthenticator } from './authenticator.ts'
import { startOidcProvider, testClient, type TestOidcProvider } from './oidc-provider.ts'
import { newUpload, sendBytes } from './resumable.ts'
import { jpeg } from './test-images.ts'

/** Values that the reader fills in; everything else is as documented. */
export type Filled = Pick<SampleOptions, 'token' | 'values'>
type Row = (host: SampleHost) => Promise<Filled> | Filled

export interface SampleHost {
  app: TestApp
  provider: TestOidcProvider
  picture: Buffer
  admin: string
  owner: string
  /** Of owner. */
  key: string
  /** Of owner: what no sample changes. */
  image: { id: string; file_name: string }
  /** Of owner. */
  databaseToken: string
}

const admin = { email: 'boss@example.com', password: 'boss-secret' }
/** Of the samples. */
const ada = { email: 'ada@example.com', password: 'correct-horse-1' }
const pin = '1234'
const site = 'https://images.example'

export async function startSampleHost(): Promise<SampleHost> {
  const provider = await startOidcProvider(`${site}/login/return`)
  const company = { ...testClient, id: 'company', name: 'Company', issuer: provider.issuer, autoCreate: true }
  const app = await startTestApp({
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    DB_VIEW_PIN: pin,
    // No job sends the mails.
    SMTP_URL: 'smtp://127.0.0.1:9',
    SUPPORT_EMAIL: 'help@example.com',
    PUBLIC_URL: site,
    OIDC_PROVIDERS: JSON.stringify([company]),
  })
  const stopApp = app.stop
  app.stop = async () => {
    await stopApp()
    await provider.stop()
  }
  const picture = await jpeg(60, 40)
  const owner = (await app.newUser()).token
  return {
    app,
    provider,
    picture,
    admin: (await app.call('POST', '/api/login', { body: admin })).body.token,
    owner,
    key: (await app.call('POST', '/api/api-keys', { token: owner, body: {} })).body.key,
    image: await uploadedBy(owner, app, picture),
    databaseToken: await unlock(owner, app),
  }
}

async function uploadedBy(token: string, app: TestApp, picture: Buffer): Promise<SampleHost['image']> {
  const { id, file_name } = (await app.upload(picture, { token })).body
  return { id, file_name }
}

const unlock = async (token: string, app: TestApp): Promise<string> =>
  (await app.call('POST', '/db/unlock', { token, body: { pin } })).body.token

const ownUpload = async ({ app, key: token, picture }: SampleHost) => ({
  token,
  values: { id: (await newUpload(app, picture.length, { token })).split('/').at(-1) ?? '' },
})

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
  updateMe: async (host) => ({ token: (await letAdaIn(host)).token }),
  requestEmailConfirmation: bySomeone,
  confirmEmail: (host) => linkOfAda(host, 'confirm'),
  requestPasswordReset: byAnyone,
  completePasswordReset: (host) => linkOfAda(host, 'reset'),
  confirmIdentity: async (host) => ({ token: (await letAdaIn(host)).token }),
  deleteMe: bySomeone,
  restoreMe: bySomeone,
  downloadOwnData: bySomeone,
  createOwnDataLink: bySomeone,
  downloadOwnDataByLink: async ({ app }) => {
    const { token } = await app.newUser()
    const { body } = await app.call('POST', '/api/me/data/link', { token })
    return { values: { ticket: body.ticket } }
  },

  listSessions: byOwner,
  deleteSession: async ({ app }) => {
    const { token } = await app.newUser()
    const { body } = await app.call('GET', '/api/sessions', { token })
    return { token, values: { id: body.sessions[0].id } }
  },
  deleteOtherSessions: bySomeone,

  loginWithCode: async (host) => {
    const { email, recoveryCodes } = await userWithApp(host)
    const body = { email, password: 'secret-1' }
    const { challenge } = (await host.app.call('POST', '/api/login', { body })).body
    return { values: { challenge, code: recoveryCodes[0] } }
  },
  startPasskeyLogin: byAnyone,
  loginWithPasskey: async (host) => {
    const { device } = await userWithPasskey(host)
    const { options, token } = (await host.app.call('POST', '/api/login/passkey/options')).body
    return { values: { token, response: device.assert(options) } }
  },
  startOidcLogin: byAnyone,
  finishOidc: async (host) => {
    const { url, token } = (await host.app.call('POST', '/api/login/oidc/company')).body
    const sub = crypto.randomUUID()
    host.provider.users.set(sub, { email: `${sub}@example.com`, email_verified: true })
    return { values: { token, query: await host.provider.logIn(url, sub) } }
  },
  getSecurity: byOwner,
  startTotp: bySomeone,
  confirmTotp: async (host) => {
    const { token, code } = await userWithStartedApp(host)
    return { token, values: { code } }
  },
  deleteTotp: userWithApp,
  createRecoveryCodes: userWithApp,
  startPasskey: bySomeone,
  addPasskey: async ({ app }) => {
    const { token } = await app.newUser()
    const started = (await app.call('POST', '/api/me/passkeys/options', { token })).body
    return { token, values: { token: started.token, response: createAuthenticator(site).register(started.options) } }
  },
  renamePasskey: userWithPasskey,
  deletePasskey: userWithPasskey,
  startIdentity: bySomeone,
  deleteIdentity: async ({ app, provider }) => {
    const { token } = await app.newUser()
    const started = (await app.call('POST', '/api/me/providers/company', { token })).body
    const query = await provider.logIn(started.url, crypto.randomUUID())
    await app.call('POST', '/api/login/oidc', { body: { token: started.token, query } })
    const { identities } = (await app.call('GET', '/api/me/security', { token })).body
    return { token, values: { id: identities[0].id } }
  },

  listUsers: byAdmin,
  createUser: async (host) => {
    await sendAdaAway(host)
    return { token: host.admin }
  },
  getUserStats: byAdmin,
  updateUser: async (host) => {
    await sendAdaAway(host)
    const { token, values } = await someUser(host)
    return { token, values: { ...values, currentPassword: admin.password } }
  },
  deleteUser: someUser,
  promoteUser: someUser,
  createInvite: byAdmin,
  listInvites: byAdmin,
  deleteInvite: async ({ app, admin: token }) => {
    const { body } = await app.call('POST', '/api/admin/invites', { token, body: {} })
    return { token, values: { id: body.id } }
  },

  listAuditEntries: byAdmin,
  exportAuditEntries: byAdmin,

  createApiKey: byOwner,
  listApiKeys: byOwner,
  deleteApiKey: async ({ app, owner }) => {
    const { body } = await app.call('POST', '/api/api-keys', { token: owner, body: {} })
    return { token: owner, values: { id: body.id } }
  },

  createWebhook: bySomeone,
  listWebhooks: byOwner,
  updateWebhook: ownWebhook,
  deleteWebhook: ownWebhook,
  rotateWebhookSecret: ownWebhook,
  testWebhook: ownWebhook,
  listWebhookDeliveries: ownWebhook,
  resendWebhookDelivery: async (host) => {
    const { token, values } = await ownWebhook(host)
    const { body } = await host.app.call('POST', `/api/webhooks/${values.id}/test`, { token })
    return { token, values: { ...values, deliveryId: body.id } }
  },

  getDatabaseStats: byAdmin,
  startBackup: byAdmin,
  listBackups: byAdmin,
  downloadBackup: madeBackup,
  createBackupLink: madeBackup,
  downloadBackupByLink: async (host) => {
    const { token, values } = await madeBackup(host)
    const { body } = await host.app.call('POST', `/api/database/backups/${values.id}/link`, { token })
    return { values: { ticket: body.ticket } }
  },
  deleteBackup: madeBackup,
  previewCleanup: byAdmin,
  cleanUp: byAdmin,

  unlockDatabase: bySomeone,
  lockDatabase: async ({ app }) => {
    const { token } = await app.newUser()
    return { token, values: { 'X-DB-Token': await unlock(token, app) } }
  },
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
  createUpload: ({ key, picture }) => ({ token: key, values: { 'Upload-Length': String(picture.length) } }),
  continueUpload: ownUpload,
  getUpload: async (host) => {
    const upload = await ownUpload(host)
    await sendBytes(host.app, `/api/uploads/${upload.values.id}`, host.picture, { token: host.key })
    return upload
  },
  deleteUpload: ownUpload,
  listImages: byKey,
  outlineImages: byKey,
  claimImages: async ({ app, picture, owner }) => {
    const { id, delete_token: token } = await app.guestImage(picture)
    return { token: owner, values: { images: [{ id, token }] } }
  },
  createGuestAlbum: async ({ app, picture }) => ({ values: { images: await guestImages(app, picture) } }),
  addToGuestAlbum: async (host) => ({
    values: { ...(await guestAlbum(host)), images: await guestImages(host.app, host.picture) },
  }),
  deleteGuestAlbum: async (host) => ({ values: await guestAlbum(host) }),
  listTrash: trashed,
  viewTrashedImage: trashed,
  moveToTrash: async (host) => {
    const { token, values } = await ownImage(host)
    return { token, values: { ids: [values.id] } }
  },
  restoreFromTrash: async (host) => {
    const { token, values } = await trashed(host)
    return { token, values: { ids: [values.id] } }
  },
  deleteFromTrash: async (host) => {
    const { token, values } = await trashed(host)
    return { token, values: { ids: [values.id] } }
  },
  emptyTrash: trashed,
  listTags: tagged,
  updateTag: async (host) => {
    const { token } = await tagged(host)
    return { token, values: { tag: 'travel/italy', new_name: `travel/${crypto.randomUUID()}` } }
  },
  deleteTag: async (host) => {
    const { token } = await tagged(host)
    return { token, values: { tag: 'travel/italy' } }
  },
  tagImages: async (host) => {
    const { token, values } = await ownImage(host)
    return { token, values: { ids: [values.id] } }
  },
  listAlbums: albumOf,
  createAlbum: async (host) => {
    const { token, values } = await ownImage(host)
    return { token, values: { images: [values.id] } }
  },
  getAlbum: albumOf,
  updateAlbum: albumOf,
  deleteAlbum: albumOf,
  listAlbumImages: albumOf,
  addToAlbum: async (host) => {
    const { token, values } = await albumOf(host)
    return { token, values: { ...values, ids: [(await ownImage(host)).values.id] } }
  },
  moveInAlbum: albumOfIds,
  removeFromAlbum: albumOfIds,
  sortAlbum: albumOf,
  listAlbumMembers: albumOf,
  addAlbumMember: async (host) => {
    const { values } = await albumOf(host)
    return { token: host.owner, values }
  },
  updateAlbumMember: albumWithMember,
  removeAlbumMember: albumWithMember,
  acceptAlbumInvite: async (host) => {
    const { values } = await albumWithMember(host)
    return { token: (await host.app.newUser()).token, values: { token: values.token } }
  },
  // A slug is unique.
  createLink: async (host) => ({
    token: host.owner,
    values: { album_id: await ownAlbum(host), slug: `italy-${crypto.randomUUID()}` },
  }),
  listLinks: async (host) => ({ token: (await ownLink(host)).token }),
  updateLink: async (host) => {
    const { token, values } = await ownLink(host)
    return { token, values: { ...values, slug: `italy-${crypto.randomUUID()}` } }
  },
  deleteLink: ownLink,
  listExpiringImages: byKey,
  getImage: findStoredImage,
  // A custom link is unique.
  updateImage: async (host) => {
    const { token, values } = await ownImage(host)
    return { token, values: { ...values, slug: `harbour-${crypto.randomUUID()}` } }
  },
  getImageViews: findStoredImage,
  viewOwnImage: findStoredImage,
  getOwnOriginal: findStoredImage,
  deleteImage: ownImage,
  restoreImage: async (host) => {
    const image = await ownImage(host)
    await host.app.call('DELETE', `/api/images/${image.values.id}?undo=1`, { token: host.owner })
    return image
  },
  extendImage: ownImage,
  setVisibility: async (host) => {
    const { token, values } = await ownImage(host)
    return { token, values: { ids: [values.id] } }
  },
  setExpiry: async (host) => {
    const { token, values } = await ownImage(host)
    return { token, values: { ids: [values.id], expires_at: new Date(host.app.deps.now() + dayMs).toISOString() } }
  },
  createViewKey: ownImage,
  endViewKeys: ownImage,
  signVariant: ownImage,
  analyzeImage: findStoredImage,
  getImageFile: findStoredImage,
  getNamedImageFile: findStoredImage,
  getOriginal: findStoredImage,
  getThumbnail: findStoredImage,
  getResized: findStoredImage,
  getResizedToBox: findStoredImage,
  getJpeg: findStoredImage,
  getWebp: findStoredImage,
  getLimits: byAnyone,

  listAllImages: byAdmin,
  moderateImages: async ({ app, picture, owner, admin: token }) => {
    const { id } = await uploadedBy(owner, app, picture)
    return { token, values: { ids: [id] } }
  },
  previewImage: ({ admin: token, image }) => ({ token, values: { ...image } }),
  blockUploader: async ({ app, picture, owner, admin: token }) => {
    const { id } = await uploadedBy(owner, app, picture)
    // Not from the admin's own network.
    await app.deps.db
      .updateTable('images')
      .set({ address_hash: 'ab'.repeat(32) })
      .where('id', '=', id)
      .execute()
    return { token, values: { id } }
  },
  listBlockedImages: byAdmin,
  // No stored image has this digest: the other samples upload the picture again.
  blockImages: ({ admin: token }) => ({ token, values: { images: ['ab'.repeat(32)] } }),
  unblockImages: byAdmin,
  listBlockedNetworks: byAdmin,
  blockNetworks: byAdmin,
  unblockNetworks: byAdmin,

  sendReport: ({ image: { id } }) => ({ values: { image: id } }),
  listReports: byAdmin,
  decideReport: async (host) => ({ token: host.admin, values: { caseId: await reportedImage(host) } }),
  dismissReports: async (host) => ({ token: host.admin, values: { caseIds: [await reportedImage(host)] } }),

  sendEmail: byAnyone,
  sendEmailForm: byAnyone,
}

/** The same endpoints with optional fields and the other credential. */
export const extraRows: [name: RouteName, row: Row][] = [
  [
    'uploadImage',
    ({ key }) => ({ token: key, values: { expires_in: '7d', 'Idempotency-Key': 'q"u\'o$te `x` 0123456789' } }),
  ],
  ['listImages', ({ owner }) => ({ token: owner, values: { limit: 2, q: "a&b=c 'd' #?", sort: 'name' } })],
  ['getImage', guestImage],
  ['deleteImage', guestImage],
  ['extendImage', guestImage],
  ['getResizedToBox', (host) => ({ values: { ...host.image, width: 30, height: 30, fit: 'contain' } })],
  [
    'createApiKey',
    ({ owner }) => ({
      token: owner,
      values: { name: `it's "my" $app\n\\ é 🦊 </script>`, scopes: ['upload', 'read'], uploadsPerHour: 60 },
    }),
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

async function letAdaIn(host: SampleHost): Promise<{ id: string; token: string }> {
  await sendAdaAway(host)
  await createAccount(host.app.deps, { ...ada, role: 'user' }, {})
  const { user, token } = (await host.app.call('POST', '/api/login', { body: ada })).body
  return { id: user.id, token }
}

async function linkOfAda(host: SampleHost, purpose: 'confirm' | 'reset'): Promise<Filled> {
  const { id } = await letAdaIn(host)
  const { deps } = host.app
  const link = { purpose, email: ada.email, user_id: id, expires_at: deps.now() + 60_000 }
  return { values: { token: await createMailLink(deps, link) } }
}

async function someUser({ app, admin: token }: SampleHost) {
  return { token, values: { userId: (await app.newUser()).id } }
}

async function userWithStartedApp({ app }: SampleHost) {
  const user = await app.newUser()
  const { secret } = (await app.call('POST', '/api/me/totp', { token: user.token })).body
  return { ...user, code: TOTP.generate({ secret: Secret.fromBase32(secret) }) }
}

async function userWithApp(host: SampleHost) {
  const { code, ...user } = await userWithStartedApp(host)
  const { body } = await host.app.call('POST', '/api/me/totp/confirm', { token: user.token, body: { code } })
  return { ...user, recoveryCodes: body.recoveryCodes as string[] }
}

async function userWithPasskey({ app }: SampleHost) {
  const { token } = await app.newUser()
  const device = createAuthenticator(site)
  const started = (await app.call('POST', '/api/me/passkeys/options', { token })).body
  const body = { token: started.token, response: device.register(started.options), name: 'Laptop' }
  const { passkey } = (await app.call('POST', '/api/me/passkeys', { token, body })).body
  return { token, values: { id: passkey.id as string }, device }
}

/** Of an account of its own: an account has few of them. */
async function ownWebhook({ app }: SampleHost) {
  const { token } = await app.newUser()
  const body = { url: 'https://example.com/hooks', events: ['image.uploaded'] }
  return { token, values: { id: (await app.call('POST', '/api/webhooks', { token, body })).body.id as string } }
}

function findStoredImage({ key, image }: SampleHost) {
  return { token: key, values: { ...image } }
}

/** For samples that change the image. */
async function ownImage({ app, picture, owner, key }: SampleHost) {
  return { token: key, values: await uploadedBy(owner, app, picture) }
}

async function trashed(host: SampleHost) {
  const image = await ownImage(host)
  await host.app.call('DELETE', `/api/images/${image.values.id}?trash=1`, { token: host.owner })
  return image
}

async function tagged(host: SampleHost) {
  const image = await ownImage(host)
  const body = { tags: ['travel/italy'] }
  await host.app.call('PATCH', `/api/images/${image.values.id}`, { token: host.owner, body })
  return image
}

const guestImages = async (app: TestApp, picture: Buffer) =>
  Promise.all([1, 2].map(async () => app.guestImage(picture).then(({ id, delete_token: token }) => ({ id, token }))))

async function guestAlbum({ app, picture }: SampleHost): Promise<Record<'id' | 'token', string>> {
  const { body } = await app.call('POST', '/api/albums/guest', { body: { images: await guestImages(app, picture) } })
  return { id: body.id, token: body.token }
}

/** An album with the image that no sample changes. */
async function albumOf({ app, owner, key, image }: SampleHost) {
  const body = { title: 'Italy 2026', images: [image.id] }
  const { id } = (await app.call('POST', '/api/albums', { token: owner, body })).body as { id: string }
  return { token: key, values: { id } }
}

async function albumWithMember(host: SampleHost) {
  const { values } = await albumOf(host)
  const body = { email: `${crypto.randomUUID()}@example.com`, role: 'view' }
  const { id, link } = (await host.app.call('POST', `/api/albums/${values.id}/members`, { token: host.owner, body }))
    .body as { id: string; link: string }
  return { token: host.owner, values: { ...values, memberId: id, token: link.split('#')[1] ?? '' } }
}

async function albumOfIds(host: SampleHost) {
  const { token, values } = await albumOf(host)
  return { token, values: { ...values, ids: [host.image.id] } }
}

/** @returns the id of the case */
async function reportedImage({ app, picture }: SampleHost): Promise<string> {
  const { id } = await app.guestImage(picture)
  await sendReport(app.deps, { address: id, body: { image: id, reason: 'spam' } })
  const reported = app.deps.db.selectFrom('report_cases').select('id').where('image_id', '=', id)
  return (await reported.executeTakeFirstOrThrow()).id
}

function unlocked({ owner, databaseToken }: SampleHost) {
  return { token: owner, values: { 'X-DB-Token': databaseToken } }
}

async function someDocument(host: SampleHost) {
  const { token, values } = unlocked(host)
  const headers = { 'x-db-token': values['X-DB-Token'] }
  const path = '/db/collections/destinations/documents'
  const { body } = await host.app.call('POST', path, { token, headers, body: { name: 'Porto' } })
  return { token, values: { ...values, id: body.ids[0] as string } }
}

/** The backup that the sample of startBackup created. */
async function madeBackup({ app, admin: token }: SampleHost) {
  for (;;) {
    const { body } = await app.call('GET', '/api/database/backups', { token })
    const [{ id, status }] = body.backups
    if (status === 'completed') return { token, values: { id: id as string } }
    if (status === 'failed') throw new Error('The backup of the sample failed')
    // Infrequent, because this process also takes the backup.
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function ownAlbum({ app, owner }: SampleHost): Promise<string> {
  const id = crypto.randomUUID()
  const { user } = (await app.call('GET', '/api/me', { token: owner })).body
  await app.deps.db
    .insertInto('albums')
    .values({ id, owner_id: user.id, title: 'Italy', description: '', created_at: 1 })
    .execute()
  return id
}

/** For samples that change or delete the link. */
async function ownLink(host: SampleHost) {
  const { token, values } = await ownImage(host)
  const { body } = await host.app.call('POST', '/api/links', { token: host.owner, body: { images: [values.id] } })
  return { token, values: { id: body.id as string } }
}
