// Which actions need a recent login or confirmation: every endpoint of the contract with a session
// that is too old for it, and the cases where it depends on the request (docs/decisions/0051).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../../contract/endpoints/api.ts'
import { buildCatalogue } from '../../../contract/derive/catalogue.ts'
import { type Endpoint, statusOf } from '../../../contract/endpoints/endpoint.ts'
import { type RouteName, routes } from '../../../contract/plain/routes.ts'
import { requestOf } from '../../../contract/derive/samples/request.ts'
import { type Filled, rows, type SampleHost, startSampleHost } from '../../testing/sample-rows.ts'

/** What changes something or downloads a file for a session: without a decision it does not compile. */
type Deciding = {
  [N in RouteName]: (typeof api)[N]['access'] extends 'public'
    ? never
    : (typeof routes)[N] extends `GET ${string}`
      ? (typeof api)[N]['response'] extends 'file'
        ? N
        : never
      : N
}[RouteName]

/** Whether the session must be recent. Other reading endpoints accept an old one unless they are here. */
const needsRecentConfirmation: Record<Deciding, boolean> & Partial<Record<RouteName, boolean>> = {
  logout: false,
  logoutEverywhere: false,
  updateMe: false,
  // Of another address, as the sample has it.
  requestEmailConfirmation: true,
  confirmEmail: false,
  requestPasswordReset: false,
  completePasswordReset: false,
  confirmIdentity: false,
  deleteMe: true,
  restoreMe: false,
  downloadOwnData: false,
  createOwnDataLink: false,
  deleteSession: false,
  deleteOtherSessions: false,
  startTotp: true,
  confirmTotp: false,
  deleteTotp: true,
  createRecoveryCodes: true,
  startPasskey: true,
  addPasskey: false,
  renamePasskey: false,
  deletePasskey: true,
  startIdentity: true,
  deleteIdentity: true,
  createUser: false,
  // Unless the request concerns an admin, as in the tests below.
  updateUser: false,
  deleteUser: false,
  promoteUser: true,
  createInvite: false,
  deleteInvite: false,
  exportAuditEntries: true,
  createApiKey: true,
  deleteApiKey: false,
  setVisibility: false,
  setExpiry: false,
  createWebhook: true,
  // To another URL, as the sample has it.
  updateWebhook: true,
  deleteWebhook: false,
  updateTag: false,
  deleteTag: false,
  createAlbum: false,
  updateAlbum: false,
  // Images go to the trash.
  deleteAlbum: false,
  addToAlbum: false,
  moveInAlbum: false,
  removeFromAlbum: false,
  sortAlbum: false,
  addAlbumMember: false,
  updateAlbumMember: false,
  removeAlbumMember: false,
  acceptAlbumInvite: false,
  tagImages: false,
  createLink: false,
  updateLink: false,
  deleteLink: false,
  rotateWebhookSecret: true,
  testWebhook: false,
  resendWebhookDelivery: false,
  startBackup: false,
  downloadBackup: true,
  createBackupLink: true,
  deleteBackup: false,
  cleanUp: false,
  unlockDatabase: false,
  lockDatabase: false,
  deleteCollection: false,
  createDocuments: false,
  updateDocument: false,
  deleteDocuments: false,
  createUpload: false,
  continueUpload: false,
  deleteUpload: false,
  claimImages: false,
  createGuestAlbum: false,
  addToGuestAlbum: false,
  deleteGuestAlbum: false,
  updateImage: false,
  deleteImage: false,
  restoreImage: false,
  moveToTrash: false,
  restoreFromTrash: false,
  deleteFromTrash: false,
  emptyTrash: false,
  extendImage: false,
  signVariant: false,
  moderateImages: false,
  blockImages: false,
  unblockImages: false,
  blockUploader: false,
  blockNetworks: false,
  unblockNetworks: false,
  decideReport: false,
  dismissReports: false,
  sendEmail: false,
  sendEmailForm: false,
}

const docs = new Map(buildCatalogue().map((doc) => [doc.name, doc]))
let host: SampleHost
beforeAll(async () => {
  host = await startSampleHost()
})
afterAll(() => host.app.stop())

const setConfirmedAt = (at: number) => host.app.deps.db.updateTable('sessions').set({ confirmed_at: at }).execute()
const refusal = { status: 403, code: 'password_required' }

/** Sends the sample request of the documentation. */
async function send(name: RouteName, filled: Filled): Promise<{ status: number; code?: string }> {
  const doc = docs.get(name)
  if (!doc) throw new Error(`${name} is not documented`)
  const { method, url, headers, json } = requestOf(doc, { base: host.app.url, ...filled })
  const response = await fetch(url, { method, headers, ...(json === undefined ? {} : { body: JSON.stringify(json) }) })
  const text = await response.text()
  const { status } = response
  return response.ok ? { status } : { status, code: (JSON.parse(text) as { code: string }).code }
}

