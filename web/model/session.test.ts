import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { User } from '../../contract/endpoints/accounts.ts'

const stored = new Map<string, string>()
const listeners = new Map<string, (event: object) => void>()
const requests: Request[] = []
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
  vi.stubGlobal('addEventListener', (type: string, listener: (event: object) => void) => listeners.set(type, listener))
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal('Request', RequestOnPage)
  requests.length = 0
  vi.stubGlobal('fetch', async (request: Request) => {
    requests.push(request)
    return respond()
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function start() {
  // The page loads it on demand.
  await import('./http.ts')
  const { session, startSession, restoreSession } = await import('./session.ts')
  const { token } = await import('./token.ts')
  vi.useFakeTimers()
  startSession(async () => {})
  return { session, token, restoreSession }
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

const rejected = (status: number, code: string) => Response.json({ error: 'No', code }, { status })
const ada = () => Response.json({ user: { id: 'ada' } })

test.each([
  ['500', () => new Response('', { status: 500 }), 4],
  ['429', () => rejected(429, 'too_many_requests'), 4],
  ['503', () => rejected(503, 'busy'), 4],
  ['403', () => rejected(403, 'inactive_account'), 1],
  ['an empty response', () => new Response(''), 1],
  [
    'no response',
    () => {
      throw new TypeError('Failed to fetch')
    },
    4,
  ],
])('after %s the visitor is a guest, and the next success restores the login', async (_, fail, attempts) => {
  respond = fail
  const { session, token, restoreSession } = await start()
  const tabStorage = vi.spyOn(sessionStorage, 'clear')
  expect(session.get().status).toBe('loading')
  await eventually(() => expect(session.get()).toMatchObject({ status: 'out', failure: expect.any(Error) }))
  expect(requests).toHaveLength(attempts)
  expect(token.get()).toBeNull()
  expect(stored.get('token')).toBe('mine')

  respond = ada
  const statuses = new Set<string>()
  session.subscribe(() => statuses.add(session.get().status))
  await restoreSession()
  expect(session.get()).toMatchObject({ status: 'in', user: { id: 'ada' } })
  // A form on screen stays meanwhile.
  expect([...statuses]).toEqual(['in'])
  expect(token.get()).toBe('mine')
  expect(requests.at(-1)?.headers.get('authorization')).toBe('Bearer mine')
  expect(tabStorage).not.toHaveBeenCalled()
})

test('a 401 ends the session and removes the token', async () => {
  respond = () => rejected(401, 'invalid_token')
  const { session, token } = await start()
  await eventually(() => expect(session.get()).toEqual({ status: 'out' }))
  expect(token.get()).toBeNull()
  expect(stored.has('token')).toBe(false)
})

test('a 401 of an attempt to restore the login removes the token', async () => {
  const { session, restoreSession } = await suspend()
  respond = () => rejected(401, 'invalid_token')
  await restoreSession()
  expect(session.get()).toEqual({ status: 'out' })
  expect(stored.has('token')).toBe(false)
})

test('a suspended session sends no token with other requests', async () => {
  await suspend()
  respond = ada
  const { client } = await import('./http.ts')
  await client.listExpiringImages()
  expect(requests.at(-1)?.headers.has('authorization')).toBe(false)
})

test('a login replaces a suspended session', async () => {
  const { session, token } = await suspend()
  const { beginSession } = await import('./session.ts')
  beginSession({ user: { id: 'ben' } as User, needsSecondFactor: false, token: 'new' })
  expect(session.get()).toMatchObject({ status: 'in', user: { id: 'ben' } })
  expect([token.get(), stored.get('token')]).toEqual(['new', 'new'])
})

test('a logout removes the token of a suspended session, and ends it on the server', async () => {
  const { session } = await suspend()
  const { logout } = await import('./session.ts')
  respond = () => Response.json({ success: true })
  await logout()
  expect(session.get()).toEqual({ status: 'out' })
  expect(stored.has('token')).toBe(false)
  await eventually(() => expect(requests.at(-1)?.url).toMatch(/logout$/))
  expect(requests.at(-1)?.headers.get('authorization')).toBe('Bearer mine')
})

test('a logout in another tab ends a suspended session', async () => {
  const { session, restoreSession } = await suspend()
  stored.delete('token')
  listeners.get('storage')?.({ key: 'token' })
  expect(session.get()).toEqual({ status: 'out' })
  await restoreSession()
  expect(session.get()).toEqual({ status: 'out' })
})

test('the focus of the tab restores the login, unless the server has refused the user', async () => {
  await suspend()
  const before = requests.length
  listeners.get('focus')?.({})
  await vi.advanceTimersByTimeAsync(1000)
  expect(requests).toHaveLength(before)
  // Another network may be allowed.
  respond = () => rejected(503, 'busy')
  listeners.get('online')?.({})
  await eventually(() => expect(requests.length).toBeGreaterThanOrEqual(before + 4))
  const { session } = await import('./session.ts')
  respond = ada
  await eventually(() => {
    listeners.get('focus')?.({})
    expect(session.get().status).toBe('in')
  })
})

async function suspend() {
  respond = () => rejected(403, 'inactive_account')
  const started = await start()
  await eventually(() => expect(started.session.get()).toMatchObject({ status: 'out', failure: expect.any(Error) }))
  return started
}
