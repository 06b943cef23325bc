import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
let respond: () => Response

/** The page's addresses are relative. */
class RequestOnPage extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input instanceof Request ? input : new URL(input, 'http://server'), init)
  }
}

beforeEach(() => {
  vi.resetModules()
  vi.spyOn(console, 'info').mockImplementation(() => {})
  stored.clear()
  stored.set('token', 'mine')
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('sessionStorage', { clear: () => {} })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal('Request', RequestOnPage)
  vi.stubGlobal('fetch', async () => respond())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function start() {
  // The page loads it on demand.
  await import('./http.ts')
  const { session, startSession } = await import('./session.ts')
  const { token } = await import('./token.ts')
  vi.useFakeTimers()
  startSession(async () => {})
  return { session, token }
}

/** Lets time pass until the check succeeds. */
const eventually = (check: () => void) =>
  vi.waitFor(
    async () => {
      await vi.advanceTimersByTimeAsync(1000)
      check()
    },
    { timeout: 10_000 },
  )

test.each([
  ['500', () => new Response('', { status: 500 })],
  ['429', () => Response.json({ error: 'Too many requests', code: 'too_many_requests' }, { status: 429 })],
  ['an empty response', () => new Response('')],
  [
    'no response',
    () => {
      throw new TypeError('Failed to fetch')
    },
  ],
])('after %s the user is requested again, and is no guest meanwhile', async (_, fail) => {
  respond = fail
  const { session, token } = await start()
  const statuses = new Set<string>()
  session.subscribe(() => statuses.add(session.get().status))
  await eventually(() => expect(session.get()).toEqual({ status: 'loading', hasFailed: true }))
  respond = () => Response.json({ user: { id: 'ada' } })
  await eventually(() => expect(session.get()).toEqual({ status: 'in', user: { id: 'ada' } }))
  expect([...statuses]).toEqual(['loading', 'in'])
  expect(token.get()).toBe('mine')
})

test.each([
  [401, 'invalid_token'],
  [403, 'inactive_account'],
  [404, 'endpoint_not_found'],
])('a refusal with %i ends the session and removes the token', async (status, code) => {
  respond = () => Response.json({ error: 'No', code }, { status })
  const { session, token } = await start()
  await eventually(() => expect(session.get()).toEqual({ status: 'out' }))
  expect(token.get()).toBeNull()
  expect(stored.has('token')).toBe(false)
})
