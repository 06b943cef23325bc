import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { startSession, sweepSessions } from './sessions.ts'

let app: TestApp
let admin: { token: string }
const adminLogin = { email: 'boss@example.com', password: 'boss-secret' }
beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: adminLogin.email, ADMIN_PASSWORD: adminLogin.password })
  admin = (await app.call('POST', '/api/login', { body: adminLogin })).body
})
afterAll(() => app.stop())

const me = (token: string) => app.call('GET', '/api/me', { token })
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as JWTPayload & { iat: number }

describe('a token', () => {
  interface Forgery {
    claims?: (own: JWTPayload & { iat: number }) => JWTPayload
    header?: { alg: string; typ?: string }
    key?: () => Uint8Array
  }
  const ownKey = () => app.deps.jwtSecret
  const without = (claim: string) => (own: JWTPayload) =>
    Object.fromEntries(Object.entries(own).filter(([name]) => name !== claim))

  const forge = (own: JWTPayload & { iat: number }, forgery: Forgery) =>
    new SignJWT(forgery.claims?.(own) ?? own)
      .setProtectedHeader(forgery.header ?? { alg: 'HS256', typ: 'JWT' })
      .sign((forgery.key ?? ownKey)())

  it.each<[string, Forgery, number]>([
    ['as it is made', {}, 200],
    [
      'made by another server whose clock is half a minute ahead',
      { claims: (own) => ({ ...own, iat: own.iat + 30 }) },
      200,
    ],
    ['signed with another key', { key: () => new Uint8Array(32) }, 401],
    [
      'signed with HS512',
      { header: { alg: 'HS512', typ: 'JWT' }, key: () => Buffer.concat([ownKey(), ownKey()]) },
      401,
    ],
    [
      'signed with HS384',
      { header: { alg: 'HS384', typ: 'JWT' }, key: () => Buffer.concat([ownKey(), ownKey()]) },
      401,
    ],
    ['signed with our key by HS512', { header: { alg: 'HS512', typ: 'JWT' } }, 401],
    ['of another type', { header: { alg: 'HS256', typ: 'at+jwt' } }, 401],
    ['of no type', { header: { alg: 'HS256' } }, 401],
    ['made in the future', { claims: (own) => ({ ...own, iat: own.iat + 3600 }) }, 401],
    [
      'made in 400 days',
      { claims: (own) => ({ ...own, iat: own.iat + 400 * 86_400, exp: own.iat + 430 * 86_400 }) },
      401,
    ],
    ['not good yet', { claims: (own) => ({ ...own, nbf: own.iat + 3600 }) }, 401],
    ['that has expired', { claims: (own) => ({ ...own, exp: own.iat - 1 }) }, 401],
    ['of another issuer', { claims: (own) => ({ ...own, iss: 'someone' }) }, 401],
    ['for another audience', { claims: (own) => ({ ...own, aud: 'backup-download' }) }, 401],
    ['of another session', { claims: (own) => ({ ...own, jti: 'no-such-session' }) }, 401],
    ['of another user', { claims: (own) => ({ ...own, sub: 'no-such-user' }) }, 401],
    ['with a session that is no text', { claims: (own) => ({ ...own, jti: ['x'] as unknown as string }) }, 401],
    ...['iss', 'aud', 'sub', 'jti', 'exp', 'iat'].map((claim): [string, Forgery, number] => [
      `without ${claim}`,
      { claims: without(claim) },
      401,
    ]),
  ])('%s', async (_, forgery, status) => {
    const { token } = await app.newUser()
    expect((await me(await forge(claimsOf(token), forgery))).status).toBe(status)
    expect((await me(token)).status).toBe(200)
  })

  it('without a signature is refused', async () => {
    const { token } = await app.newUser()
    const [head, payload] = token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    for (const wrong of [
      new UnsecuredJWT(claimsOf(token)).encode(),
      `${none}.${payload}.`,
      `${none}.${payload}.${token.split('.')[2]}`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
    ])
      expect((await me(wrong)).status).toBe(401)
  })

  it('does not contain the role, which is read from the database', async () => {
    const { token, id } = await app.newUser()
    const boastful = await forge(claimsOf(token), { claims: (own) => ({ ...own, role: 'admin' }) })
    expect((await app.call('GET', '/api/users', { token: boastful })).status).toBe(403)
    await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute()
    expect((await app.call('GET', '/api/users', { token })).status).toBe(200)
    await app.deps.db.updateTable('users').set({ role: 'user' }).where('id', '=', id).execute()
    expect((await app.call('GET', '/api/users', { token })).status).toBe(403)
  })
})

