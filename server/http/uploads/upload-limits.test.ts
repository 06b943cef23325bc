// Uploads have limits of their own: pages load meanwhile, and refused uploads are bounded all the same.
// upload-doors.test.ts tests that they hold for each way to upload.
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { multipart } from '../../testing/client-requests.ts'
import { jpeg, png } from '../../testing/test-images.ts'

let app: TestApp
afterEach(() => app.stop())

const rateLimit = 3
const uploadRequests = rateLimit * limits.rate.uploadFactor
const start = (settings: Record<string, string> = {}) => startTestApp({ RATE_LIMIT: String(rateLimit), ...settings })
const times = <T>(count: number, call: () => Promise<T>) => Promise.all(Array.from({ length: count }, call))
const statusesOf = async (responses: Promise<{ status: number }[]>) => {
  const counts: Record<number, number> = {}
  for (const { status } of await responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

it.each(['a user', 'a guest'])('%s uploads many files, and their pages load meanwhile', async (who) => {
  app = await start()
  const token = who === 'a user' ? (await app.newUser()).token : undefined
  const image = await jpeg(32, 32)
  const uploads = times(3 * rateLimit, () => app.upload(image, { token }))
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

it('an upload above the limit of an hour reports that none is left until it ends', async () => {
  app = await start({ GUEST_UPLOADS_PER_HOUR: '1' })
  const upload = async () => app.upload(await png(16, 16))
  expect((await upload()).status).toBe(201)
  const { status, headers } = await upload()
  const wait = headers.get('retry-after')
  expect(Number(wait)).toBeGreaterThan(60)
  expect([status, headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')]).toEqual([429, '0', wait])
})

it('a form above its own limit leaves the number of requests that are left as it is', async () => {
  app = await start({ RATE_LIMIT: '100' })
  const message = { name: 'Ada', email: 'ada@example.com', subject: 'Hello', message: 'A question' }
  const body = { lib_version: '4.4.1', service_id: 's', template_id: 't', user_id: 'u', template_params: message }
  const send = async () => app.call('POST', '/api/v1.0/email/send', { body })
  for (let n = 0; n < limits.contact.perAddress.limit; n++) expect((await send()).status).toBe(200)
  const { status, headers } = await send()
  expect([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([429, '100', '94'])
  expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
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

describe('the limit of an hour counts files', () => {
  const once = { USER_UPLOADS_PER_HOUR: '1', GUEST_UPLOADS_PER_HOUR: '1' }

  it('not those that a busy server refused', async () => {
    app = await startTestApp(once, undefined, { ownDecoders: true })
    const { token } = await app.newUser()
    const image = await jpeg(16, 16)
    await app.deps.imaging.close()
    const statuses = []
    for (const caller of [undefined, undefined, token, token])
      statuses.push((await app.upload(image, { token: caller })).status)
    expect(statuses).toEqual([503, 503, 503, 503])
  })

  it('not those whose connection was lost', async () => {
    app = await startTestApp(once)
    const { headers, body } = multipart([{ name: 'image', fileName: 'a.png', value: await png(200, 200) }])
    const { hostname, port } = new URL(app.url)
    const head = `POST /api/upload HTTP/1.1\r\nhost: x\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: ${body.length}\r\n\r\n`
    for (let n = 0; n < 2; n++) {
      const socket = connect(Number(port), hostname)
      socket.write(head)
      socket.write(body.subarray(0, body.length / 2))
      await expect.poll(() => app.deps.uploadsInFlight.total().images).toBe(1)
      socket.destroy()
      await expect.poll(() => app.deps.uploadsInFlight.total().images).toBe(0)
    }
    expect((await app.upload(await jpeg(16, 16))).status).toBe(201)
    expect((await app.upload(await jpeg(16, 16))).status).toBe(429)
  })

  it('those that a key may not upload do not use up that of its account', async () => {
    app = await startTestApp({ USER_UPLOADS_PER_HOUR: '2' })
    const { token } = await app.newUser()
    const body = { name: 'k', scopes: ['upload'], uploadsPerHour: 1 }
    const { key } = (await app.call('POST', '/api/api-keys', { token, body })).body
    const image = await jpeg(16, 16)
    const statuses = []
    for (const caller of [key, key, key, token, token])
      statuses.push((await app.upload(image, { token: caller })).status)
    expect(statuses).toEqual([201, 429, 429, 201, 429])
  })
})

it('requests of a resumable upload do not count as requests, and are limited all the same', async () => {
  app = await start()
  const { token } = await app.newUser()
  const bytes = await png(64, 64)
  const tus = { 'tus-resumable': '1.0.0' }
  const send = (method: string, path: string, headers: Record<string, string>, body?: Uint8Array<ArrayBuffer>) =>
    app.request(path, { method, headers: { ...tus, authorization: `Bearer ${token}`, ...headers }, body: body ?? null })
  const { headers } = await send('POST', '/api/uploads', { 'upload-length': String(bytes.length) })
  const path = headers.get('location') ?? ''
  const patch = (offset: number, to?: number) =>
    send(
      'PATCH',
      path,
      { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      new Uint8Array(bytes.subarray(offset, to)),
    )
  for (let offset = 0; offset < 2 * rateLimit; offset++) expect((await patch(offset, offset + 1)).status).toBe(204)
  expect((await app.call('GET', '/api/images', { token })).status).toBe(200)
  expect((await patch(2 * rateLimit)).status).toBe(200)
  const flood = await times(uploadRequests, () => patch(bytes.length, bytes.length))
  expect(flood.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  expect((await app.call('GET', '/api/images', { token })).status).toBe(200)
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
