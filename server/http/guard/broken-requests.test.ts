import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pino } from 'pino'
import { openMetrics } from '../../metrics.ts'
import { builtPage, startTestApp, type TestApp } from '../../testing/app.ts'
import { type RawResponse, sendRaw } from '../../testing/raw-http.ts'
import { buildServer } from '../build-server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: 'https://img.example.com' })
})
afterAll(() => app.stop())

const close = 'Host: x\r\nConnection: close\r\n'
const get = (path: string, version = 'HTTP/1.1', headers = close) => `GET ${path} ${version}\r\n${headers}\r\n`
const post = (headers: string, body = '{}') =>
  `POST /api/login HTTP/1.1\r\n${close}Content-Type: application/json\r\n${headers}\r\n${body}`
const notHttp = 'The request is not valid HTTP: '

function expectRefusal({ status, headers, body }: RawResponse, expected: [status: number, code: string, text: string]) {
  expect([status, body.code, body.error]).toEqual([expected[0], expected[1], expect.stringContaining(expected[2])])
  expect(Object.keys(body)).toEqual(['error', 'code'])
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    connection: 'close',
  })
}

describe('a malformed request', () => {
  const cases: [what: string, sent: string, status: number, code: string, text: string][] = [
    ['no HTTP', 'hello world\r\n\r\n', 400, 'malformed_request', `${notHttp}Invalid method`],
    [
      'the preface of HTTP/2',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      400,
      'malformed_request',
      'This server supports HTTP/1.1 only',
    ],
    ['version HTTP/2.0', get('/healthz', 'HTTP/2.0'), 400, 'malformed_request', 'This server supports HTTP/1.1 only'],
    ['a version that does not exist', get('/healthz', 'HTTP/1.2'), 400, 'malformed_request', 'Invalid HTTP version'],
    ['no version', 'GET /healthz\r\n\r\n', 400, 'malformed_request', 'This server supports HTTP/1.1 only'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\n\r\n', 400, 'malformed_request', 'Invalid method'],
    ['lines that end in LF', 'GET / HTTP/1.1\nHost: x\n\n', 400, 'malformed_request', 'Expected CRLF'],
    ['a control character in the path', get('/heal\0'), 400, 'malformed_request', 'Invalid char in url path'],
    ['a NUL in a header', get('/', 'HTTP/1.1', 'X: a\0b\r\n'), 400, 'malformed_request', 'Invalid header value'],
    ['a folded header', get('/', 'HTTP/1.1', 'X: a\r\n b\r\n'), 400, 'malformed_request', 'whitespace'],
    ['a space before the colon', get('/', 'HTTP/1.1', 'X : a\r\n'), 400, 'malformed_request', 'Invalid header token'],
    ['no Host', get('/healthz', 'HTTP/1.1', ''), 400, 'malformed_request', 'it needs one Host'],
    ['two Hosts', get('/healthz', 'HTTP/1.1', 'Host: a\r\nhost: b\r\n'), 400, 'malformed_request', 'it needs one Host'],
    [
      'two lengths',
      post('Content-Length: 2\r\nContent-Length: 3\r\n'),
      400,
      'malformed_request',
      'Duplicate Content-Length',
    ],
    ['one length twice', post('Content-Length: 2\r\nContent-Length: 2\r\n'), 400, 'malformed_request', 'Duplicate'],
    [
      'a length and chunks',
      post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
      400,
      'malformed_request',
      "Transfer-Encoding can't be present with Content-Length",
    ],
    [
      'an unknown transfer encoding',
      post('Transfer-Encoding: gzip\r\n'),
      400,
      'malformed_request',
      'Transfer-Encoding',
    ],
    ['chunks twice', post('Transfer-Encoding: chunked, chunked\r\n'), 400, 'malformed_request', 'Transfer-Encoding'],
    ['a negative length', post('Content-Length: -1\r\n'), 400, 'malformed_request', 'Content-Length'],
    ['a length above 64 bits', post(`Content-Length: ${'9'.repeat(20)}\r\n`), 400, 'malformed_request', 'overflow'],
    ['a header of 20 kB', get('/', 'HTTP/1.1', `X: ${'x'.repeat(20_000)}\r\n`), 431, 'head_too_large', '16384 bytes'],
    ['a URL of 20 kB', get(`/${'x'.repeat(20_000)}`), 431, 'head_too_large', '16384 bytes'],
    ['an unknown expectation', post('Expect: tea\r\nContent-Length: 2\r\n'), 417, 'expectation_failed', '100-continue'],
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed', 'Method CONNECT'],
  ]
  it.each(cases)('with %s is refused with an error of the API and logged once', async (_, sent, ...expected) => {
    app.logged.splice(0)
    const responses = await sendRaw(app.url, sent)
    expect(responses).toHaveLength(1)
    expectRefusal(responses[0] as RawResponse, expected)
    const lines = app.logged.filter(({ reqId }) => reqId === responses[0]?.headers['x-request-id'])
    expect(lines).toMatchObject([{ msg: 'request', status: expected[0], level: 30 }])
  })

  it('after a valid request on the same connection is refused once', async () => {
    const responses = await sendRaw(app.url, `${get('/healthz', 'HTTP/1.1', 'Host: x\r\n')}GARBAGE\r\n\r\n`)
    expectRefusal(responses.at(-1) as RawResponse, [400, 'malformed_request', 'Invalid method'])
    // No further response that a client could assign to its next request.
    expect(responses.every(({ status }) => status === 200 || status === 400)).toBe(true)
  })

  it('gets no body in the response to HEAD', async () => {
    const [response] = await sendRaw(app.url, `HEAD / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(response).toMatchObject({ status: 431, body: '' })
    expect(Number(response?.headers['content-length'])).toBeGreaterThan(0)
  })

  it('in the middle of an upload leaves no file', async () => {
    const form = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n\x89PNG'
    const head = `POST /api/upload HTTP/1.1\r\n${close}Content-Type: multipart/form-data; boundary=x\r\n`
    const chunk = `${form.length.toString(16)}\r\n${form}\r\n`
    const responses = await sendRaw(app.url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}not a length\r\n`)
    expectRefusal(responses[0] as RawResponse, [400, 'malformed_request', 'chunk size'])
    await expect.poll(() => app.files('tmp')).toEqual([])
  })

  it('is recognized after any number of headers', async () => {
    const many = 'a:\r\n'.repeat(2100)
    const [twoHosts] = await sendRaw(app.url, get('/healthz', 'HTTP/1.1', `${close}${many}Host: y\r\n`))
    expectRefusal(twoHosts as RawResponse, [400, 'malformed_request', 'it needs one Host'])
    const [tea] = await sendRaw(app.url, post(`${many}Expect: tea\r\nContent-Length: 2\r\n`))
    expectRefusal(tea as RawResponse, [417, 'expectation_failed', '100-continue'])

    const behind = await startTestApp({ TRUST_PROXY: '1' })
    try {
      await sendRaw(behind.url, get('/healthz', 'HTTP/1.1', `${close}${many}X-Forwarded-For: 203.0.113.9\r\n`))
      await expect.poll(() => behind.logged.find(({ path }) => path === '/healthz')?.['address']).toBe('203.0.113.9')
    } finally {
      await behind.stop()
    }
  })

  it('is distinguished from unusual requests that HTTP allows', async () => {
    const allowed = [get('/healthz', 'HTTP/1.0', ''), get('/healthz', 'HTTP/1.1', 'Host:\r\nConnection: close\r\n')]
    for (const sent of allowed) expect((await sendRaw(app.url, sent))[0]?.status).toBe(200)
    const continued = await sendRaw(app.url, post('Expect: 100-continue\r\nContent-Length: 2\r\n'))
    expect(continued.map(({ status }) => status)).toEqual([100, 400])
  })
})

describe('a connection reset before the refusal is sent', () => {
  it.each([
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\n\r\n'],
    ['CONNECT after a request', `${get('/healthz', 'HTTP/1.1', 'Host: x\r\n')}CONNECT a:1 HTTP/1.1\r\n\r\n`],
    ['an upgrade', get('/healthz', 'HTTP/1.1', 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n')],
    ['an expectation', post('Expect: tea\r\nContent-Length: 2\r\n')],
    ['no HTTP', 'hello world\r\n\r\n'],
  ])('after %s causes no uncaught exception', async (_, sent) => {
    const uncaught: Error[] = []
    const onUncaught = (error: Error) => void uncaught.push(error)
    process.on('uncaughtExceptionMonitor', onUncaught)
    try {
      for (let n = 0; n < 100; n++) {
        const client = connect(Number(new URL(app.url).port), '127.0.0.1')
        await once(client, 'connect')
        client.write(sent)
        client.resetAndDestroy()
        await once(client, 'close')
      }
      expect((await app.request('/healthz')).status).toBe(200)
    } finally {
      process.off('uncaughtExceptionMonitor', onUncaught)
    }
    expect(uncaught).toEqual([])
  })
})

describe('an incomplete request', () => {
  it('gets 408 after the timeout', async () => {
    const server = await buildServer(
      { ...app.deps, metrics: openMetrics() },
      pino({ level: 'silent' }),
      await builtPage(),
    )
    await server.listen({ host: '127.0.0.1', port: 0 })
    try {
      const { port } = server.server.address() as AddressInfo
      const client = connect(port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nHo'))
      const [socket] = (await once(server.server, 'connection')) as [Socket]
      // Emitted by Node after `headersTimeout`.
      server.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
      const received: Buffer[] = []
      for await (const part of client) received.push(part)
      const response = Buffer.concat(received).toString()
      expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
      expect(response).toContain('{"error":"The request was not received in time","code":"request_timeout"}')
    } finally {
      await server.close()
    }
  })
})

describe('a compressed body', () => {
  const form = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nx\r\n--x--\r\n'
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
  it.each([
    ['JSON', '/api/login', { 'content-type': 'application/json' }, '{}', 'application/json'],
    ['an upload', '/api/upload', multipart, form, 'multipart/form-data'],
    ['a form', '/api/v1.0/email/send-form', multipart, form, 'multipart/form-data'],
  ])('of %s is refused, naming its encoding', async (_, path, headers, body, expected) => {
    for (const encoding of ['gzip', 'br', 'deflate, gzip', 'x'.repeat(5000)]) {
      const refused = await app.request(path, {
        method: 'POST',
        headers: { ...headers, 'content-encoding': encoding },
        body,
      })
      expect(refused.status).toBe(415)
      expect(await refused.text()).toContain(`${expected} without Content-Encoding: ${encoding.slice(0, 40)}`)
    }
    const plain = await app.request(path, {
      method: 'POST',
      headers: { ...headers, 'content-encoding': 'identity' },
      body,
    })
    expect(await plain.text()).not.toContain('Content-Encoding')
  })
})
