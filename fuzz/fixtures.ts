// The fixtures of requests: accounts of every role with their tokens, images, documents, a backup.
// Created for each round, since requests delete, lock and rename them.
import { setTimeout as sleep } from 'node:timers/promises'
import { requestJson, store } from '../faults/client.ts'

/** Values of the placeholders «name» in a case. */
export type Fixtures = Awaited<ReturnType<typeof createFixtures>>

export const root = { email: 'root@example.com', password: 'the first secret' }
export const pin = '1234'
const password = 'correct-horse-1'

/**
 * Settings of the server: rate limits off, so that requests reach the code behind them; client
 * addresses from the header.
 */
export const fixtureEnvironment = {
  ADMIN_EMAIL: root.email,
  ADMIN_PASSWORD: root.password,
  DB_VIEW_PIN: pin,
  RATE_LIMIT_ADMIN: '0',
  TRUST_PROXY: '1',
}

/** @param round makes names and addresses unique */
export async function createFixtures(url: string, image: Buffer, round: number) {
  const address = `192.168.${round >> 8}.${round & 255}`
  const request: Request = (method, path, token, body, headers) =>
    requestJson(url + path, {
      method,
      headers: { 'x-forwarded-for': address, ...headers },
      ...(token && { token }),
      ...(body && { body }),
    })
  const logIn = (email: string, secret = password) =>
    request<{ token: string; user: { id: string } }>('POST', '/api/login', '', { email, password: secret })
  const first = (await logIn(root.email, root.password)).token
  await liftNetworkBlocks(request, first)
  const createAccount = async (name: string, role = 'user') => {
    const email = `${name}-${round}@example.com`
    await request('POST', '/api/users', first, { email, password, role })
    const { token, user } = await logIn(email)
    return { token, id: user.id, email }
  }
  const [user, other, admin, locked, loggedOut] = await Promise.all([
    createAccount('user'),
    createAccount('other'),
    createAccount('admin', 'admin'),
    createAccount('locked', 'admin'),
    createAccount('logged-out'),
  ])
  await request('PUT', `/api/users/${locked.id}`, first, { status: 'Inactive' })
  await request('POST', '/api/logout', loggedOut.token)
  const key = await request<{ id: string; key: string }>('POST', '/api/api-keys', user.token, {})
  const uploadImage = (token?: string) => store(url, image, token === undefined ? {} : { token })
  const [own, otherOwn, guest, deleted] = await Promise.all([
    uploadImage(user.token),
    uploadImage(other.token),
    uploadImage(),
    uploadImage(user.token),
  ])
  await request('DELETE', `/api/images/${deleted.id}?undo=1`, user.token)
  const unlock = async (token: string) => (await request<{ token: string }>('POST', '/db/unlock', token, { pin })).token
  // After wrong PINs in many rounds only admins can unlock the view: their token then serves for
  // both.
  const adminDbToken = await unlock(admin.token)
  const userDbToken = await unlock(user.token).catch(() => adminDbToken)
  const documents = await request<{ ids: string[] }>(
    'POST',
    '/db/collections/destinations/documents',
    admin.token,
    { name: 'Porto' },
    { 'x-db-token': adminDbToken },
  )
  const backupId = await findOrCreateBackup(request, first)
  const link = await request<{ url: string }>('POST', `/api/database/backups/${backupId}/link`, first)
  return {
    userToken: user.token,
    userId: user.id,
    userEmail: user.email,
    otherToken: other.token,
    otherId: other.id,
    adminToken: admin.token,
    adminId: admin.id,
    lockedToken: locked.token,
    lockedId: locked.id,
    loggedOutToken: loggedOut.token,
    key: key.key,
    keyId: key.id,
    password,
    imageId: own.id,
    fileName: own.file_name,
    guestImageId: guest.id,
    guestFileName: guest.file_name,
    guestToken: guest.delete_token ?? '',
    otherImageId: otherOwn.id,
    deletedImageId: deleted.id,
    userDbToken,
    adminDbToken,
    documentId: documents.ids[0] ?? '',
    backupId,
    ticket: new URL(link.url, url).searchParams.get('ticket') ?? '',
    cursor: 'bmV3ZXN0',
  }
}

type Request = <T>(
  method: string,
  path: string,
  token?: string,
  body?: object,
  extraHeaders?: Record<string, string>,
) => Promise<T>

/** A request of the round before may have blocked the network from which the fixtures are uploaded. */
async function liftNetworkBlocks(request: Request, token: string): Promise<void> {
  const blocked = await request<{ network: string }[]>('GET', '/api/admin/blocked-networks', token)
  const networks = blocked.map(({ network }) => network)
  if (networks.length > 0) await request('DELETE', '/api/admin/blocked-networks', token, { networks })
}

/** Returns the id of a completed backup, and starts one if there is none. */
async function findOrCreateBackup(request: Request, token: string): Promise<string> {
  for (;;) {
    const { backups } = await request<{ backups: { id: string; status: string }[] }>(
      'GET',
      '/api/database/backups',
      token,
    )
    const done = backups.find(({ status }) => status === 'completed')
    if (done) return done.id
    if (backups.every(({ status }) => status === 'failed')) await request('POST', '/api/database/backup', token)
    await sleep(100)
  }
}
