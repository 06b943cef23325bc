import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { databaseCounters, memoryCounters } from './rate-counters.ts'
import { networksPerSite } from '../../concurrency/ipv6-site.ts'
import { throttleAddress } from './throttle.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    RATE_LIMIT: '5',
    RATE_LIMIT_ADMIN: '10',
    GUEST_UPLOADS_PER_HOUR: '4',
    USER_UPLOADS_PER_HOUR: '3',
    TRUST_PROXY: '1',
  })
})
afterAll(() => app.stop())

const from = (address: string) => ({ 'x-forwarded-for': address })

describe.each([
  ['in memory', () => memoryCounters()],
  ['in the database', () => databaseCounters(app.deps.db, app.deps.jwtSecret)],
])('counters %s', (_, make) => {
  it('count in a window that starts with the first hit', async () => {
    const counters = make()
    const key = crypto.randomUUID()
    expect(await counters.hit(key, 500, 1000)).toEqual({ hits: 1, endsAt: 1500 })
    expect(await counters.hit(key, 500, 1499)).toEqual({ hits: 2, endsAt: 1500 })
    expect(await counters.hit(key, 500, 1500)).toEqual({ hits: 1, endsAt: 2000 })
  })

  it('begin a new window when the clock was set back, so that nobody waits for a time that was wrong', async () => {
    const counters = make()
    const key = crypto.randomUUID()
    const [minute, threeDays] = [60_000, 3 * 24 * 3_600_000]
    await counters.hit(key, minute, threeDays)
    expect(await counters.hit(key, minute, 1000)).toEqual({ hits: 1, endsAt: 61_000 })
    // Two servers differ by seconds: they share a window.
    expect(await counters.hit(key, minute, 500)).toEqual({ hits: 2, endsAt: 61_000 })
  })

  it('undo a hit, but not in a later window', async () => {
    const counters = make()
    const key = crypto.randomUUID()
    const first = await counters.hit(key, 500, 1000)
    await counters.hit(key, 500, 1100)
    await counters.undoHit(key, first)
    expect(await counters.hit(key, 500, 1200)).toEqual({ hits: 2, endsAt: 1500 })
    for (let n = 0; n < 3; n++) await counters.undoHit(key, first)
    expect(await counters.hit(key, 500, 1300)).toEqual({ hits: 1, endsAt: 1800 })
    await counters.undoHit(key, first)
    expect(await counters.hit(key, 500, 1400)).toEqual({ hits: 2, endsAt: 1800 })
  })

  it('count every concurrent hit', async () => {
    const counters = make()
    const key = crypto.randomUUID()
    const counts = await Promise.all(Array.from({ length: 40 }, () => counters.hit(key, 1000, 0)))
    expect(counts.map(({ hits }) => hits).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_x, n) => n + 1),
    )
  })
})

it('one network beyond its limit does not use up that of its site', async () => {
  const hit = (address: string) =>
    throttleAddress(app.deps, address, { key: 'site-test', limit: 1, windowMs: 60_000 }).then(
      () => 'counted',
      () => 'refused',
    )
  expect(await hit('2001:db8:1:1::/64')).toBe('counted')
  for (let n = 0; n < networksPerSite; n++) expect(await hit('2001:db8:1:1::/64')).toBe('refused')
  expect(await hit('2001:db8:1:2::/64')).toBe('counted')
})

it('counters in the database store no email and no address', async () => {
  const counters = databaseCounters(app.deps.db, app.deps.jwtSecret)
  await counters.hit('login-pair:203.0.113.7 ada@example.com', 1000, 0)
  const stored = await app.deps.db.selectFrom('rate_counters').selectAll().execute()
  expect(stored.filter(({ hits }) => hits > 0)).not.toEqual([])
  expect(JSON.stringify(stored)).not.toMatch(/login|203\.0|example/)
})

describe('API calls', () => {
  it('are counted per address, reported in headers, and allowed again a minute later', async () => {
    const call = () => app.call('GET', '/api/limits', { headers: from('203.0.113.1') })
    for (let n = 1; n <= 5; n++) {
      const { status, headers } = await call()
      expect([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([
        200,
        '5',
        String(5 - n),
      ])
      expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
    }
    const refused = await call()
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await app.call('GET', '/api/limits', { headers: from('203.0.113.2') })).status).toBe(200)
    app.moveClock(60_000)
    expect((await call()).status).toBe(200)
  })

  it('of one IPv6 network of 64 bits count as one', async () => {
    for (let n = 1; n <= 5; n++) await app.call('GET', '/api/limits', { headers: from(`2001:db8:1:2::${n}`) })
    expect((await app.call('GET', '/api/limits', { headers: from('2001:db8:1:2:ffff::9') })).status).toBe(429)
    expect((await app.call('GET', '/api/limits', { headers: from('2001:db8:1:3::1') })).status).toBe(200)
  })

  it('of one IPv6 site of 48 bits share sixteen times the limit', async () => {
    const call = (network: number) =>
      app.call('GET', '/api/limits', { headers: from(`2001:db8:aaaa:${network.toString(16)}::1`) })
    for (let n = 0; n < 16 * 5; n++) expect((await call(n)).status).toBe(200)
    expect(await call(1000)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect((await app.call('GET', '/api/limits', { headers: from('2001:db8:aaab::1') })).status).toBe(200)
  })

  it('with a guessed token count for the address', async () => {
    const statuses = []
    for (let n = 0; n < 7; n++) {
      statuses.push((await app.call('GET', '/api/me', { token: `guess-${n}`, headers: from('203.0.113.3') })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
  })

  it('of an account count together, whichever of its API keys sends them', async () => {
    const { token } = await app.newUser()
    const { body: first } = await app.call('POST', '/api/api-keys', { token, body: {} })
    const { body: second } = await app.call('POST', '/api/api-keys', { token, body: {} })
    const statuses = []
    for (const key of [first.key, second.key, first.key, second.key])
      statuses.push((await app.call('GET', '/api/images', { token: key })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await app.call('GET', '/api/me', { token })).status).toBe(429)
  })

  it('do not include requests for images', async () => {
    for (let n = 0; n < 20; n++) {
      expect((await app.request('/api/thumbnail/none/400', { headers: from('203.0.113.4') })).status).toBe(404)
    }
  })
})

describe('uploads of a user', () => {
  it('are limited per hour, whichever API key sends them, and counted apart from those of others', async () => {
    const bytes = await jpeg(60, 40)
    const { token } = await app.newUser()
    const { body: made } = await app.call('POST', '/api/api-keys', { token, body: {} })
    for (const credential of [token, made.key, token])
      expect((await app.upload(bytes, { token: credential })).status).toBe(201)
    const refused = await app.upload(bytes, { token: made.key })
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    app.moveClock(60 * 60_000)
    expect((await app.upload(bytes, { token })).status).toBe(201)
  })
})

describe('guest uploads', () => {
  it('are limited per hour', async () => {
    const bytes = await jpeg(500, 400)
    const headers = from('203.0.113.5')
    expect((await app.upload(bytes, { headers })).status).toBe(201)
    app.moveClock(61_000)
    for (let n = 0; n < 3; n++) expect((await app.upload(bytes, { headers })).status).toBe(201)
    app.moveClock(61_000)
    const refused = await app.upload(bytes, { headers })
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  })
})
