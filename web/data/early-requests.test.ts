import { afterEach, expect, it, vi } from 'vitest'
import { createClient, type Outgoing } from '../../contract/client.ts'
import { sendEarlyRequests, takeEarlyResponse } from './early-requests.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Opens a page. @returns the paths of its early requests */
function visit(address: string, respond: () => Promise<Response> = async () => new Response('{}')): string[] {
  const paths: string[] = []
  vi.stubGlobal('fetch', (path: string) => {
    paths.push(path)
    return respond()
  })
  void sendEarlyRequests(address, 'a-token')
  return paths
}

it('the early requests are those that the page sends first', async () => {
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
  await client.listUsers({ query: { q: undefined, role: undefined, status: undefined, cursor: undefined } })
  await client.listAllImages({ query: { q: undefined, status: undefined, cursor: undefined, limit: '100' } })
  const [user, ...firstRequests] = sent.map(({ path }) => path)
  const addresses = ['/dashboard', '/notifications', '/admin', '/admin?tab=users', '/admin?tab=images']
  expect(addresses.map((address) => visit(address))).toEqual(firstRequests.map((path) => [user, path]))
  expect(visit('/dashboard?q=harbour')).toEqual([user])
  expect(visit('/account')).toEqual([user])
})

it('a response is taken once, and only with the token of its request', async () => {
  visit('/dashboard')
  expect(await takeEarlyResponse('/api/me', 'another-token')).toBeUndefined()
  visit('/dashboard')
  expect(await takeEarlyResponse('/api/me', 'a-token')).toBeInstanceOf(Response)
  expect(await takeEarlyResponse('/api/me', 'a-token')).toBeUndefined()
})

it('a failed request is left to the page', async () => {
  visit('/dashboard', async () => new Response('', { status: 503 }))
  expect(await takeEarlyResponse('/api/me', 'a-token')).toBeUndefined()
  visit('/dashboard', () => Promise.reject(new TypeError('no network')))
  expect(await takeEarlyResponse('/api/me', 'a-token')).toBeUndefined()
})

it('a response that nothing has taken for ten seconds is dropped', async () => {
  vi.useFakeTimers()
  visit('/dashboard')
  vi.advanceTimersByTime(10_000)
  expect(await takeEarlyResponse('/api/me', 'a-token')).toBeUndefined()
})
