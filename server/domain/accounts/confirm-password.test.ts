// What a stolen session must not do: make an admin or an API key, which would outlive it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { updateUser } from './manage-users.ts'

const admin = { email: 'boss@example.com', password: 'boss-secret' }
const pin = '4711'

let app: TestApp
let session: string
let userId: string
beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, DB_VIEW_PIN: pin })
})
afterAll(() => app.stop())
beforeEach(async () => {
  session = await logIn()
  userId = (await app.newUser()).id
  app.moveClock(accountLimits.recentLoginMs + 1)
})

const logIn = async (): Promise<string> => (await app.call('POST', '/api/login', { body: admin })).body.token
const call = (method: string, path: string, body: object, token = session) => app.call(method, path, { token, body })
const suspendAdmin = () =>
  app.deps.db.updateTable('users').set({ role: 'admin', status: 'Inactive' }).where('id', '=', userId).execute()
const inDatabaseView = async (fields: object, token = session) => {
  const unlocked = await call('POST', '/db/unlock', { pin }, token)
  const headers = { 'x-db-token': unlocked.body.token }
  return app.call('PATCH', `/db/collections/users/documents/${userId}`, { token, headers, body: fields })
}

type Act = (confirmation: object, token?: string) => Promise<{ status: number; body: { code?: string } }>
const newAdmin = () => ({ email: `new-${userId.toLowerCase()}@example.com`, password: 'secret-new', role: 'admin' })
const acts: [string, act: Act, prepare?: () => Promise<unknown>][] = [
  ['create an admin', (given, token) => call('POST', '/api/users', { ...newAdmin(), ...given }, token)],
  ['promote a user', (given, token) => call('POST', '/api/admin/promote', { userId, ...given }, token)],
  [
    'give a user the role admin',
    (given, token) => call('PUT', `/api/users/${userId}`, { role: 'admin', ...given }, token),
  ],
  [
    'reactivate a suspended admin',
    (given, token) => call('PUT', `/api/users/${userId}`, { status: 'Active', ...given }, token),
    suspendAdmin,
  ],
  ['create an API key', (given, token) => call('POST', '/api/api-keys', { name: userId, ...given }, token)],
]

/** What the acts would change. */
const rights = async () => {
  const users = await app.deps.db.selectFrom('users').select(['id', 'role', 'status']).orderBy('id').execute()
  return { users, keys: await app.deps.db.selectFrom('api_keys').select('id').execute() }
}

describe.each(acts)('to %s', (_, act, prepare) => {
  it('an older login needs the password, and a recent one does not', async () => {
    await prepare?.()
    const before = await rights()
    expect(await act({})).toMatchObject({ status: 403, body: { code: 'password_required' } })
    expect(await act({ currentPassword: '' })).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    expect(await act({ currentPassword: 'guess' })).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    expect(await rights()).toEqual(before)
    expect((await act({ currentPassword: admin.password })).status).toBeLessThan(300)
    expect(await rights()).not.toEqual(before)
  })

  it('a login up to 10 minutes ago is enough, unless a wrong password is sent', async () => {
    await prepare?.()
    const token = await logIn()
    app.moveClock(accountLimits.recentLoginMs - 60_000)
    expect(await act({ currentPassword: 'guess' }, token)).toMatchObject({ body: { code: 'wrong_password' } })
    expect((await act({}, token)).status).toBeLessThan(300)
  })
})

it.each<[string, object, (() => Promise<unknown>)?]>([
  ['a user becomes an admin', { role: 'admin' }],
  ['a suspended admin becomes active', { status: 'Active' }, suspendAdmin],
])('in the database view, %s only by a recent login', async (_, fields, prepare) => {
  await prepare?.()
  const before = await rights()
  expect(await inDatabaseView(fields)).toMatchObject({ status: 403, body: { code: 'password_required' } })
  expect(await rights()).toEqual(before)
  expect((await inDatabaseView(fields, await logIn())).status).toBe(200)
})

it.each<[string, object]>([
  ['renaming a user', { name: 'Dana' }],
  ['suspending a user', { status: 'Inactive' }],
])('%s needs no confirmation', async (_, change) => {
  expect((await call('PUT', `/api/users/${userId}`, change)).status).toBe(200)
})

it('a confirmation is good for the actions of the next 10 minutes, and of this session only', async () => {
  const other = await logIn()
  app.moveClock(accountLimits.recentLoginMs + 1)
  const confirm = (currentPassword: unknown) => call('POST', '/api/me/confirm', { currentPassword })
  for (const [wrong, code] of [
    ['guess', 'wrong_password'],
    ['', 'wrong_password'],
    [undefined, 'password_required'],
    [{}, 'invalid_input'],
  ] as const)
    expect((await confirm(wrong)).body.code).toBe(code)
  const promote = (token = session) => call('POST', '/api/admin/promote', { userId }, token)
  expect((await promote()).body.code).toBe('password_required')
  const { status, body } = await confirm(admin.password)
  expect([status, Date.parse(body.confirmed_until) - app.deps.now()]).toEqual([200, expect.closeTo(600_000, -5)])
  expect((await promote(other)).body.code).toBe('password_required')
  app.moveClock(accountLimits.recentLoginMs - 60_000)
  expect((await promote()).status).toBe(200)
  app.moveClock(120_000)
  expect((await call('POST', '/api/api-keys', { name: userId })).body.code).toBe('password_required')
})

it('guesses of the password are limited', async () => {
  const guesses = await Promise.all(
    Array.from({ length: 20 }, () => call('POST', '/api/admin/promote', { userId, currentPassword: 'guess' })),
  )
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(15)
  expect((await call('POST', '/api/admin/promote', { userId })).body.code).toBe('password_required')
  app.moveClock(accountLimits.login.perAccountAndAddress.windowMs)
})

it('an unconfirmed request does not undo a concurrent demotion', async () => {
  await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', userId).execute()
  const users = app.deps.db.selectFrom('users').selectAll()
  const account = await users.where('email', '=', admin.email).executeTakeFirstOrThrow()
  const change = (confirmedAt: number, body: object) =>
    updateUser(app.deps, {
      caller: { kind: 'user' as const, account, by: { sessionId: 'none', confirmedAt } },
      address: '',
      params: { userId },
      body,
    })
  await Promise.allSettled([change(app.deps.now(), { role: 'user' }), change(0, { role: 'admin' })])
  expect(await users.where('id', '=', userId).executeTakeFirstOrThrow()).toMatchObject({ role: 'user' })
})
