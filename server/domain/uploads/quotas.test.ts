// Quotas: exact in the transaction that stores the row, and refused before the first byte.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../config.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { startS3Server } from '../../testing/s3-server.ts'
import { jpeg } from '../../testing/test-images.ts'
import { imageTotals } from '../images/image-totals.ts'

const admin = { ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret' }
/** For most tests: each changes its settings. */
let shared: TestApp
let app: TestApp
let defaults: Config
let bytes: Buffer
/** Of the stored original. */
let size: number
beforeAll(async () => {
  bytes = await jpeg(300, 200)
  app = shared = await startTestApp(admin)
  defaults = { ...app.deps.config }
  size = (await app.guestImage(bytes)).size
})
beforeEach(deleteImages)
afterEach(() => {
  vi.restoreAllMocks()
  app = shared
})
afterAll(() => shared.stop())

async function deleteImages(): Promise<void> {
  await app.deps.db.deleteFrom('images').execute()
  for await (const { key } of app.deps.blobs.list()) await app.deps.blobs.delete(key)
}

const set = (settings: Partial<Config>) => void Object.assign(app.deps.config, defaults, settings)
const asAdmin = async () =>
  (await app.call('POST', '/api/login', { body: { email: admin.ADMIN_EMAIL, password: admin.ADMIN_PASSWORD } })).body
    .token as string
const countOf = async (id: string) =>
  app.deps.db.selectFrom('users').select(['image_count', 'image_bytes']).where('id', '=', id).executeTakeFirstOrThrow()

/** Number of the responses per code; 'stored' for 201. */
function outcomes(responses: { status: number; body: { code?: string } }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of responses) {
    const outcome = status === 201 ? 'stored' : (body.code ?? String(status))
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

/** Replaces what the check before the first byte knows of uploads in flight. */
function inFlightAre(amount: { images: number; bytes: number }): void {
  vi.spyOn(app.deps.uploadsInFlight, 'of').mockReturnValue(amount)
  vi.spyOn(app.deps.uploadsInFlight, 'total').mockReturnValue(amount)
}

async function expectConsistent(): Promise<void> {
  const rows = await app.deps.db.selectFrom('images').select('id').execute()
  const stored: string[] = []
  for await (const { key } of app.deps.blobs.list()) stored.push(key)
  expect(stored.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  await vi.waitFor(async () => expect(await app.files('tmp')).toEqual([]), { timeout: 10_000 })
  expect(app.deps.uploadsInFlight.total()).toEqual({ images: 0, bytes: 0 })
}

const limited: [
  what: string,
  settings: (fits: number) => Partial<Config>,
  isGuest: boolean,
  refusal: [status: number, code: string, text: string],
][] = [
  ['USER_QUOTA_IMAGES', (fits) => ({ USER_QUOTA_IMAGES: fits }), false, [413, 'quota_exceeded', '3 images']],
  ['USER_QUOTA_BYTES', (fits) => ({ USER_QUOTA_BYTES: fits * size }), false, [413, 'quota_exceeded', ' KB']],
  ['GUEST_QUOTA_BYTES', (fits) => ({ GUEST_QUOTA_BYTES: fits * size }), true, [507, 'guest_quota_full', ' KB']],
  ['MAX_STORAGE_BYTES', (fits) => ({ MAX_STORAGE_BYTES: fits * size }), false, [507, 'total_quota_full', ' KB']],
  ['MAX_STORAGE_BYTES', (fits) => ({ MAX_STORAGE_BYTES: fits * size }), true, [507, 'total_quota_full', ' KB']],
]

it.each([
  ['GUEST_QUOTA_BYTES', 'a guest'],
  ['MAX_STORAGE_BYTES', 'a user'],
])('while %s is full, %s who asks again uses up nothing of the hour', async (setting, who) => {
  const options = who === 'a user' ? { token: (await app.newUser()).token } : {}
  const hour = { GUEST_UPLOADS_PER_HOUR: 2, USER_UPLOADS_PER_HOUR: 2 }
  set({ ...hour, [setting]: size })
  expect((await app.upload(bytes, options)).status).toBe(201)
  for (let attempt = 0; attempt < 3; attempt++) expect((await app.upload(bytes, options)).status).toBe(507)
  set(hour)
  expect((await app.upload(bytes, options)).status).toBe(201)
})

describe.each(limited)('%s', (_, settings, isGuest, [status, code, text]) => {
  it(`is filled to the last image by concurrent uploads of ${isGuest ? 'guests' : 'a user'}, and not exceeded`, async () => {
    set(settings(3))
    const user = isGuest ? undefined : await app.newUser()
    const options = user ? { token: user.token } : {}
    const responses = await Promise.all(Array.from({ length: 12 }, () => app.upload(bytes, options)))
    // The check before the first byte also counts the others in flight, so fewer than three may pass at first.
    let { stored = 0 } = outcomes(responses)
    expect(stored).toBeLessThanOrEqual(3)
    while (stored < 3) {
      expect((await app.upload(bytes, options)).status).toBe(201)
      stored++
    }
    const refused = await app.upload(bytes, options)
    expect(refused).toMatchObject({ status, body: { code, error: expect.stringContaining(text) } })
    expect(await imageTotals(app.deps.db)).toMatchObject({ images: 3, bytes: 3 * size })
    if (user) expect(await countOf(user.id)).toEqual({ image_count: 3, image_bytes: 3 * size })
    await expectConsistent()
  })

  it(`returns the stored image to a repetition by ${isGuest ? 'a guest' : 'a user'} when it is filled, and stores nothing new`, async () => {
    set(settings(1))
    const user = isGuest ? undefined : await app.newUser()
    const options = { token: user?.token, headers: { 'idempotency-key': crypto.randomUUID() } }
    const first = await app.upload(bytes, options)
    expect(first.status).toBe(201)
    expect(await app.upload(bytes, options)).toMatchObject({ status: 201, body: { id: first.body.id } })
    const other = await jpeg(61, 40)
    expect(await app.upload(other, options)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    const another = { ...options, headers: { 'idempotency-key': crypto.randomUUID() } }
    expect((await app.upload(bytes, another)).status).toBe(status)
    expect(await imageTotals(app.deps.db)).toMatchObject({ images: 1, bytes: size })
  })

  it(`accepts an upload again after ${isGuest ? 'a guest' : 'the user'} has deleted an image`, async () => {
    set(settings(1))
    const user = isGuest ? undefined : await app.newUser()
    const { body: image } = await app.upload(bytes, { token: user?.token })
    expect((await app.upload(bytes, { token: user?.token })).status).toBe(status)
    const deletion = { token: user?.token, guestToken: image.delete_token as string | undefined }
    expect((await app.call('DELETE', `/api/images/${image.id}`, deletion)).status).toBe(200)
    expect((await app.upload(bytes, { token: user?.token })).status).toBe(201)
  })
})

describe('the transaction that stores an image', () => {
  it.each([
    ['a user', () => ({ USER_QUOTA_IMAGES: 3 }), 'quota_exceeded', false],
    ['guests', () => ({ GUEST_QUOTA_BYTES: 3 * size }), 'guest_quota_full', true],
    ['all', () => ({ MAX_STORAGE_BYTES: 3 * size }), 'total_quota_full', true],
  ])(
    'holds the quota of %s where the check before the first byte knows nothing',
    async (_, settings, code, isGuest) => {
      set(settings())
      // As with uploads that another server receives.
      inFlightAre({ images: -1000, bytes: -1e9 })
      const token = isGuest ? undefined : (await app.newUser()).token
      const responses = await Promise.all(Array.from({ length: 12 }, () => app.upload(bytes, { token })))
      expect(outcomes(responses)).toEqual({ stored: 3, [code]: 9 })
      expect((await imageTotals(app.deps.db)).bytes).toBe(3 * size)
    },
  )

  it('returns the stored image to a repetition, also when the first request filled the quota', async () => {
    set({ USER_QUOTA_IMAGES: 1 })
    inFlightAre({ images: 0, bytes: 0 })
    const { token } = await app.newUser()
    const headers = { 'idempotency-key': 'once' }
    const [one, two] = await Promise.all([app.upload(bytes, { token, headers }), app.upload(bytes, { token, headers })])
    expect([one.status, two.status, one.body.id]).toEqual([201, 201, two.body.id])
  })
})

describe('a user', () => {
  it('has the default quota, or the one that an admin set; 0 is no limit and null the default', async () => {
    set({ USER_QUOTA_IMAGES: 1, USER_QUOTA_BYTES: 5_000_000 })
    const user = await app.newUser()
    const token = await asAdmin()
    const me = async () => (await app.call('GET', '/api/me', user)).body.user
    expect(await me()).toMatchObject({ quota: { bytes: 5_000_000, images: 1 }, quotaBytes: null, quotaImages: null })
    expect((await app.upload(bytes, user)).status).toBe(201)
    expect((await app.upload(bytes, user)).body.code).toBe('quota_exceeded')

    const change = (body: object) => app.call('PUT', `/api/users/${user.id}`, { token, body })
    expect((await change({ quotaImages: 2 })).body.user).toMatchObject({ quota: { bytes: 5_000_000, images: 2 } })
    expect((await app.upload(bytes, user)).status).toBe(201)
    expect((await app.upload(bytes, user)).body.code).toBe('quota_exceeded')
    await change({ quotaImages: 0, quotaBytes: 10 * size })
    expect((await app.upload(bytes, user)).status).toBe(201)
    await change({ quotaImages: null, quotaBytes: null })
    expect(await me()).toMatchObject({ imageCount: 3, quota: { images: 1 }, quotaImages: null })
    const { body: list } = await app.call('GET', '/api/users', { token })
    expect(list).toContainEqual(await me())
  })

  it.each([
    ['quotaBytes', -1],
    ['quotaBytes', 1.5],
    ['quotaBytes', 2 ** 60],
    ['quotaImages', '3'],
  ])('cannot get the %s %s', async (field, value) => {
    set({})
    const user = await app.newUser()
    const response = await app.call('PUT', `/api/users/${user.id}`, {
      token: await asAdmin(),
      body: { [field]: value },
    })
    expect([response.status, response.body.error.split(':')[0]]).toEqual([400, field])
  })

  it('cannot claim more guest images than the quota allows, and no image moves then', async () => {
    set({ USER_QUOTA_IMAGES: 1 })
    const user = await app.newUser()
    const images = [await app.guestImage(bytes), await app.guestImage(bytes)]
    const claims = images.map(({ id, delete_token: secret }) => ({ id, token: secret }))
    const claim = (body: object) => app.call('POST', '/api/images/claim', { ...user, body })
    expect(await claim({ images: claims })).toMatchObject({ status: 413, body: { code: 'quota_exceeded' } })
    expect(await countOf(user.id)).toEqual({ image_count: 0, image_bytes: 0 })
    expect((await claim({ images: claims.slice(0, 1) })).body.images).toHaveLength(1)
    expect(await imageTotals(app.deps.db)).toMatchObject({ images: 2, guestImages: 1 })
  })
})

it('MAX_STORAGE_BYTES holds for originals in a bucket, and a refused upload leaves no object', async () => {
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }
  const store = await startS3Server({ bucket: 'originals', ...credentials })
  try {
    app = await startTestApp({
      MAX_STORAGE_BYTES: String(2 * size),
      S3_BUCKET: 'originals',
      S3_ENDPOINT: store.endpoint,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    })
    inFlightAre({ images: 0, bytes: 0 })
    const responses = await Promise.all(Array.from({ length: 6 }, () => app.upload(bytes)))
    expect(outcomes(responses)).toEqual({ stored: 2, total_quota_full: 4 })
    expect(store.objects.size).toBe(2)
  } finally {
    await app.stop()
    await store.stop()
  }
})

describe('before the first byte', () => {
  let sockets: Socket[] = []
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
    sockets = []
  }
  afterAll(hangUp)

  /** Sends the head of an upload and no byte of its body. */
  async function announce(length: number | 'chunked', token?: string): Promise<Socket> {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    const lines = [
      'POST /api/upload HTTP/1.1',
      'Host: x',
      'Content-Type: multipart/form-data; boundary=b',
      length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
      ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    return socket
  }
  const inFlight = (images: number) =>
    vi.waitFor(() => expect(app.deps.uploadsInFlight.total().images).toBe(images), { timeout: 10_000 })
  const MiB = 1024 ** 2

  it.each([
    ['its declared size', 4 * MiB],
    ['the largest file, when its size is unknown', 'chunked' as const],
  ])('an upload in flight counts with %s, until its connection closes', async (_, length) => {
    set({ USER_QUOTA_BYTES: 12 * MiB })
    const user = await app.newUser()
    const other = await app.newUser()
    for (let n = 1; n <= (length === 'chunked' ? 1 : 3); n++) {
      await announce(length, user.token)
      await inFlight(n)
    }
    const large = Buffer.concat([bytes, Buffer.alloc(3 * MiB)])
    expect(await app.upload(large, user)).toMatchObject({ status: 413, body: { code: 'quota_exceeded' } })
    expect((await app.upload(large, other)).status).toBe(201)
    hangUp()
    await inFlight(0)
    expect((await app.upload(large, user)).status).toBe(201)
  })

  it('unfinished bodies that announce all free space stop uploads, while other writes work', async () => {
    set({})
    const user = await app.newUser()
    const { body: image } = await app.upload(bytes, user)
    const promise = app.deps.uploadsInFlight.add('a crowd', 1024 ** 5)
    expect(await app.upload(bytes, user)).toMatchObject({ status: 507, body: { code: 'storage_full' } })
    expect((await app.call('DELETE', `/api/images/${image.id}`, user)).status).toBe(200)
    const { email } = await app.newUser()
    expect((await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).status).toBe(200)
    promise()
    expect((await app.upload(bytes, user)).status).toBe(201)
  })
})
