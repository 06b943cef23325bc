import { afterEach, expect, it, vi } from 'vitest'
import { createClient, type Outgoing } from '../../contract/client.ts'
import { sendEarlyRequests, takeEarlyResponse } from './early-requests.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Sends the early requests of a visit. @returns their paths */
function visit(
  search: string,
  respond: () => Promise<Response> = async () => new Response('{}'),
  token: string | null = 'a-token',
): string[] {
  const paths: string[] = []
  vi.stubGlobal('location', { search })
  vi.stubGlobal('localStorage', { getItem: () => token })
  vi.stubGlobal('fetch', (path: string) => {
    paths.push(path)
    return respond()
  })
  sendEarlyRequests()
  return paths
}

it('the early requests are those that the page sends first', async () => {
  const sent: Outgoing[] = []
  const client = createClient(async (request) => {
    sent.push(request)
    return new Response('{}')
  })
  await client.getMe()
  await client.listImages({
    query: { sort: 'newest', type: undefined, expires: undefined, q: undefined, limit: '100' },
  })
  expect(visit('')).toEqual(sent.map(({ path }) => path))
  expect(visit('?q=harbour')).toEqual(['/api/me'])
})

it('a response is taken once, and only with the token of its request', async () => {
  visit('')
  expect(await takeEarlyResponse('/api/me', 'another-token')).toBeUndefined()
  visit('')
  expect(await takeEarlyResponse('/api/me', 'a-token')).toBeInstanceOf(Response)
  expect(await takeEarlyResponse('/api/me', 'a-token')).toBeUndefined()
})

it('without a session nothing is sent', () => {
  expect(visit('', undefined, null)).toEqual([])
})

it('a failed request is left to the page', async () => {
  visit('', async () => new Response('', { status: 503 }))
  expect(await takeEarlyResponse('/api/me', 'a-token')).toBeUndefined()
  visit('', () => Promise.reject(new TypeError('no network')))
  expect(await takeEarlyResponse('/api/me', 'a-token')).toBeUndefined()
})

it('a response that nothing has taken for ten seconds is dropped', async () => {
  vi.useFakeTimers()
  visit('')
  vi.advanceTimersByTime(10_000)
  expect(await takeEarlyResponse('/api/me', 'a-token')).toBeUndefined()
})
