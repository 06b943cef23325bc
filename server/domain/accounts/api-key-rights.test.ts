// What an API key may do: scopes, expiry, its own limits, and what ends it. The scope of every
// endpoint is tested in server/http/request/roles.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

const hourMs = 3_600_000

type User = Awaited<ReturnType<TestApp['newUser']>>

let app: TestApp
let admin: string
let image: Buffer
beforeAll(async () => {
  const adminLogin = { email: 'boss@example.com', password: 'boss-secret' }
  app = await startTestApp({ ADMIN_EMAIL: adminLogin.email, ADMIN_PASSWORD: adminLogin.password, TRUST_PROXY: '1' })
  admin = (await app.call('POST', '/api/login', { body: adminLogin })).body.token
  image = await jpeg(60, 40)
})
afterAll(() => app.stop())

const create = (token: string, body: object) => app.call('POST', '/api/api-keys', { token, body })
const newKey = async (token: string, body: object = {}) => (await create(token, body)).body
const list = (key: string, headers: Record<string, string> = {}) =>
  app.call('GET', '/api/images', { token: key, headers })
const upload = (key: string) => app.upload(image, { token: key })
const listed = async (token: string) => (await app.call('GET', '/api/api-keys', { token })).body
const inAnHour = () => new Date(app.deps.now() + hourMs).toISOString()

describe('a new API key', () => {
  const all = ['upload', 'read', 'manage']
  const unlimited = { scopes: all, expiresAt: null, uploadsPerHour: null, maxBytes: null, uploadedBytes: 0 }
  it.each<[string, object, object]>([
    ['without options has every scope and no limits', {}, unlimited],
    ['that may manage may upload and read', { scopes: ['manage'] }, { scopes: all }],
    ['has its scopes once and in order', { scopes: ['read', 'upload', 'read'] }, { scopes: ['upload', 'read'] }],
    ['can have one scope', { scopes: ['read'] }, { scopes: ['read'] }],
    [
      'can have limits',
      { uploadsPerHour: 60, maxBytes: 5_000_000_000 },
      { uploadsPerHour: 60, maxBytes: 5_000_000_000 },
    ],
    [
      'can expire, in any time zone',
      { expiresAt: '2999-01-31T12:00:00+02:00' },
      { expiresAt: '2999-01-31T10:00:00.000Z' },
    ],
  ])('%s', async (_, options, expected) => {
    const { token } = await app.newUser()
    const { status, body } = await create(token, options)
    expect(status).toBe(201)
    expect(body).toMatchObject(expected)
    expect(await listed(token)).toMatchObject([expected])
  })

  it.each<[object, field: string]>([
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['admin'] }, 'scopes'],
    [{ scopes: 'read' }, 'scopes'],
    [{ scopes: ['read', 'read', 'read', 'read'] }, 'scopes'],
    [{ expiresAt: '2020-01-31T12:00:00Z' }, 'expiresAt: must be in the future'],
    [{ expiresAt: '9999-12-31T23:59:59-12:00' }, 'expiresAt: must be before the year 10000'],
    [{ expiresAt: '2999-01-31' }, 'expiresAt'],
    [{ expiresAt: '2999-02-30T12:00:00Z' }, 'expiresAt'],
    [{ expiresAt: 1 }, 'expiresAt'],
    [{ uploadsPerHour: 0 }, 'uploadsPerHour'],
    [{ uploadsPerHour: 1.5 }, 'uploadsPerHour'],
    [{ uploadsPerHour: 100_001 }, 'uploadsPerHour'],
    [{ maxBytes: -1 }, 'maxBytes'],
    [{ maxBytes: 1e300 }, 'maxBytes'],
    [{ expires_at: null }, 'expires_at'],
  ])('is not created with %o', async (options, field) => {
    const { token } = await app.newUser()
    const { status, body } = await create(token, options)
    expect([status, body.code]).toEqual([400, 'invalid_input'])
    expect(body.error).toContain(field)
    expect(await listed(token)).toEqual([])
  })
})

it('an API key without the scope of a request is refused, and the scope is named', async () => {
  const { token } = await app.newUser()
  const { key } = await newKey(token, { scopes: ['upload'] })
  expect((await upload(key)).status).toBe(201)
  expect(await list(key)).toMatchObject({
    status: 403,
    body: { code: 'api_key_scope', error: "This API key does not have the scope 'read'" },
  })
})

it('an API key works until it expires', async () => {
  const { token } = await app.newUser()
  const { key } = await newKey(token, { expiresAt: inAnHour() })
  app.moveClock(hourMs - 60_000)
  expect((await list(key)).status).toBe(200)
  app.moveClock(60_000)
  expect(await list(key)).toMatchObject({ status: 401, body: { code: 'api_key_expired' } })
  expect((await upload(key)).status).toBe(401)
  expect(await listed(token)).toHaveLength(1)
})

it('the network of the last use is listed, not the address', async () => {
  const { token } = await app.newUser()
  const { key } = await newKey(token)
  const lastUsedFrom = async () => (await listed(token))[0].lastUsedFrom
  expect(await lastUsedFrom()).toBeNull()
  for (const [address, network] of [
    ['203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3::4', '2001:db8:1::/48'],
  ] as const) {
    app.moveClock(61_000)
    expect((await list(key, { 'x-forwarded-for': address })).status).toBe(200)
    expect(await lastUsedFrom()).toBe(network)
  }
})

