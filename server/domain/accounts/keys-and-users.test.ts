import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/pictures.ts'
import { sweepExpired } from '../images/sweep.ts'

let app: TestApp
let admin: { token: string; id: string }
beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret' })
  const { body } = await app.call('POST', '/api/login', {
    body: { email: 'boss@example.com', password: 'boss-secret' },
  })
  admin = { token: body.token, id: body.user.id }
})
afterAll(() => app.stop())

const newKey = async (token: string, body: object = {}) =>
  (await app.call('POST', '/api/api-keys', { token, body })).body

describe('an API key', () => {
  it('is shown once, whole and under apiKey, then only by its prefix', async () => {
    const { token } = await app.newUser()
    const { status, body } = await app.call('POST', '/api/api-keys', { token, body: { name: ' CI bot ' } })
    expect(status).toBe(201)
    expect(body.key).toMatch(/^ik_[0-9A-Za-z]{49}$/)
    expect(body).toMatchObject({ success: true, name: 'CI bot', prefix: body.key.slice(0, 8), lastUsed: null })
    expect(body.apiKey).toMatchObject({ id: body.id, key: body.key })
    const list = await app.call('GET', '/api/api-keys', { token })
    expect(list.body).toHaveLength(1)
    expect(JSON.stringify(list.body)).not.toContain(body.key)
    const row = await app.deps.db.selectFrom('api_keys').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(body.key)
    expect((await newKey(token)).name).toBe('API key')
  })

  it('uploads and manages the images of its owner, and nothing more', async () => {
    const { token } = await app.newUser()
    const { key } = await newKey(token)
    const uploaded = await app.upload(await jpeg(), { token: key })
    expect(uploaded).toMatchObject({ status: 201, body: { guest: false } })
    expect((await app.call('GET', '/api/images', { token: key })).body).toHaveLength(1)
    expect(
      (await app.call('POST', `/api/images/${uploaded.body.id}/extend-expiration`, { token: key, body: {} })).status,
    ).toBe(200)
    expect((await app.call('DELETE', `/api/images/${uploaded.body.id}`, { token: key })).status).toBe(200)
    const forbidden = [
      ['GET', '/api/me'],
      ['PUT', '/api/me'],
      ['POST', '/api/logout'],
      ['POST', '/api/logout-everywhere'],
      ['GET', '/api/api-keys'],
      ['POST', '/api/api-keys'],
      ['GET', '/api/users'],
    ] as const
    for (const [method, path] of forbidden) {
      expect(await app.call(method, path, { token: key })).toMatchObject({
        status: 403,
        body: { code: 'api_key_not_enough' },
      })
    }
    const list = await app.call('GET', '/api/api-keys', { token })
    expect(list.body[0].lastUsed).toMatch(/^\d{4}-/)
  })

  it('of an admin does not act as admin', async () => {
    const { key } = await newKey(admin.token)
    const image = await app.guestImage(await jpeg())
    expect((await app.call('DELETE', `/api/images/${image.id}`, { token: key })).status).toBe(401)
  })

  it('stops with its deletion, and with its inactive owner; others cannot delete it', async () => {
    const owner = await app.newUser()
    const other = await app.newUser()
    const { id, key } = await newKey(owner.token)
    expect(await app.call('DELETE', `/api/api-keys/${id}`, { token: other.token })).toMatchObject({
      status: 404,
      body: { code: 'api_key_not_found' },
    })
    await app.call('PUT', `/api/users/${owner.id}`, { token: admin.token, body: { status: 'Inactive' } })
    expect((await app.call('GET', '/api/images', { token: key })).status).toBe(403)
    await app.call('PUT', `/api/users/${owner.id}`, { token: admin.token, body: { status: 'Active' } })
    expect((await app.call('GET', '/api/images', { token: key })).status).toBe(200)
    const { body } = await app.call('POST', '/api/login', { body: { email: owner.email, password: 'secret-1' } })
    expect((await app.call('DELETE', `/api/api-keys/${id}`, { token: body.token })).status).toBe(200)
    expect((await app.call('GET', '/api/images', { token: key })).status).toBe(401)
  })

  it('is one of at most 20, also when they are made at once', async () => {
    const { token } = await app.newUser()
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => app.call('POST', '/api/api-keys', { token, body: {} })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('too_many_api_keys')
  })

  it.each(['ik_', `ik_${'0'.repeat(49)}`, `ik_${'z'.repeat(49)}`])('%s is refused', async (key) => {
    expect((await app.call('GET', '/api/images', { token: key })).status).toBe(401)
  })
})

