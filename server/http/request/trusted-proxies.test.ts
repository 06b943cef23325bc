// Forged forwarding headers do not bypass rate limits and lockouts.
import { afterEach, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let app: TestApp
afterEach(() => app.stop())

const proxy = '203.0.113.7'
/** The n-th set of forged headers: all addresses differ, in varying notations. */
function forged(n: number): Record<string, string> {
  const address = [`198.51.100.${n % 250}`, `2001:db8:${n.toString(16)}::1`, `::ffff:10.0.${n % 250}.1`][
    n % 3
  ] as string
  return {
    'x-forwarded-for': address,
    forwarded: `for="${address}";host=h${n}.example;proto=https`,
    'x-real-ip': address,
    'x-client-ip': address,
    'true-client-ip': address,
    'cf-connecting-ip': address,
  }
}
/** As a proxy forwards them: it appends the address of its peer to the received list. */
const through = (headers: Record<string, string>, ...senders: string[]) => ({
  ...headers,
  'x-forwarded-for': [headers['x-forwarded-for'], ...senders].filter(Boolean).join(', '),
})

const callers: [what: string, trust: string, headersOf: (n: number) => Record<string, string>][] = [
  ['no headers', 'off', () => ({})],
  ['forged headers sent directly', 'off', forged],
  ['forged headers through one proxy', '1', (n) => through(forged(n), proxy)],
  ['forged headers through two proxies', '2', (n) => through(forged(n), proxy, '10.0.0.2')],
  ['forged headers through the listed proxies', '127.0.0.1,10.0.0.0/8', (n) => through(forged(n), proxy, '10.0.0.2')],
  [
    'a list of a thousand forged addresses',
    '1',
    (n) => through({ 'x-forwarded-for': `10.1.1.${n % 250},`.repeat(999) }, proxy),
  ],
]

describe.each(callers)('with %s (TRUST_PROXY=%s)', (_, TRUST_PROXY, headersOf) => {
  it('200 logins are limited as from one address, 50 PIN attempts as from one user', async () => {
    app = await startTestApp({ TRUST_PROXY, DB_VIEW_PIN: '4711' })
    // Each for another account: only the limit of the address applies.
    const logIn = (n: number) => {
      const body = { email: `nobody-${n}@example.com`, password: 'wrong-password' }
      return app.call('POST', '/api/login', { body, headers: headersOf(n) })
    }
    expect(await statusesOf(200, logIn)).toEqual({ 401: 20, 429: 180 })

    const { token } = await app.newUser()
    const unlock = (n: number, pin = '0000') =>
      app.call('POST', '/db/unlock', { token, body: { pin }, headers: headersOf(n) })
    expect(await statusesOf(50, unlock)).toEqual({ 403: 5, 429: 45 })
    expect((await unlock(99, '4711')).status).toBe(429)
  })
})

/** Counts the statuses of calls, ten of them concurrent. */
async function statusesOf(times: number, call: (n: number) => Promise<{ status: number }>) {
  const counts: Record<number, number> = {}
  for (let from = 0; from < times; from += 10) {
    const responses = await Promise.all(Array.from({ length: 10 }, (_, n) => call(from + n)))
    for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

describe('behind a trusted proxy', () => {
  it('each client address has its own limit', async () => {
    app = await startTestApp({ TRUST_PROXY: '1' })
    const login = (address: string, n: number) =>
      app.call('POST', '/api/login', {
        body: { email: `nobody-${n}@example.com`, password: 'wrong-password' },
        headers: { 'x-forwarded-for': address },
      })
    expect(await statusesOf(20, (n) => login(proxy, n))).toEqual({ 401: 20 })
    expect((await login(proxy, 22)).status).toBe(429)
    expect((await login('203.0.113.8', 23)).status).toBe(401)
  })

  const spellings: [client: string, ...string[]][] = [
    ['203.0.113.9', '203.0.113.9:99', '203.0.113.9:65535', '::ffff:203.0.113.9', '::ffff:cb00:7109'],
    ['198.51.100.1', '[::ffff:198.51.100.1]:8080', '::FFFF:C633:6401', '0:0:0:0:0:ffff:c633:6401'],
    ['203.0.113.77', '64:ff9b::203.0.113.77', '[64:ff9b::cb00:714d]:80', '0064:FF9B:0:0:0:0:cb00:714d'],
    ['2001:db8::1', '[2001:db8::1]:443', '[2001:db8::2]', '2001:0DB8:0:0:ffff::', '2001:db8:0:0:1:2:3.4.5.6'],
    ['::1', '0:0:0:0:0:0:0:1', '0::ffff:1:0:0'],
    // The peer of the connection, here 127.0.0.1, where the header holds no address.
    ['127.0.0.1', 'unknown', '127.0.0.1:1', '::ffff:7f00:1', '1.2.3.4:99:1', '1.2.3.256', '[1.2.3', 'a.example:80'],
  ]

  it('one address in several notations is one client', async () => {
    app = await startTestApp({ TRUST_PROXY: '1', RATE_LIMIT: '50' })
    for (const notations of spellings) {
      const remaining: unknown[] = []
      for (const notation of notations) {
        const { headers } = await app.call('GET', '/api/limits', { headers: { 'x-forwarded-for': notation } })
        remaining.push(headers.get('ratelimit-remaining'))
      }
      expect([notations[0], remaining]).toEqual([notations[0], notations.map((_, n) => String(49 - n))])
    }
  })

  it('an email that looks like an address does not count for the client with that address', async () => {
    app = await startTestApp({ TRUST_PROXY: '1' })
    const login = (email: string, address: string) =>
      app.call('POST', '/api/login', {
        body: { email, password: 'wrong-password' },
        headers: { 'x-forwarded-for': address },
      })
    const victim = '198.51.100.7'
    await statusesOf(30, (n) => login(victim, `203.0.113.${n}`))
    const { email } = await app.newUser()
    expect((await login(email, victim)).status).toBe(401)
  })
})
