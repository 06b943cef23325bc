import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { countForOwner } from '../images/owner-counts.ts'
import { sweepExpired } from '../images/deletion/sweep.ts'
import { updateMe } from './own-account.ts'
import { promote } from './operator-accounts.ts'
import { resumeSession } from './sessions.ts'

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
  it('is returned once, in full and under apiKey, and later only by its prefix', async () => {
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
    expect((await app.call('DELETE', `/api/images/${image.id}`, { token: key })).status).toBe(403)
  })

  it('stops working when it is deleted or its owner is inactive; other users cannot delete it', async () => {
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

  it('is limited to 20 per user, also when they are created concurrently', async () => {
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

  it('changes the password when the current one is right, and ends every session', async () => {
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

  it('preserves what was written since the request started', async () => {
    const { token, id } = await app.newUser()
    const { deps } = app
    const caller = await resumeSession(deps, token, '')
    await deps.db
      .updateTable('users')
      .set({ name: 'Meanwhile', password_hash: 'new', mail_digest: 0 })
      .where('id', '=', id)
      .execute()
    const { user } = await updateMe(deps, { caller, address: '', body: { firstName: 'Dana' } })
    expect(user).toMatchObject({ name: 'Meanwhile', firstName: 'Dana', mailDigest: false })
    const change = { currentPassword: 'secret-1', newPassword: 'secret-2' }
    expect((await updateMe(deps, { caller, address: '', body: change })).user).toEqual(user)
    expect((await updateMe(deps, { caller, address: '', body: {} })).user).toEqual(user)
  })

  it('limits attempts with a wrong password, not with the right one', async () => {
    const { token, email } = await app.newUser()
    let latest = token
    const change = (currentPassword: string) =>
      app.call('PUT', '/api/me', { token: latest, body: { currentPassword, newPassword: 'secret-1' } })
    for (let n = 0; n < 7; n++) {
      const { status, body } = await change('secret-1')
      expect(status).toBe(200)
      latest = body.token
    }
    const wrong = await Promise.all(Array.from({ length: 20 }, () => change('nope')))
    expect(wrong.filter(({ status }) => status === 403)).toHaveLength(5)
    expect(wrong.filter(({ status }) => status === 429)).toHaveLength(15)
    expect((await change('secret-1')).status).toBe(429)
    expect((await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).status).toBe(200)
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
      email: 'Ada.Byron@Example.com',
      password: 'secret-1',
      role: 'user',
      status: 'Inactive',
    }
    const { status, body } = await asAdmin('POST', '/api/users', given)
    expect(status).toBe(201)
    expect(body.user).toMatchObject({
      email: 'ada.byron@example.com',
      name: 'Ada Byron',
      firstName: 'Ada',
      lastName: 'Byron',
      status: 'Inactive',
    })
    expect(JSON.stringify(body)).not.toMatch(/hash|secret-1/)
    expect((await asAdmin('GET', '/api/users?q=ADA.BYRON%40exa')).body).toHaveLength(1)
    expect((await asAdmin('GET', '/api/users?q=%25')).body).toHaveLength(0)
    expect((await asAdmin('GET', '/api/users?status=Inactive')).body.length).toBeGreaterThanOrEqual(1)
    const first = await asAdmin('GET', '/api/users?limit=1')
    expect(first.headers.get('link')).toContain('rel="next"')
    expect(Number(first.headers.get('x-total-count'))).toBeGreaterThan(1)
    expect((await asAdmin('POST', '/api/users', given)).status).toBe(409)
  })

  it.each([
    ['first and last name', { firstName: 'Ada', lastName: 'Lovelace' }, 'Ada Lovelace'],
    ['a last name alone', { lastName: 'Lovelace' }, 'Lovelace'],
    ['two names that are too long together', { firstName: 'a'.repeat(60), lastName: 'b'.repeat(60) }, 'b'.repeat(60)],
    ['a name of its own', { name: 'Countess', firstName: 'Ada', lastName: 'Lovelace' }, 'Countess'],
    ['blank names', { firstName: ' ', lastName: '' }, 'nameless'],
    ['nothing', {}, 'nameless'],
  ])('created with %s have the expected name', async (_, given, name) => {
    const email = `nameless@${crypto.randomUUID()}.example`
    const { body } = await asAdmin('POST', '/api/users', { email, password: 'secret-1', ...given })
    expect(body.user).toMatchObject({ name })
  })

  it('are searched case-insensitively in any alphabet', async () => {
    const { id } = await app.newUser()
    await asAdmin('PUT', `/api/users/${id}`, { name: 'Ärger Жук' })
    for (const q of ['ÄRGER', 'ärger', 'жУК'])
      expect((await asAdmin('GET', `/api/users?q=${encodeURIComponent(q)}`)).body).toMatchObject([{ id }])
  })

  it("respond under /users as well, as in the documentation's examples", async () => {
    expect((await asAdmin('GET', '/users')).body).toEqual((await asAdmin('GET', '/api/users')).body)
    expect((await asAdmin('GET', '/users/stats')).body.totalUsers).toBeGreaterThan(0)
    expect((await app.call('GET', '/users')).status).toBe(401)
  })

  it('have statistics', async () => {
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

  it('are promoted by the operator, which ends their sessions, once', async () => {
    const user = await app.newUser()
    expect((await promote(app.deps, user.email)).role).toBe('admin')
    expect((await app.call('GET', '/api/me', { token: user.token })).status).toBe(401)
    const { body } = await app.call('POST', '/api/login', { body: { email: user.email, password: 'secret-1' } })
    await promote(app.deps, user.email)
    expect((await app.call('GET', '/api/me', { token: body.token })).body.user.role).toBe('admin')
    await asAdmin('DELETE', `/api/users/${user.id}`)
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
    // Nor their own password without the current one, which PUT /api/me requires.
    expect(await asAdmin('PUT', `/api/users/${admin.id}`, { password: 'secret-2' })).toMatchObject({
      status: 403,
      body: { code: 'own_account' },
    })
    expect((await asAdmin('PUT', `/api/users/${admin.id}`, { name: 'Boss' })).status).toBe(200)
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

  it("get a new email or password only with the admin's own password", async () => {
    const user = await app.newUser()
    const currentPassword = 'boss-secret'
    const email = `new-${user.email}`
    const refused = { status: 403, body: { code: 'wrong_password' } }
    for (const [id, change] of [
      [user.id, { email }],
      [user.id, { password: 'secret-2' }],
      [user.id, { password: 'secret-2', currentPassword: 'secret-1' }],
      [admin.id, { email: 'chief@example.com' }],
    ] as const)
      expect(await asAdmin('PUT', `/api/users/${id}`, change)).toMatchObject(refused)
    expect((await app.call('GET', '/api/me', { token: user.token })).body.user.email).toBe(user.email)
    // An unchanged email is no change.
    expect((await asAdmin('PUT', `/api/users/${user.id}`, { email: user.email.toUpperCase() })).status).toBe(200)
    expect((await asAdmin('PUT', `/api/users/${user.id}`, { email, currentPassword })).body.user.email).toBe(email)
    expect((await asAdmin('PUT', `/api/users/${user.id}`, { password: 'secret-2', currentPassword })).status).toBe(200)
    expect((await app.call('POST', '/api/login', { body: { email, password: 'secret-2' } })).status).toBe(200)
  })

  it('preserve their image counts while they are changed', async () => {
    const user = await app.newUser()
    const count = (bytes: number) =>
      app.deps.db.transaction().execute((transaction) => countForOwner(transaction, user.id, { images: 1, bytes }))
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => [
        asAdmin('PUT', `/api/users/${user.id}`, { name: `Name ${n}` }),
        count(10),
        count(20),
      ]).flat(),
    )
    const { body } = await asAdmin('PUT', `/api/users/${user.id}`, {})
    expect(body.user).toMatchObject({ imageCount: 40, imageBytes: 600 })
  })

  it('can be deleted while their upload is being written', async () => {
    const user = await app.newUser()
    const { body: image } = await app.upload(await jpeg(), { token: user.token })
    const { db } = app.deps
    const row = await db.selectFrom('images').selectAll().where('id', '=', image.id).executeTakeFirstOrThrow()
    const late = { ...row, id: `${row.id}-late`, file_name: `late-${row.file_name}` }
    let deletion: Promise<{ status: number }> | undefined
    await db.transaction().execute(async (transaction) => {
      await transaction.insertInto('images').values(late).execute()
      deletion = asAdmin('DELETE', `/api/users/${user.id}`)
      // As long as the deletion would take if nothing held it up.
      await setTimeout(300)
      await countForOwner(transaction, user.id, { images: 1, bytes: late.bytes })
    })
    expect((await deletion)?.status).toBe(200)
    expect(await db.selectFrom('images').select('owner_id').where('id', '=', late.id).execute()).toEqual([
      { owner_id: null },
    ])
  })

  it('are deleted with their images', async () => {
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

  it('is refused without hashing when too many arrive concurrently', async () => {
    const busy = await startTestApp({ TRUST_PROXY: '1' })
    try {
      const attempts = (address: string, emailOf: (n: number) => string) =>
        Promise.all(
          Array.from({ length: 60 }, (_, n) =>
            busy.call('POST', '/api/login', {
              body: { email: emailOf(n), password: 'wrong' },
              headers: { 'x-forwarded-for': address },
            }),
          ),
        )
      const looked = async (answers: ReturnType<typeof attempts>) =>
        (await answers).filter(({ status }) => status !== 429).map(({ status }) => status)
      expect(await looked(attempts('198.51.100.1', (n) => `u${n}@example.com`))).toEqual(Array(20).fill(401))
      // Five, and of those that are slowed the first; on a slow machine a second passes in between.
      const ofOne = await looked(attempts('198.51.100.2', () => 'one@example.com'))
      expect(ofOne.length).toBeGreaterThanOrEqual(5)
      expect(ofOne.length).toBeLessThanOrEqual(8)
    } finally {
      await busy.stop()
    }
  })

  it('that succeeds does not count towards the limits', async () => {
    const { email } = await app.newUser()
    for (let n = 0; n < 25; n++)
      expect((await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).status).toBe(200)
  })

  it('is limited by the same counters with forged forwarding headers', async () => {
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
