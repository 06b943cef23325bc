// Uploads have limits of their own: pages load meanwhile, and refused uploads are bounded all the same.
import { afterEach, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { clientRequests } from '../testing/client-requests.ts'
import { jpeg, png } from '../testing/test-images.ts'

let app: TestApp
afterEach(() => app.stop())

const rateLimit = 3
const uploadRequests = rateLimit * limits.rate.uploadFactor
const start = (settings: Record<string, string> = {}) => startTestApp({ RATE_LIMIT: String(rateLimit), ...settings })
const remainingOf = ({ headers }: { headers: Headers }) => Number(headers.get('ratelimit-remaining'))
const times = <T>(count: number, call: () => Promise<T>) => Promise.all(Array.from({ length: count }, call))
const statusesOf = async (responses: Promise<{ status: number }[]>) => {
  const counts: Record<number, number> = {}
  for (const { status } of await responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

it.each(['a user', 'a guest'])('%s uploads many files, and their pages load meanwhile', async (who) => {
  app = await start()
  const token = who === 'a user' ? (await app.newUser()).token : undefined
  const picture = await jpeg(32, 32)
  const uploads = times(3 * rateLimit, () => app.upload(picture, { token }))
  const { status: before } = await app.call('GET', '/api/limits', { token })
  expect(await statusesOf(uploads)).toEqual({ 201: 3 * rateLimit })
  expect([before, (await app.call('GET', '/api/limits', { token })).status]).toEqual([200, 200])
})

it('an upload reports the limit that counts it', async () => {
  app = await start()
  const { headers } = await app.upload(await jpeg(32, 32))
  expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([
    String(uploadRequests),
    String(uploadRequests - 1),
  ])
})

it('uploads by the protocols of other hosts do not count as requests', async () => {
  app = await start({ UPLOAD_BY_URL: 'off' })
  const user = await app.newUser()
  const { body } = await app.call('POST', '/api/api-keys', {
    token: user.token,
    body: { name: 'k', scopes: ['upload'] },
  })
  const read = () => app.call('GET', '/api/me', { token: user.token })
  const before = remainingOf(await read())
  const picture = await png(16, 16)
  for (const [, build] of clientRequests) {
    const { path, ...request } = build(body.key, picture)
    const { status } = await app.request(path, { method: 'POST', ...request, body: new Uint8Array(request.body) })
    expect(status).toBeLessThan(300)
  }
  expect(remainingOf(await read())).toBe(before - 1)
})

it('uploads of assistants do not count as requests, their other calls do', async () => {
  app = await start()
  const { token } = await app.newUser()
  const { body } = await app.call('POST', '/api/api-keys', { token, body: { name: 'k', scopes: ['manage'] } })
  const call = (name: string, args: object) =>
    app.call('POST', '/mcp', {
      token: body.key,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    })
  const data = (await jpeg(16, 16)).toString('base64')
  expect(await statusesOf(times(2 * rateLimit, () => call('upload_image', { data })))).toEqual({ 200: 2 * rateLimit })
  expect((await app.call('GET', '/api/images', { token })).body).toHaveLength(2 * rateLimit)
  expect(await statusesOf(times(2, () => call('list_images', {})))).toEqual({ 200: 1, 429: 1 })
})

describe('a flood', () => {
  it('of refused uploads is limited, and leaves the pages of its address alone', async () => {
    app = await start()
    const flood = times(uploadRequests + 5, () => app.call('POST', '/api/upload', { body: {} }))
    const responses = await flood
    expect(await statusesOf(flood)).toMatchObject({ 429: expect.any(Number) })
    const refused = responses.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await app.call('GET', '/api/limits')).status).toBe(200)
  })

  it('of empty forms ends with the limit of upload requests', async () => {
    app = await start()
    const form = { 'content-type': 'multipart/form-data; boundary=x' }
    const flood = times(uploadRequests + 5, () => app.call('POST', '/api/upload', { body: '--x--', headers: form }))
    expect(await statusesOf(flood)).toEqual({ 400: uploadRequests, 429: 5 })
  })

  it('of invalid credentials counts for its address, as every wrong guess does', async () => {
    app = await start()
    const guess = () => app.call('POST', '/api/upload', { token: `ik_${'x'.repeat(49)}` })
    expect(await statusesOf(times(rateLimit + 4, guess))).toEqual({ 401: rateLimit, 429: 4 })
    expect((await app.call('GET', '/api/limits')).status).toBe(429)
  })

  it('of bodies whose sender is known only after reading them is limited like requests', async () => {
    app = await start()
    const send = () => app.call('POST', '/api/upload', { body: { image: 'bm8gaW1hZ2U=' } })
    expect(await statusesOf(times(rateLimit + 4, send))).toEqual({ 415: rateLimit, 429: 4 })
  })
})