describe('updateMe', () => {
  it('changes names', async () => {
    const { token } = await app.newUser()
    const { body } = await app.call('PUT', '/api/me', {
      token,
      body: { name: 'Dana', firstName: 'Dana', lastName: 'Doe' },
    })
    expect(body.user).toMatchObject({ name: 'Dana', firstName: 'Dana', lastName: 'Doe' })
    expect((await app.call('GET', '/api/me', { token })).body.user).toEqual(body.user)
    expect((await app.call('PUT', '/api/me', { token, body: { role: 'admin' } })).status).toBe(400)
  })

  it('changes the password for who knows the current one, and ends every session', async () => {
    const { token, email } = await app.newUser()
    const wrong = await app.call('PUT', '/api/me', {
      token,
      body: { currentPassword: 'nope', newPassword: 'secret-2' },
    })
    expect(wrong).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    const { status, body } = await app.call('PUT', '/api/me', {
      token,
      body: { currentPassword: 'secret-1', newPassword: 'secret-2' },
    })
    expect(status).toBe(200)
    expect((await app.call('GET', '/api/me', { token })).status).toBe(401)
    expect((await app.call('GET', '/api/me', { token: body.token })).status).toBe(200)
    expect((await app.call('POST', '/api/login', { body: { email, password: 'secret-2' } })).status).toBe(200)
  })

  it('logs out everywhere', async () => {
    const { token, email } = await app.newUser()
    const { body } = await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })
    await app.call('POST', '/api/logout-everywhere', { token })
    for (const ended of [token, body.token])
      expect((await app.call('GET', '/api/me', { token: ended })).status).toBe(401)
  })
})