describe('a session ends with', () => {
  type User = Awaited<ReturnType<TestApp['newUser']>>
  const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { token: admin.token, body })
  it.each<[string, (user: User) => Promise<{ status: number }>]>([
    ['its logout', ({ token }) => app.call('POST', '/api/logout', { token })],
    ['a logout everywhere', ({ token }) => app.call('POST', '/api/logout-everywhere', { token })],
    [
      'a new password',
      ({ token }) =>
        app.call('PUT', '/api/me', { token, body: { currentPassword: 'secret-1', newPassword: 'secret-2' } }),
    ],
    [
      'a password that an admin sets',
      ({ id }) => asAdmin('PUT', `/api/users/${id}`, { password: 'secret-2', currentPassword: adminLogin.password }),
    ],
    ['a promotion', ({ id }) => asAdmin('POST', '/api/admin/promote', { userId: id })],
    ['another role', ({ id }) => asAdmin('PUT', `/api/users/${id}`, { role: 'admin' })],
    ['another status', ({ id }) => asAdmin('PUT', `/api/users/${id}`, { status: 'Inactive' })],
    ['the deletion of its account', ({ id }) => asAdmin('DELETE', `/api/users/${id}`)],
  ])('%s', async (_, end) => {
    const user = await app.newUser()
    expect((await end(user)).status).toBe(200)
    expect(await me(user.token)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    const left = app.deps.db
      .selectFrom('sessions')
      .select('id')
      .where('id', '=', String(claimsOf(user.token).jti))
    expect(await left.execute()).toEqual([])
  })

  it('30 days, whatever the expiry in its token, and its row is swept', async () => {
    const user = await app.newUser()
    const { jti } = claimsOf(user.token)
    const session = app.deps.db.updateTable('sessions').where('id', '=', String(jti))
    await session.set({ created_at: app.deps.now() - limits.session.maxAgeMs - 1 }).execute()
    expect((await me(user.token)).status).toBe(401)
    const idle = await app.newUser()
    await app.deps.db
      .updateTable('sessions')
      .set({ last_seen_at: app.deps.now() - 7 * dayMs - 1 })
      .where('id', '=', String(claimsOf(idle.token).jti))
      .execute()
    await sweepSessions(app.deps, app.deps.now())
    const rows = await app.deps.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', 'in', [user.id, idle.id])
      .execute()
    expect(rows).toEqual([])
  })

  it('the fiftieth login after it, unless it was used since', async () => {
    const user = await app.newUser()
    const login = async () =>
      (await app.call('POST', '/api/login', { body: { email: user.email, password: 'secret-1' } })).body.token as string
    const unused = await login()
    app.moveClock(2 * 60_000)
    expect((await me(user.token)).status).toBe(200)
    for (let n = 2; n < limits.session.maxPerUser; n++) await login()
    const rows = () => app.deps.db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()
    expect((await rows()).map(({ id }) => id)).toContain(claimsOf(unused).jti)
    const newest = await login()
    expect([(await me(unused)).status, (await me(user.token)).status, (await me(newest)).status]).toEqual([
      401, 200, 200,
    ])
    expect(await rows()).toHaveLength(limits.session.maxPerUser)
  })

  it('a password change: a concurrent login with the old password gets no session', async () => {
    const { deps } = app
    const user = await app.newUser()
    const find = () => deps.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
    const checked = await find()
    expect(await startSession(deps, checked, { address: '' })).toEqual(expect.any(String))
    await asAdmin('PUT', `/api/users/${user.id}`, { password: 'secret-2', currentPassword: adminLogin.password })
    expect(await startSession(deps, checked, { address: '' })).toBeNull()
    const changed = await find()
    await asAdmin('PUT', `/api/users/${user.id}`, { status: 'Inactive' })
    expect(await startSession(deps, changed, { address: '' })).toBeNull()
    await asAdmin('DELETE', `/api/users/${user.id}`)
    expect(await startSession(deps, changed, { address: '' })).toBeNull()
  })
})
