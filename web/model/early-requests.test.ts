import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createClient, type Outgoing } from '../../contract/derive/client.ts'
import { sendEarlyRequests, consumeEarlyRequest } from './early-requests.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const asAdmin = async () => Response.json({ user: { role: 'admin' } })

/** Opens a page. @returns the paths of its early requests */
async function visit(address: string, respond: () => Promise<Response> = asAdmin): Promise<string[]> {
  const paths: string[] = []
  vi.stubGlobal('fetch', (path: string) => {
    paths.push(path)
    return respond()
  })
  await sendEarlyRequests(address, 'a-token')?.catch(() => {})
  return paths
}

it('the early requests of an admin are those that the page sends first', async () => {
  const sent: Outgoing[] = []
  const client = createClient(async (request) => {
    sent.push(request)
    return new Response('{}')
  })
  await client.getMe()
  const query = { sort: 'newest', type: undefined, expires: undefined, q: undefined, limit: '100' } as const
  await client.listImages({ query })
  await client.listExpiringImages()
  await client.getDatabaseStats()
  await client.listUsers({
    query: { q: undefined, role: undefined, status: undefined, cursor: undefined, limit: '25' },
  })
  await client.listAllImages({ query: { q: undefined, status: undefined, cursor: undefined, limit: '100' } })
  await client.listBackups()
  const [user, images, expiring, figures, users, allImages, backups] = sent.map(({ path }) => path)
  expect(await visit('/dashboard')).toEqual([user, images])
  expect(await visit('/notifications')).toEqual([user, expiring])
  expect(await visit('/admin')).toEqual([user, figures, backups])
  expect(await visit('/admin?tab=users')).toEqual([user, users])
  expect(await visit('/admin?tab=images')).toEqual([user, allImages])
  expect(await visit('/dashboard?q=harbour')).toEqual([user])
  expect(await visit('/account')).toEqual([user])
})

it('the figures of the admin page are requested for admins only', async () => {
  expect(await visit('/admin', async () => Response.json({ user: { role: 'user' } }))).toEqual(['/api/me'])
  expect(await consumeEarlyRequest('/api/database/stats', 'a-token')).toBeUndefined()
  expect(await visit('/admin', async () => new Response('', { status: 503 }))).toEqual(['/api/me'])
})

it('the figures of a session known to be an admin’s do not wait for the role', async () => {
  const noRole = () => new Promise<Response>(() => {})
  const sent = (token: string) => {
    const paths: string[] = []
    vi.stubGlobal('fetch', (path: string) => {
      paths.push(path)
      return noRole()
    })
    void sendEarlyRequests('/admin', token)
    return paths
  }
  expect(sent('a-token')).toEqual(['/api/me'])
  await visit('/admin')
  expect(sent('a-token')).toEqual(['/api/me', '/api/database/stats', '/api/database/backups'])
  expect(sent('another-token')).toEqual(['/api/me'])
})

it('a response is taken once, and only with the token of its request', async () => {
  await visit('/dashboard')
  expect(consumeEarlyRequest('/api/me', 'another-token')).toBeUndefined()
  await visit('/dashboard')
  expect(await consumeEarlyRequest('/api/me', 'a-token')).toBeInstanceOf(Response)
  expect(consumeEarlyRequest('/api/me', 'a-token')).toBeUndefined()
})

it('a failure is handed over like a response', async () => {
  await visit('/dashboard', async () => new Response('', { status: 503 }))
  expect((await consumeEarlyRequest('/api/me', 'a-token'))?.status).toBe(503)
  await visit('/dashboard', () => Promise.reject(new TypeError('no network')))
  await expect(consumeEarlyRequest('/api/me', 'a-token')).rejects.toThrow('no network')
})

it('a response that nothing has taken for ten seconds is dropped', async () => {
  vi.useFakeTimers()
  await visit('/dashboard')
  vi.advanceTimersByTime(10_000)
  expect(consumeEarlyRequest('/api/me', 'a-token')).toBeUndefined()
})