describe('users', () => {
  const asAdmin = (method: string, path: string, body?: unknown) =>
    app.call(method, path, { token: admin.token, ...(body === undefined ? {} : { body }) })

  it('are created as the documentation shows, listed, searched and paged', async () => {
    const given = {
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'Ada@Example.com',
      password: 'secret-1',
      role: 'user',
      status: 'Inactive',
    }
    const { status, body } = await asAdmin('POST', '/api/users', given)
    expect(status).toBe(201)
    expect(body.user).toMatchObject({
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'Byron',
      status: 'Inactive',
    })
    expect(JSON.stringify(body)).not.toMatch(/hash|secret-1/)
    expect((await asAdmin('GET', '/api/users?q=ADA%40exa')).body).toHaveLength(1)
    expect((await asAdmin('GET', '/api/users?q=%25')).body).toHaveLength(0)
    expect((await asAdmin('GET', '/api/users?status=Inactive')).body.length).toBeGreaterThanOrEqual(1)
    const first = await asAdmin('GET', '/api/users?limit=1')
    expect(first.headers.get('link')).toContain('rel="next"')
    expect(Number(first.headers.get('x-total-count'))).toBeGreaterThan(1)
    expect((await asAdmin('POST', '/api/users', given)).status).toBe(409)
  })

  it('answer under /users as well, as in the examples of the documentation', async () => {
    expect((await asAdmin('GET', '/users')).body).toEqual((await asAdmin('GET', '/api/users')).body)
    expect((await asAdmin('GET', '/users/stats')).body.totalUsers).toBeGreaterThan(0)
    expect((await app.call('GET', '/users')).status).toBe(401)
  })

  it('have figures', async () => {
    const { body } = await asAdmin('GET', '/api/users/stats')
    expect(body.totalUsers).toBe(body.activeUsers + body.inactiveUsers)
    expect(body.admins).toBeGreaterThanOrEqual(1)
  })

  it('are promoted, which ends their sessions', async () => {
    const user = await app.newUser()
    const { body } = await asAdmin('POST', '/api/admin/promote', { userId: user.id })
    expect(body).toMatchObject({ success: true, message: `${user.email} is an admin now` })
    expect((await app.call('GET', '/api/me', { token: user.token })).status).toBe(401)
    expect((await asAdmin('POST', '/api/admin/promote', { userId: 'none' })).status).toBe(404)
    expect((await asAdmin('PUT', `/api/users/${user.id}`, { role: 'user' })).body.user.role).toBe('user')
  })

  it('never lose their last admin, and no admin changes their own role', async () => {
    expect(await asAdmin('PUT', `/api/users/${admin.id}`, { role: 'user' })).toMatchObject({
      status: 403,
      body: { code: 'own_account' },
    })
    expect(await asAdmin('DELETE', `/api/users/${admin.id}`)).toMatchObject({
      status: 403,
      body: { code: 'own_account' },
    })
    // Two admins who demote each other at the same time: one stays.
    const second = await app.newUser()
    await asAdmin('POST', '/api/admin/promote', { userId: second.id })
    const { body } = await app.call('POST', '/api/login', { body: { email: second.email, password: 'secret-1' } })
    const results = await Promise.all([
      asAdmin('PUT', `/api/users/${second.id}`, { role: 'user' }),
      app.call('PUT', `/api/users/${admin.id}`, { token: body.token, body: { role: 'user' } }),
    ])
    expect(results.filter(({ status }) => status === 200)).toHaveLength(1)
    await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.id).execute()
    const again = await app.call('POST', '/api/login', { body: { email: 'boss@example.com', password: 'boss-secret' } })
    admin = { ...admin, token: again.body.token }
  })

  it('leave with their images', async () => {
    const user = await app.newUser()
    const { body: image } = await app.upload(await jpeg(), { token: user.token })
    expect((await asAdmin('DELETE', `/api/users/${user.id}`)).status).toBe(200)
    expect((await app.request(image.url)).status).toBe(410)
    await sweepExpired(app.deps)
    expect(await app.files('originals')).not.toContain(image.id)
    expect((await app.call('GET', '/api/me', { token: user.token })).status).toBe(401)
  })

  it.each([
    ['GET', '/api/users'],
    ['POST', '/api/users'],
    ['GET', '/api/users/stats'],
    ['PUT', '/api/users/x'],
    ['DELETE', '/api/users/x'],
    ['POST', '/api/admin/promote'],
  ])('%s %s is for admins', async (method, path) => {
    const user = await app.newUser()
    expect((await app.call(method, path)).status).toBe(401)
    expect(await app.call(method, path, { token: user.token })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
  })
})

describe('a login', () => {
  it('is slowed after five failures, for that address alone', async () => {
    const slowed = await startTestApp({ TRUST_PROXY: '1' })
    try {
      const { email } = await slowed.newUser()
      const attempt = (password: string, address = '198.51.100.1') =>
        slowed.call('POST', '/api/login', { body: { email, password }, headers: { 'x-forwarded-for': address } })
      for (let n = 0; n < 5; n++) expect((await attempt('wrong')).status).toBe(401)
      expect((await attempt('wrong')).status).toBe(401)
      expect((await attempt('secret-1')).status).toBe(429)
      expect((await attempt('secret-1', '198.51.100.2')).status).toBe(200)
      slowed.moveClock(15 * 60_000)
      expect((await attempt('secret-1')).status).toBe(200)
    } finally {
      await slowed.stop()
    }
  })

  it('meets the same lock with forged forwarding headers', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 30; n++) {
      const headers = { 'x-forwarded-for': `198.51.100.${n}`, forwarded: `for=198.51.100.${n}` }
      statuses.push(
        (await app.call('POST', '/api/login', { body: { email: `u${n}@example.com`, password: 'x' }, headers })).status,
      )
    }
    expect(statuses.slice(0, 20).every((status) => status === 401)).toBe(true)
    expect(statuses.slice(20).every((status) => status === 429)).toBe(true)
  })
})
