// Concurrent changes of accounts: one succeeds, the other fails with a documented error, and none
// with 500.
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { admitAttempt } from '../database-view/pin-throttle.ts'
import { unlockDatabase } from '../database-view/database-unlock.ts'
import { createWebhook } from '../webhooks/webhooks.ts'
import { createApiKey } from './api-keys.ts'
import { resumeSession } from './sessions.ts'

let app: TestApp
let admin: { token: string; id: string }
const adminLogin = { email: 'boss@example.com', password: 'boss-secret' }
beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: adminLogin.email, ADMIN_PASSWORD: adminLogin.password, DB_VIEW_PIN: '4711' })
  const { body } = await app.call('POST', '/api/login', { body: adminLogin })
  admin = { token: body.token, id: body.user.id }
})
afterAll(() => app.stop())

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { token: admin.token, body })
const sorted = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)

it('changing an email address fails when it is registered concurrently', async () => {
  const { db, config } = app.deps
  const [first, second] = [await app.newUser(), await app.newUser()]
  const row = await db.selectFrom('users').selectAll().where('id', '=', second.id).executeTakeFirstOrThrow()
  let changing: ReturnType<typeof asAdmin> | undefined
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('users')
      .values({ ...row, id: 'third', email: 'wanted@example.com' })
      .execute()
    changing = asAdmin('PUT', `/api/users/${first.id}`, {
      email: 'wanted@example.com',
      currentPassword: adminLogin.password,
    })
    // On PostgreSQL until the change waits for this row; SQLite blocks other transactions until the
    // end.
    while (config.DATABASE_URL !== undefined && !(await someoneWaits())) await setTimeout(10)
  })
  expect(await changing).toMatchObject({ status: 409, body: { code: 'registration_failed' } })
  expect((await app.call('GET', '/api/me', { token: first.token })).body.user.email).toBe(first.email)
})

async function someoneWaits(): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.deps.db)
  return rows.length > 0
}

it('of concurrent changes to the same email address one succeeds', async () => {
  const users = await Promise.all(Array.from({ length: 4 }, () => app.newUser()))
  const email = 'popular@example.com'
  const answers = await Promise.all([
    ...users.map(({ id }) => asAdmin('PUT', `/api/users/${id}`, { email, currentPassword: adminLogin.password })),
    app.call('POST', '/api/register', { body: { email: email.toUpperCase(), password: 'secret-1' } }),
    asAdmin('POST', '/api/users', { email, password: 'secret-1' }),
  ])
  const [won, ...refused] = sorted(answers)
  expect([200, 201]).toContain(won)
  expect(refused).toEqual(Array(5).fill(409))
  const owners = await app.deps.db.selectFrom('users').select('id').where('email', '=', email).execute()
  expect(owners).toHaveLength(1)
})

it('of two admins who concurrently delete, demote or deactivate each other, one remains', async () => {
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PUT', { role: 'user' }],
    ['PUT', { status: 'Inactive' }],
  ] as const) {
    const pair = await Promise.all([app.newUser(), app.newUser()])
    const { db } = app.deps
    const ids = pair.map(({ id }) => id)
    await db.updateTable('users').set({ role: 'admin' }).where('id', 'in', ids).execute()
    await db.updateTable('users').set({ role: 'user' }).where('id', '=', admin.id).execute()
    await Promise.all(pair.map(({ token }, n) => app.call(method, `/api/users/${pair[1 - n]?.id}`, { token, body })))
    const left = db.selectFrom('users').select('id').where('role', '=', 'admin').where('status', '=', 'Active')
    expect(await left.execute(), `${method} ${JSON.stringify(body)}`).toHaveLength(1)
    await db.updateTable('users').set({ role: 'user' }).where('id', 'in', ids).execute()
    await db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.id).execute()
  }
})

it('requests of an account that is deleted concurrently fail with 401 and leave nothing', async () => {
  const { deps } = app
  const user = await app.newUser()
  const caller = await resumeSession(deps, user.token, '')
  await asAdmin('DELETE', `/api/users/${user.id}`)
  const gone = { code: 'invalid_token' }
  const request = { caller, address: '', baseUrl: '', siteUrl: '' }
  await expect(createApiKey(deps, { ...request, body: {} })).rejects.toMatchObject(gone)
  await expect(admitAttempt(deps, caller)).rejects.toMatchObject(gone)
  await expect(unlockDatabase(deps, { ...request, body: { pin: '4711' } })).rejects.toMatchObject(gone)
})

it('a session that ends while it unlocks the database browser gets no token', async () => {
  const { deps } = app
  const user = await app.newUser()
  const caller = await resumeSession(deps, user.token, '')
  await app.call('POST', '/api/logout', { token: user.token })
  const unlocking = unlockDatabase(deps, { caller, address: '', baseUrl: '', siteUrl: '', body: { pin: '4711' } })
  await expect(unlocking).rejects.toMatchObject({ code: 'invalid_token' })
})

it('a session that ends while it creates an API key gets none', async () => {
  const { deps } = app
  const user = await app.newUser()
  const caller = await resumeSession(deps, user.token, '')
  await app.call('POST', '/api/logout', { token: user.token })
  await expect(createApiKey(deps, { caller, address: '', body: {} })).rejects.toMatchObject({ code: 'invalid_token' })
})

it('a session that ends while it creates a webhook gets none', async () => {
  const { deps } = app
  const user = await app.newUser()
  const caller = await resumeSession(deps, user.token, '')
  await app.call('POST', '/api/logout', { token: user.token })
  const body = { url: 'https://example.com/', events: ['image.uploaded' as const] }
  await expect(createWebhook(deps, { caller, address: '', body })).rejects.toMatchObject({ code: 'invalid_token' })
})

it('no API key that is created concurrently outlives a new password or a logout everywhere', async () => {
  const password = { currentPassword: 'secret-1', newPassword: 'secret-2' }
  for (const [method, path, body] of [
    ['PUT', '/api/me', password],
    ['POST', '/api/logout-everywhere', {}],
  ] as const) {
    const { token, id } = await app.newUser()
    const create = () => app.call('POST', '/api/api-keys', { token, body: {} })
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, create),
      app.call(method, path, { token, body }),
      ...Array.from({ length: 4 }, create),
    ])
    expect(answers[4]?.status).toBe(200)
    const creations = answers.toSpliced(4, 1).map(({ status }) => status)
    expect(creations.filter((status) => status !== 201 && status !== 401)).toEqual([])
    const left = await app.deps.db.selectFrom('api_keys').select('id').where('user_id', '=', id).execute()
    expect(left, path).toEqual([])
  }
})
