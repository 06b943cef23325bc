import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayMs } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const register = (body: unknown) => app.call('POST', '/api/register', { body })
const login = (body: unknown) => app.call('POST', '/api/login', { body })
const me = (token?: string) => app.call('GET', '/api/me', { token })

describe('register', () => {
  it('creates an account, its name from the email, and returns a token', async () => {
    const { status, body } = await register({ email: 'Dana@Example.com', password: 'secret-1' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      success: true,
      user: { email: 'dana@example.com', name: 'dana', role: 'user', status: 'Active' },
    })
    expect(JSON.stringify(body)).not.toMatch(/hash|argon/)
    expect(await me(body.token)).toMatchObject({ status: 200, body: { user: { email: 'dana@example.com' } } })
  })

  it('refuses a taken address, whatever its case', async () => {
    await register({ email: 'twice@example.com', password: 'secret-1' })
    const again = await register({ email: 'TWICE@example.com', password: 'secret-1' })
    expect(again).toMatchObject({ status: 409, body: { code: 'registration_failed' } })
    expect(again.body.error).toContain('Registration failed')
  })

  it('creates one account of concurrent registrations with the same address', async () => {
    const both = await Promise.all([1, 2].map(() => register({ email: 'race@example.com', password: 'secret-1' })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  })

  it.each([
    [{ email: 'a@example.com', password: '12345' }, 'password: Password must be at least 6 characters long'],
    [{ email: 'a@example.com', password: 'x'.repeat(201) }, 'password: '],
    [{ email: 'not an email', password: 'secret-1' }, 'email: '],
    [{ email: 'a@example.com' }, 'password: '],
    [{ password: 'secret-1' }, 'email: '],
    [{ email: 'a@example.com', password: 'secret-1', role: 'admin' }, 'role: is not a field of this request'],
    [{ email: ['a@example.com'], password: 'secret-1' }, 'email: '],
    [{ email: 'a@example.com', password: 'secret-1', name: ' ' }, 'name: '],
    [[], 'body: '],
    ['"text"', 'body: '],
    ['null', 'body: '],
  ])('refuses %j', async (body, text) => {
    const answer = await register(body)
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_input'])
    expect(answer.body.error).toContain(text)
  })

  const ofThirty = 'makes 30 accounts an hour for one address, those that fail counted, and admins are not held up'
  it(ofThirty, { timeout: 60_000 }, async () => {
    const limited = await startTestApp({
      RATE_LIMIT: '1000',
      TRUST_PROXY: '1',
      ADMIN_EMAIL: 'boss@example.com',
      ADMIN_PASSWORD: 'boss-secret',
    })
    try {
      const from = (address: string, n: number, path = '/api/register', token?: string) =>
        limited.call('POST', path, {
          token,
          body: { email: `user-${n}@example.com`, password: 'secret-1' },
          headers: { 'x-forwarded-for': address },
        })
      const statuses: number[] = []
      for (let n = 0; n < 32; n++) statuses.push((await from('198.51.100.1', n < 2 ? 0 : n)).status)
      expect(statuses).toEqual([201, 409, ...Array(28).fill(201), 429, 429])
      expect((await from('198.51.100.2', 100)).status).toBe(201)
      const admin = { email: 'boss@example.com', password: 'boss-secret' }
      const { body } = await limited.call('POST', '/api/login', { body: admin })
      for (const path of ['/api/users', '/users']) {
        expect((await from('198.51.100.1', path.length + 200, path, body.token)).status).toBe(201)
        expect((await from('198.51.100.1', 300, path)).status).toBe(401)
      }
      limited.moveClock(60 * 60_000)
      expect((await from('198.51.100.1', 400)).status).toBe(201)
    } finally {
      await limited.stop()
    }
  })

  it('enforces PASSWORD_MIN', async () => {
    const strict = await startTestApp({ PASSWORD_MIN: '10' })
    try {
      const answer = await strict.call('POST', '/api/register', {
        body: { email: 'a@example.com', password: 'ninechars' },
      })
      expect(answer).toMatchObject({
        status: 400,
        body: { error: 'password: Password must be at least 10 characters long' },
      })
    } finally {
      await strict.stop()
    }
  })
})

describe('login', () => {
  it('responds the same for a wrong password and an unknown address', async () => {
    await register({ email: 'known@example.com', password: 'secret-1' })
    const wrong = await login({ email: 'known@example.com', password: 'Secret-1' })
    const unknown = await login({ email: 'unknown@example.com', password: 'secret-1' })
    expect(wrong).toMatchObject({
      status: 401,
      body: { error: 'Invalid email or password', code: 'wrong_credentials' },
    })
    expect(unknown.body).toEqual(wrong.body)
    expect(await login({ email: 'KNOWN@example.com', password: 'secret-1' })).toMatchObject({
      status: 200,
      body: { success: true },
    })
  })

  it('refuses an inactive account, and its tokens', async () => {
    const user = await app.newUser('sleeping@example.com')
    await app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', user.id).execute()
    expect(await login({ email: user.email, password: 'secret-1' })).toMatchObject({
      status: 403,
      body: { code: 'inactive_account' },
    })
    expect(await me(user.token)).toMatchObject({ status: 403 })
  })
})

describe('a token', () => {
  const forge = async (given: { secret?: Uint8Array; sub: string; jti: string }) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer('image-host')
      .setAudience('image-host')
      .setSubject(given.sub)
      .setJti(given.jti)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(given.secret ?? app.deps.jwtSecret)

  it('ends with the logout', async () => {
    const { token } = await app.newUser()
    expect(await app.call('POST', '/api/logout', { token })).toMatchObject({ status: 200, body: { success: true } })
    expect(await me(token)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    expect(await app.call('POST', '/api/logout')).toMatchObject({
      status: 401,
      body: { error: 'Authentication required' },
    })
  })

  it('is refused when forged, unsigned, of another user, or of no session', async () => {
    const { token, id } = await app.newUser()
    const other = await app.newUser()
    const jti = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti
    const [, payload] = token.split('.')
    const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`
    const forged = [
      'nonsense',
      none,
      token.replace(/..$/, (end) => (end.startsWith('x') ? 'yy' : 'xx')),
      await forge({ sub: id, jti, secret: new Uint8Array(32) }),
      await forge({ sub: other.id, jti }),
      await forge({ sub: id, jti: 'no-such-session' }),
    ]
    for (const wrong of forged) expect((await me(wrong)).status).toBe(401)
    expect((await me(token)).status).toBe(200)
  })

  it('that has ended does not prevent a login', async () => {
    const { token, email } = await app.newUser()
    await app.call('POST', '/api/logout', { token })
    expect((await app.call('POST', '/api/login', { token, body: { email, password: 'secret-1' } })).status).toBe(200)
  })

  it('is not taken from the query or another scheme', async () => {
    const { token } = await app.newUser()
    expect((await app.call('GET', `/api/me?token=${token}`)).status).toBe(401)
    expect((await app.call('GET', '/api/me', { headers: { authorization: `Basic ${token}` } })).status).toBe(401)
  })

  it('never reaches the log, nor does a password', async () => {
    const { token, email } = await app.newUser()
    await login({ email, password: 'secret-1' })
    await me(token)
    const lines = JSON.stringify(app.logged)
    expect(lines).toContain('/api/me')
    expect(lines).not.toContain(token)
    expect(lines).not.toContain('secret-1')
  })

  it('expires after 7 idle days and after 30 days in total', async () => {
    const idle = await app.newUser()
    const busy = await app.newUser()
    for (let day = 0; day < 28; day += 4) {
      app.moveClock(4 * dayMs)
      expect((await me(busy.token)).status).toBe(200)
    }
    expect((await me(idle.token)).status).toBe(401)
    app.moveClock(3 * dayMs)
    expect((await me(busy.token)).status).toBe(401)
  })
})

describe('the first admin', () => {
  it('is created from the settings once, and never by default', async () => {
    const admins = await app.deps.db.selectFrom('users').select('id').where('role', '=', 'admin').execute()
    expect(admins).toEqual([])
    const owned = await startTestApp({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret' })
    try {
      const { body } = await owned.call('POST', '/api/login', {
        body: { email: 'boss@example.com', password: 'boss-secret' },
      })
      expect(body.user.role).toBe('admin')
    } finally {
      await owned.stop()
    }
  })
})
