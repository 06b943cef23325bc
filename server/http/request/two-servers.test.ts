// Two servers share one PostgreSQL and one bucket.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { sweepExpired } from '../../domain/images/deletion/sweep.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { createAuthenticator } from '../../testing/authenticator.ts'
import { jpeg, shapes } from '../../testing/test-images.ts'
import { startSharedStores } from '../../testing/shared-stores.ts'

const postgresUrl = inject('postgresUrl')

describe.runIf(postgresUrl !== undefined)('two servers', () => {
  let one: TestApp
  let two: TestApp
  let bytes: Buffer
  const closers: (() => Promise<void>)[] = []

  beforeAll(async () => {
    bytes = await jpeg(900, 600)
    const stores = await startSharedStores(postgresUrl ?? '')
    const environment = { ...stores.environment, RATE_LIMIT: '1000', TRUST_PROXY: '1' }
    one = await startTestApp(environment)
    two = await startTestApp(environment)
    closers.push(
      () => one.stop(),
      () => two.stop(),
      stores.stop,
    )
  })
  afterAll(async () => {
    for (const close of closers) await close()
  })

  it('accept each other’s sessions and keys, and see logouts', async () => {
    const { token } = await one.newUser()
    expect((await two.call('GET', '/api/me', { token })).status).toBe(200)
    const { key } = (await two.call('POST', '/api/api-keys', { token, body: {} })).body
    expect((await one.call('GET', '/api/images', { token: key })).status).toBe(200)
    await two.call('POST', '/api/logout', { token })
    expect((await one.call('GET', '/api/me', { token })).status).toBe(401)
  })

  it('refuse a session that was ended on either of them with its next request', async () => {
    const { token, email } = await one.newUser()
    const login = { body: { email, password: 'secret-1' } }
    const isRefused = async (ended: string) => {
      for (const server of [one, two]) expect((await server.call('GET', '/api/me', { token: ended })).status).toBe(401)
    }
    for (const [server, other] of [
      [one, two],
      [two, one],
    ] as const) {
      const ended: string = (await other.call('POST', '/api/login', login)).body.token
      for (const both of [one, two]) expect((await both.call('GET', '/api/me', { token: ended })).status).toBe(200)
      const { body } = await other.call('GET', '/api/sessions', { token: ended })
      const { id } = body.sessions.find(({ current }: { current: boolean }) => current)
      expect((await server.call('DELETE', `/api/sessions/${id}`, { token })).status).toBe(200)
      await isRefused(ended)
    }
    const left: string = (await two.call('POST', '/api/login', login)).body.token
    expect((await one.call('DELETE', '/api/sessions', { token })).body.ended).toBe(1)
    await isRefused(left)
    expect((await two.call('GET', '/api/me', { token })).status).toBe(200)
  })

  it('finish what the other has started for a passkey, once', async () => {
    const site = { 'x-forwarded-host': 'images.example', 'x-forwarded-proto': 'https' }
    const device = createAuthenticator('https://images.example')
    const { token } = await one.newUser()
    const post = (server: TestApp, path: string, body?: object) =>
      server.call('POST', path, { token, headers: site, ...(body && { body }) })
    const making = (await post(one, '/api/me/passkeys/options')).body
    const made = { token: making.token, response: device.register(making.options), name: 'Laptop' }
    expect((await post(two, '/api/me/passkeys', made)).status).toBe(201)
    const login = (await post(one, '/api/login/passkey/options')).body
    const proof = { token: login.token, response: device.assert(login.options) }
    expect((await post(two, '/api/login/passkey', proof)).status).toBe(200)
    expect((await post(one, '/api/login/passkey', proof)).body.code).toBe('challenge_ended')
  })

  it('serve each other’s images, and see a deletion at once, also of cached responses', async () => {
    const image = await one.guestImage(bytes)
    const paths = [
      `/uploads/${image.file_name}`,
      `/i/${image.id}.jpg`,
      `/i/${image.id}.jpg?w=200&fmt=auto`,
      `/api/thumbnail/${image.id}/400`,
      `/api/resize/${image.id}/300`,
    ]
    for (const server of [one, two]) {
      for (const path of paths) expect((await server.request(path)).status).toBe(200)
    }
    await two.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
    for (const server of [one, two]) {
      for (const path of paths) expect((await server.request(path)).status).toBe(410)
    }
  })

  it('see a quarantine and the suspension of an owner at once, also of cached responses, and their end', async () => {
    const { token, id, email } = await one.newUser()
    const admin = await one.newUser()
    await one.deps.db.updateTable('users').set({ role: 'admin' }).where('email', '=', admin.email).execute()
    const image = (await one.upload(bytes, { token })).body
    const paths = [
      `/uploads/${image.file_name}`,
      `/i/${image.id}.jpg`,
      `/i/${image.id}.jpg?w=200&fmt=auto`,
      `/api/thumbnail/${image.id}/400`,
      `/api/resize/${image.id}/300`,
    ]
    const expectAll = async (status: number) => {
      for (const server of [one, two]) {
        // The second response of each server is a cached one.
        for (const path of [...paths, ...paths]) expect((await server.request(path)).status, email).toBe(status)
      }
    }
    const moderate = (action: string) =>
      two.call('POST', '/api/admin/images/moderate', { token: admin.token, body: { action, ids: [image.id] } })
    const setStatus = (status: string) => two.call('PUT', `/api/users/${id}`, { token: admin.token, body: { status } })
    await expectAll(200)
    expect((await moderate('quarantine')).status).toBe(200)
    await expectAll(451)
    await moderate('restore')
    await expectAll(200)
    expect((await setStatus('Inactive')).status).toBe(200)
    await expectAll(451)
    await setStatus('Active')
    await expectAll(200)
  })

  it('refuse and quarantine at once what the other one has blocked', async () => {
    const admin = await one.newUser()
    await one.deps.db.updateTable('users').set({ role: 'admin' }).where('email', '=', admin.email).execute()
    const [picture, copy] = [await shapes(1).png().toBuffer(), await shapes(1).webp().toBuffer()]
    expect((await two.upload(copy)).body.quarantined).toBe(false)
    const { id } = await one.guestImage(picture)
    const change = (method: string, list: string, body: object) =>
      one.call(method, `/api/admin/blocked-${list}`, { token: admin.token, body })
    await change('POST', 'images', { images: [id] })
    expect((await two.upload(picture)).body.code).toBe('image_blocked')
    expect((await two.upload(copy)).body.quarantined).toBe(true)

    const register = async () => {
      const body = { email: `${crypto.randomUUID()}@example.com`, password: 'secret-1' }
      return (await two.call('POST', '/api/register', { body, headers: { 'x-forwarded-for': '203.0.113.7' } })).body
        .code
    }
    await change('POST', 'networks', { networks: ['203.0.113.0/24'] })
    expect(await register()).toBe('address_blocked')
    await change('DELETE', 'networks', { networks: ['203.0.113.0/24'] })
    expect(await register()).toBe(undefined)
  })

  it('quarantine an image whose bytes are blocked while its upload commits', async () => {
    const admin = await one.newUser()
    await one.deps.db.updateTable('users').set({ role: 'admin' }).where('email', '=', admin.email).execute()
    const picture = await shapes(5).png().toBuffer()
    const { id: first } = await one.guestImage(picture)
    const sha256 = one.deps.db.selectFrom('images').select('sha256').where('id', '=', first)
    const { db } = one.deps
    // Of this database: other tests use the same PostgreSQL.
    const waiting = async () =>
      (
        await sql`select 1 from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(db)
      ).rows.length
    // Commits of images wait for the lock, after the last check of the blocklist.
    await sql`create function hold() returns trigger language plpgsql
      as 'begin perform pg_advisory_xact_lock(1); return null; end'`.execute(db)
    await sql`create constraint trigger hold after insert on images deferrable initially deferred
      for each row execute function hold()`.execute(db)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const holding = db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(1)`.execute(transaction)
      await held
    })
    const uploading = one.guestImage(picture)
    await expect.poll(waiting).toBe(1)
    const body = { images: [(await sha256.executeTakeFirstOrThrow()).sha256] }
    const blocking = two.call('POST', '/api/admin/blocked-images', { token: admin.token, body })
    const isWaiting = vi.waitFor(async () => expect(await waiting()).toBe(2), 15_000)
    await Promise.race([blocking, isWaiting])
    release()
    await holding
    const { file_name: fileName } = await uploading
    expect((await blocking).body).toMatchObject({ added: 1, quarantined: 2 })
    for (const server of [one, two]) expect((await server.request(`/uploads/${fileName}`)).status).toBe(451)
    await sql`drop trigger hold on images`.execute(db)
  })

  it('share rate limits', async () => {
    const { token } = await one.newUser()
    const remaining = async (server: TestApp) =>
      Number((await server.call('GET', '/api/me', { token })).headers.get('ratelimit-remaining'))
    expect([await remaining(one), await remaining(two), await remaining(one)]).toEqual([999, 998, 997])
  })

  it('remove each expired image once when both sweep at the same moment', async () => {
    const images = await Promise.all(Array.from({ length: 12 }, () => one.guestImage(bytes)))
    const now = Date.now()
    const ids = images.map(({ id }) => id)
    await one.deps.db.updateTable('images').set({ expires_at: now }).where('id', 'in', ids).execute()
    const [first, second] = await Promise.all([sweepExpired(one.deps), sweepExpired(two.deps)])
    expect(first.deletedImages + second.deletedImages).toBe(12)
    expect(first.freedBytes + second.freedBytes).toBe(images.reduce((sum, { size }) => sum + size, 0))
    const left: string[] = []
    for await (const { key } of one.deps.blobs.list()) left.push(key)
    expect(left.filter((key) => ids.includes(key))).toEqual([])
  })

  it('create one account, and one image per Idempotency-Key, from two concurrent requests', async () => {
    const body = { email: 'both@example.com', password: 'secret-1' }
    const responses = await Promise.all([one, two].map((server) => server.call('POST', '/api/register', { body })))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    const token: string = responses.find(({ status }) => status === 201)?.body.token
    const headers = { 'idempotency-key': 'once' }
    const uploads = await Promise.all([one, two].map((server) => server.upload(bytes, { token, headers })))
    expect(uploads[0]?.body.id).toBe(uploads[1]?.body.id)
  })
})
