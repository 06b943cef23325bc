// What requests can be about: accounts of every role with their tokens, images, documents, a backup. New for every round, since
// the requests delete, lock and rename what they find.
import { setTimeout as sleep } from 'node:timers/promises'
import { call, upload } from '../faults/client.ts'

/** Filled in where a case says «name». */
export type Fixtures = Record<(typeof fixtureNames)[number], string>

export const fixtureNames = [
  'userToken',
  'userId',
  'userEmail',
  'otherToken',
  'otherId',
  'adminToken',
  'adminId',
  'lockedToken',
  'lockedId',
  'endedToken',
  'key',
  'keyId',
  'password',
  'imageId',
  'fileName',
  'guestImageId',
  'guestFileName',
  'guestToken',
  'otherImageId',
  'deletedImageId',
  'userDbToken',
  'adminDbToken',
  'documentId',
  'backupId',
  'ticket',
  'cursor',
] as const

export const root = { email: 'root@example.com', password: 'the first secret' }
export const pin = '1234'
const password = 'correct-horse-1'

/** The server for it: limits off, so that what is behind them is met; addresses as the requests say, so that locks part them. */
export const fixtureEnvironment = {
  ADMIN_EMAIL: root.email,
  ADMIN_PASSWORD: root.password,
  DB_VIEW_PIN: pin,
  RATE_LIMIT_ADMIN: '0',
  TRUST_PROXY: '1',
}

/** @param round makes names and addresses its own */
export async function createFixtures(url: string, picture: Buffer, round: number): Promise<Fixtures> {
  const address = `192.168.${round >> 8}.${round & 255}`
  const ask: Ask = async <T>(
    method: string,
    path: string,
    token = '',
    body?: object,
    more: Record<string, string> = {},
  ) => {
    const reply = await call(url + path, {
      method,
      headers: {
        'x-forwarded-for': address,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    })
    if (reply.status >= 400)
      throw new Error(`${method} ${path} on the fixtures: ${reply.status} ${reply.body.toString('utf8')}`)
    return JSON.parse(reply.body.toString('utf8')) as T
  }
  const logIn = (email: string, secret = password) =>
    ask<{ token: string; user: { id: string } }>('POST', '/api/login', '', { email, password: secret })
  const first = (await logIn(root.email, root.password)).token
  const person = async (name: string, role = 'user') => {
    const email = `${name}-${round}@example.com`
    await ask('POST', '/api/users', first, { email, password, role })
    const { token, user } = await logIn(email)
    return { token, id: user.id, email }
  }
  const [user, other, admin, locked, ended] = await Promise.all([
    person('user'),
    person('other'),
    person('admin', 'admin'),
    person('locked', 'admin'),
    person('ended'),
  ])
  await ask('PUT', `/api/users/${locked.id}`, first, { status: 'Inactive' })
  await ask('POST', '/api/logout', ended.token)
  const key = await ask<{ id: string; key: string }>('POST', '/api/api-keys', user.token, {})
  const image = async (token?: string): Promise<{ id: string; file_name: string; delete_token: string }> =>
    JSON.parse((await upload(url, picture, token === undefined ? {} : { token })).body.toString('utf8'))
  const [own, otherOwn, guest, deleted] = await Promise.all([
    image(user.token),
    image(other.token),
    image(),
    image(user.token),
  ])
  await ask('DELETE', `/api/images/${deleted.id}?undo=1`, user.token)
  const unlock = async (token: string) => (await ask<{ token: string }>('POST', '/db/unlock', token, { pin })).token
  // Wrong PINs of many rounds close the view to all but admins: then theirs is the only token.
  const adminDbToken = await unlock(admin.token)
  const userDbToken = await unlock(user.token).catch(() => adminDbToken)
  const documents = await ask<{ ids: string[] }>(
    'POST',
    '/db/collections/destinations/documents',
    admin.token,
    { name: 'Porto' },
    { 'x-db-token': adminDbToken },
  )
  const backupId = await backup(ask, first)
  const link = await ask<{ url: string }>('POST', `/api/database/backups/${backupId}/link`, first)
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
    endedToken: ended.token,
    key: key.key,
    keyId: key.id,
    password,
    imageId: own.id,
    fileName: own.file_name,
    guestImageId: guest.id,
    guestFileName: guest.file_name,
    guestToken: guest.delete_token,
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

type Ask = <T>(method: string, path: string, token?: string, body?: object, more?: Record<string, string>) => Promise<T>

/** The one that is there, or a new one. */
async function backup(ask: Ask, token: string): Promise<string> {
  for (;;) {
    const { backups } = await ask<{ backups: { id: string; status: string }[] }>('GET', '/api/database/backups', token)
    const done = backups.find(({ status }) => status === 'completed')
    if (done) return done.id
    if (backups.every(({ status }) => status === 'failed')) await ask('POST', '/api/database/backup', token)
    await sleep(100)
  }
}
