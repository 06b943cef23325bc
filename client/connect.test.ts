import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { connect, type ImageHost, RequestFailed } from './index.ts'

type Respond = (response: ServerResponse) => void

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A server that responds to its requests one after the other, and with the last response to all further ones. */
async function startServer(...responses: [Respond, ...Respond[]]) {
  const requests: { method: string; headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const respond = responses[Math.min(requests.length, responses.length - 1)]
      requests.push({ method: request.method ?? '', headers: request.headers, body: body.toString('latin1') })
      respond?.(response)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** A server that responds by the method of a request. */
async function startTusServer(respond: (method: string, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume().once('end', () => respond(request.method ?? '', response.setHeader('tus-resumable', '1.0.0')))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const refusal = (status: number, retryAfter?: string) =>
  json(status, { error: 'No', code: 'no' }, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
const ok = json(200, { success: true })
const closed: Respond = (response) => response.destroy()
const cutBody: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{')
  setTimeout(() => response.destroy(), 20)
}

const calls = {
  GET: (host: ImageHost) => host.getLimits(),
  DELETE: (host: ImageHost) => host.deleteApiKey({ params: { id: 'x' } }),
  POST: (host: ImageHost) => host.extendImage({ params: { id: 'x' }, body: {} }),
  upload: (host: ImageHost) => host.uploadImage(new Blob(['bytes']), { fileName: 'a.png' }),
}

describe('a request', () => {
  it.each<[keyof typeof calls, string, Respond, number]>([
    ['GET', 'a closed connection', closed, 2],
    ['GET', 'a connection that closes in the body', cutBody, 2],
    ['GET', '503', refusal(503), 2],
    ['GET', '503 with Retry-After', refusal(503, '0'), 2],
    ['GET', '400', refusal(400), 1],
    ['GET', '507', refusal(507), 1],
    ['DELETE', '502', refusal(502), 2],
    ['POST', 'a closed connection', closed, 1],
    ['POST', '503', refusal(503), 1],
    ['POST', '429', refusal(429, '0'), 2],
    ['upload', 'a closed connection', closed, 2],
    ['upload', '500', refusal(500), 2],
    ['upload', '415', refusal(415), 1],
  ])('%s after %s', async (name, _what, first, expected) => {
    const { url, requests } = await startServer(first, ok)
    const result = await calls[name](connect({ url })).catch((error: unknown) => error)
    expect(requests).toHaveLength(expected)
    if (expected === 1) expect(result).toBeInstanceOf(RequestFailed)
    else expect(result).toEqual({ success: true })
  })

  it('that always fails ends after the attempts, with the last refusal', async () => {
    const { url, requests } = await startServer(refusal(500))
    await expect(connect({ url, attempts: 3 }).getLimits()).rejects.toMatchObject({
      status: 500,
      code: 'no',
      message: 'No',
    })
    expect(requests).toHaveLength(3)
  })

  it.each([429, 503])(
    'waits as %i demands without counting it as an attempt, and reports each wait',
    async (status) => {
      const { url } = await startServer(refusal(status, '1'), refusal(status, '0'), ok)
      const waits: number[] = []
      await connect({ url, attempts: 1, onRetry: ({ waitMs }) => waits.push(waitMs) }).getLimits()
      // Repeated waits get longer, whatever is demanded.
      expect(waits).toEqual([1000, expect.any(Number)])
      expect(waits[1]).toBeGreaterThanOrEqual(500)
    },
  )

  it('ends when its waits would take too long in total', async () => {
    const { url, requests } = await startServer(refusal(503, '0'))
    await expect(connect({ url, maxWaitMs: 1000 }).getLimits()).rejects.toMatchObject({ status: 503 })
    expect(requests.length).toBeGreaterThan(1)
  })

  it.each([500, 502, 504])('fails when %i demands a wait that is too long', async (status) => {
    const { url, requests } = await startServer(refusal(status, '86400'), ok)
    await expect(connect({ url }).getLimits()).rejects.toMatchObject({ status, retryAfterMs: 86_400_000 })
    expect(requests).toHaveLength(1)
  })

  it('fails when the demanded wait is too long', async () => {
    const { url, requests } = await startServer(refusal(429, '60'))
    await expect(connect({ url, maxWaitMs: 59_999 }).getLimits()).rejects.toMatchObject({ retryAfterMs: 60_000 })
    expect(requests).toHaveLength(1)
  })

  it('ends with the reason of a signal that aborted before, and leaves no rejection behind', async () => {
    const { url, requests } = await startServer(ok)
    const left: unknown[] = []
    const note = (error: unknown) => left.push(error)
    process.on('unhandledRejection', note)
    const reason = new Error('stopped')
    const host = connect({ url, signal: AbortSignal.abort(reason) })
    await expect(calls.upload(host)).rejects.toBe(reason)
    // Blobs are read in turns of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 50))
    process.off('unhandledRejection', note)
    expect(left).toEqual([])
    expect(requests).toEqual([])
  })

  it('ends with the reason of its signal, while it waits too', async () => {
    const { url } = await startServer(refusal(429, '60'))
    const stopping = new AbortController()
    const reason = new Error('stopped')
    const host = connect({ url, signal: stopping.signal, onRetry: () => setTimeout(() => stopping.abort(reason)) })
    await expect(host.getLimits()).rejects.toBe(reason)
    await expect(host.getLimits()).rejects.toBe(reason)
  })

  it('carries the key', async () => {
    const { url, requests } = await startServer(ok)
    await connect({ url: `${url}/`, apiKey: 'ik_1' }).getLimits()
    expect(requests[0]?.headers.authorization).toBe('Bearer ik_1')
  })
})

it('repeats an upload with the same Idempotency-Key and all of its form', async () => {
  const { url, requests } = await startServer(refusal(503, '0'), json(201, { id: '1' }))
  await connect({ url }).uploadImage(new Blob(['bytes']), { fileName: 'a.png', expiresIn: '7d' })
  const [first, second] = requests
  expect(first?.headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/)
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
  for (const part of ['name="expires_in"', '7d', 'filename="a.png"', 'bytes']) expect(second?.body).toContain(part)
})

it.each([
  ['small', 5],
  ['large', 2 * 1024 ** 2],
])('sends what is known of a %s image along with it', async (_size, bytes) => {
  const { url, requests } = await startServer(refusal(400))
  const about = { title: 'Harbour', alt: 'Boats', maxViews: 5, tags: ['sea', 'travel/italy'], album: 'a1' }
  const options = { fileName: 'ä.png', expiresIn: '7d', visibility: 'private' as const, ...about }
  await connect({ url })
    .uploadImage(new Blob([new Uint8Array(bytes)]), options)
    .catch(() => {})
  const [request] = requests
  const metadata = String(request?.headers['upload-metadata'] ?? '')
  const form = [...(request?.body ?? '').matchAll(/name="(\w+)"\r\n\r\n(.*)\r\n/g)].map(([, name, value]) => [
    name,
    value,
  ])
  const pairs = metadata.split(',').map((pair) => pair.split(' '))
  const tus = pairs.map(([name, value = '']) => [name, Buffer.from(value, 'base64').toString()])
  const { filename: _name, ...sent } = Object.fromEntries(metadata === '' ? form : tus) as Record<string, string>
  expect(sent).toEqual({
    expires_in: '7d',
    visibility: 'private',
    title: 'Harbour',
    alt: 'Boats',
    max_views: '5',
    tags: 'sea,travel/italy',
    album: 'a1',
  })
})

it.each<[string, Respond, string]>([
  [
    'a redirect',
    (response) => response.writeHead(301, { location: 'https://x.example/' }).end(),
    'redirects to https://x.example/: use that address',
  ],
  [
    'another server',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    'is not an Image Host',
  ],
  [
    'a proxy without the server',
    (response) => response.writeHead(404).end(),
    'The server responded with 404 Not Found',
  ],
])('the message describes %s', async (_what, respond, message) => {
  const { url } = await startServer(respond)
  await expect(connect({ url }).getLimits()).rejects.toThrow(message)
})

it.each([
  ['http://127.0.0.1:9', '127.0.0.1:9 cannot be reached: '],
  ['http://nowhere.invalid', 'nowhere.invalid cannot be reached: '],
])('the message says that %s cannot be reached', async (url, message) => {
  const failure: unknown = await connect({ url, attempts: 1 })
    .getLimits()
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'RequestFailed', status: 0, message: expect.stringContaining(message) })
})

it('fails after the time limit', async () => {
  const { url } = await startServer(() => {})
  await expect(connect({ url, attempts: 1, timeoutMs: 50 }).getLimits()).rejects.toThrow('no response within')
})

it('an address without http:// or https:// is refused', () => {
  expect(() => connect({ url: 'img.example.com' })).toThrow('img.example.com is not an address that begins with')
})

it('a resumable upload asks again when the server has more of it than the last response said', async () => {
  const requests: string[] = []
  const size = 2 * 1024 ** 2
  const { url } = await startTusServer((method, response) => {
    requests.push(method)
    const attempt = requests.filter((each) => each === 'PATCH').length
    if (method === 'PATCH' && attempt === 1) json(409, { error: 'No', code: 'wrong_offset' })(response)
    else if (method === 'PATCH') json(200, { id: '1' }, { 'upload-offset': String(size) })(response)
    else if (method === 'POST') response.writeHead(201, { location: '/api/uploads/1' }).end()
    else
      response
        .writeHead(200, { 'upload-offset': attempt === 0 ? '0' : String(size - 1), 'upload-length': String(size) })
        .end()
  })
  expect(await connect({ url }).uploadImage(new Blob([new Uint8Array(size)]))).toEqual({ id: '1' })
  expect(requests).toEqual(['POST', 'HEAD', 'PATCH', 'HEAD', 'PATCH'])
})