describe('an API key with a limit', () => {
  it('of uploads an hour refuses more, and its owner may go on', async () => {
    const { token } = await app.newUser()
    const { key } = await newKey(token, { uploadsPerHour: 2 })
    for (const status of [201, 201, 429, 429]) expect((await upload(key)).status).toBe(status)
    expect(Number((await upload(key)).headers.get('retry-after'))).toBeGreaterThan(3000)
    expect((await list(key)).status).toBe(200)
    expect((await app.upload(image, { token })).status).toBe(201)
    expect((await upload((await newKey(token)).key)).status).toBe(201)
    app.moveClock(hourMs)
    expect((await upload(key)).status).toBe(201)
  })

  it('of bytes accepts concurrent uploads up to it, and the others leave nothing', async () => {
    const { token, id } = await app.newUser()
    const { size } = (await app.upload(image, { token })).body
    const { key } = await newKey(token, { maxBytes: 2 * size + 1 })
    const before = (await app.files('originals')).length
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(key)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 413, 413, 413, 413])
    expect(answers.find(({ status }) => status === 413)?.body).toMatchObject({
      code: 'api_key_quota',
      error: `This API key may upload ${formatBytes(2 * size + 1)} in all. Left: 1 byte`,
    })
    expect((await listed(token))[0].uploadedBytes).toBe(2 * size)
    expect(await app.files('originals')).toHaveLength(before + 2)
    expect(await app.files('tmp')).toEqual([])
    const { image_count: images, image_bytes: bytes } = await app.deps.db
      .selectFrom('users')
      .select(['image_count', 'image_bytes'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect([images, bytes]).toEqual([3, 3 * size])
  })

  it('of bytes counts deleted images, and at the limit refuses before the file is read', async () => {
    const { token } = await app.newUser()
    const { size } = (await app.upload(image, { token })).body
    const { key } = await newKey(token, { maxBytes: size })
    const { body } = await upload(key)
    expect((await app.call('DELETE', `/api/images/${body.id}`, { token: key })).status).toBe(200)
    const notAnImage = await app.upload(Buffer.from('text'), { token: key })
    expect([notAnImage.status, notAnImage.body.code]).toEqual([413, 'api_key_quota'])
  })

  it('of bytes returns the stored image to a repetition of the upload that reached it', async () => {
    const { token } = await app.newUser()
    const { size } = (await app.upload(image, { token })).body
    const { key } = await newKey(token, { maxBytes: size })
    const options = { token: key, headers: { 'idempotency-key': 'once' } }
    const { status, body } = await app.upload(image, options)
    expect(status).toBe(201)
    expect(await app.upload(image, options)).toMatchObject({ status: 201, body: { id: body.id } })
    expect((await upload(key)).body.code).toBe('api_key_quota')
  })
})

it('an API key that is deleted during its upload stores nothing', async () => {
  const { token } = await app.newUser()
  const { id, key } = await newKey(token)
  const before = await app.files('originals')
  const { put } = app.deps.blobs
  app.deps.blobs.put = async (...given) => {
    await put.apply(app.deps.blobs, given)
    await app.call('DELETE', `/api/api-keys/${id}`, { token })
  }
  try {
    expect(await upload(key)).toMatchObject({ status: 401, body: { code: 'api_key_unknown' } })
  } finally {
    app.deps.blobs.put = put
  }
  expect(await app.files('originals')).toEqual(before)
  expect((await app.call('GET', '/api/me', { token })).body.user).toMatchObject({ imageCount: 0, imageBytes: 0 })
})

describe('the API keys of an account', () => {
  const password = { currentPassword: 'secret-1', newPassword: 'secret-2' }
  const me = (body: object) => (user: User) => app.call('PUT', '/api/me', { token: user.token, body })
  const everywhere = (body?: object) => (user: User) =>
    app.call('POST', '/api/logout-everywhere', { token: user.token, ...(body && { body }) })
  const byAdmin = (body: object) => (user: User) => app.call('PUT', `/api/users/${user.id}`, { token: admin, body })
  it.each<[string, (user: User) => Promise<{ status: number }>, status: number]>([
    ['end with a new password', me(password), 401],
    ['stay when the new password keeps them', me({ ...password, keepApiKeys: true }), 200],
    ['end when keepApiKeys is false', me({ ...password, keepApiKeys: false }), 401],
    ['stay when only the name changes', me({ name: 'Dana', keepApiKeys: false }), 200],
    ['end with a logout everywhere', everywhere(), 401],
    ['stay when the logout keeps them', everywhere({ keepApiKeys: true }), 200],
    ['stay after a logout', ({ token }) => app.call('POST', '/api/logout', { token }), 200],
    ['end with a password that an admin sets', byAdmin({ password: 'secret-2', currentPassword: 'boss-secret' }), 401],
    [
      'stay when that admin keeps them',
      byAdmin({ password: 'secret-2', currentPassword: 'boss-secret', keepApiKeys: true }),
      200,
    ],
    ['stay with another role', byAdmin({ role: 'admin', currentPassword: 'boss-secret' }), 200],
  ])('%s', async (_, act, status) => {
    const user = await app.newUser()
    const other = await newKey((await app.newUser()).token)
    const { key } = await newKey(user.token)
    expect((await act(user)).status).toBe(200)
    expect((await list(key)).status).toBe(status)
    expect((await list(other.key)).status).toBe(200)
  })
})