describe.each(Object.keys(routes) as RouteName[])('%s', (name) => {
  const endpoint: Endpoint = api[name]
  const isNeeded = needsRecentConfirmation[name] === true

  it.runIf(endpoint.access !== 'public')(`${isNeeded ? 'refuses' : 'accepts'} an old session`, async () => {
    const filled = await rows[name](host)
    await setConfirmedAt(0)
    const success = { status: statusOf(endpoint) }
    try {
      expect(await send(name, filled)).toEqual(isNeeded ? refusal : success)
    } finally {
      await setConfirmedAt(host.app.deps.now())
    }
    if (isNeeded) expect(await send(name, filled)).toEqual(success)
  })

  it('documents the refusal where it can occur', () => {
    if (isNeeded) expect(endpoint.failures).toContain('password_required')
  })
})

describe('an old session of an admin', () => {
  const users = () => host.app.deps.db.updateTable('users')
  const inView = async (method: string, path: string, body: object) => {
    const headers = { 'x-db-token': await unlock() }
    return host.app.call(method, `/db/collections/users/documents${path}`, { token: host.admin, headers, body })
  }
  const unlock = async (): Promise<string> =>
    (await host.app.call('POST', '/db/unlock', { token: host.admin, body: { pin: '1234' } })).body.token
  const call = (method: string, path: string, body?: object) =>
    host.app.call(method, path, { token: host.admin, ...(body === undefined ? {} : { body }) })
  const update = (id: string, body: object) => call('PUT', `/api/users/${id}`, body)
  const create = (role: string) => {
    const email = `${crypto.randomUUID()}@example.com`
    return call('POST', '/api/users', { email, password: 'secret-new', role })
  }

  type Act = (id: string) => Promise<{ status: number; body: { code?: string } }>
  it.each<[what: string, target: 'user' | 'admin', isRefused: boolean, act: Act]>([
    ['creates a user', 'user', false, () => create('user')],
    ['creates an admin', 'user', true, () => create('admin')],
    ['renames a user', 'user', false, (id) => update(id, { name: 'Dana' })],
    ['suspends a user', 'user', false, (id) => update(id, { status: 'Inactive' })],
    ['sets the quota of a user', 'user', false, (id) => update(id, { quotaImages: 5 })],
    ['deletes a user', 'user', false, (id) => call('DELETE', `/api/users/${id}`)],
    ['gives a user the role admin', 'user', true, (id) => update(id, { role: 'admin' })],
    ['renames an admin', 'admin', true, (id) => update(id, { name: 'Dana' })],
    ['suspends an admin', 'admin', true, (id) => update(id, { status: 'Inactive' })],
    ['demotes an admin', 'admin', true, (id) => update(id, { role: 'user' })],
    ['deletes an admin', 'admin', true, (id) => call('DELETE', `/api/users/${id}`)],
    ['renames a user in the database view', 'user', false, (id) => inView('PATCH', `/${id}`, { name: 'Dana' })],
    ['deletes a user in the database view', 'user', false, (id) => inView('DELETE', '', { ids: [id] })],
    ['promotes a user in the database view', 'user', true, (id) => inView('PATCH', `/${id}`, { role: 'admin' })],
    ['demotes an admin in the database view', 'admin', true, (id) => inView('PATCH', `/${id}`, { role: 'user' })],
    ['deletes an admin in the database view', 'admin', true, (id) => inView('DELETE', '', { ids: [id] })],
  ])('%s: %s, refused: %s', async (_, role, isRefused, act) => {
    const { id } = await host.app.newUser()
    await users().set({ role }).where('id', '=', id).execute()
    const before = await accounts()
    await setConfirmedAt(0)
    const response = await act(id)
    await setConfirmedAt(host.app.deps.now())
    if (!isRefused) return expect(response.status).toBeLessThan(300)
    expect({ status: response.status, code: response.body.code }).toEqual(refusal)
    expect(await accounts()).toEqual(before)
    expect((await act(id)).status).toBeLessThan(300)
    expect(await accounts()).not.toEqual(before)
  })

  it('deletes none of several users in the database view when one of them is an admin', async () => {
    const ids = [(await host.app.newUser()).id, (await host.app.newUser()).id]
    await users()
      .set({ role: 'admin' })
      .where('id', '=', ids[1] ?? '')
      .execute()
    const before = await accounts()
    await setConfirmedAt(0)
    expect((await inView('DELETE', '', { ids })).body.code).toBe('password_required')
    await setConfirmedAt(host.app.deps.now())
    expect(await accounts()).toEqual(before)
  })

  const accounts = () =>
    host.app.deps.db.selectFrom('users').select(['id', 'name', 'role', 'status']).orderBy('id').execute()
})
