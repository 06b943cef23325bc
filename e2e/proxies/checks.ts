// What every proxy must do in front of Image Host.
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { type Client, clientAddress, imageForm } from './client.ts'

export interface Context {
  call: Client
  /** Its name. */
  proxy: string
  /** Log lines of the server so far. */
  log(): Record<string, unknown>[]
  httpsPort: number
  ca: Buffer
  /** Almost the largest that a user may upload. */
  largeImage: Buffer
  smallImage: Buffer
  /** Stops the server cleanly and starts it again on its data. */
  restart(): Promise<void>
}

interface Uploaded {
  id: string
  url: string
  delete_token: string
}

type Check = (context: Context) => Promise<void>

function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`)
}

async function upload({ call }: Context, bytes: Buffer): Promise<Uploaded> {
  const { status, body } = await call('/api/upload', { method: 'POST', ...imageForm(bytes) })
  if (status !== 201) throw new Error(`the upload responds ${status}: ${body.toString().slice(0, 200)}`)
  return JSON.parse(body.toString()) as Uploaded
}

const type = (name: string) => ({ 'content-type': `application/${name}` })

const pathOf = ({ url }: Uploaded) => new URL(url).pathname

export const checks: Record<string, Check> = {
  async 'redirects HTTP to HTTPS, with path and query'({ call }) {
    const { status, headers } = await call('/about?a=b', { isPlain: true })
    if (![301, 308].includes(status)) throw new Error(`responds ${status}`)
    const { protocol, hostname, pathname, search } = new URL(headers.location ?? '')
    expectEqual([protocol, hostname, pathname, search], ['https:', 'img.example.com', '/about', '?a=b'], 'location')
  },

  async 'refuses without TLS whatever may carry a key'({ call, smallImage, proxy }) {
    // Traefik redirects everything.
    if (proxy === 'Traefik') return
    const paths = ['/api/limits', '/k/ih_key/api/images', '/3/credits', '/mcp', '/metrics']
    for (const path of paths) expectEqual((await call(path, { isPlain: true })).status, 403, path)
    for (const path of ['/upload', '/1/upload', '/3/image', '/mcp', '/share-target']) {
      const { status } = await call(path, { isPlain: true, method: 'POST', ...imageForm(smallImage) })
      expectEqual(status, 403, `POST ${path}`)
    }
    const image = await call('/i/AAAAAAAAAAAAAAAAAAAAAA', { isPlain: true, method: 'HEAD' })
    expectEqual([301, 308].includes(image.status), true, 'an image is redirected')
  },

  async 'serves the page with HSTS for a year'({ call }) {
    const { status, headers } = await call('/')
    expectEqual([status, headers['strict-transport-security']?.includes('max-age=31536000')], [200, true], 'page')
  },

  async 'passes the precompressed page and its Vary unchanged'({ call }) {
    const { headers, body } = await call('/', { headers: { 'accept-encoding': 'br', accept: 'text/html' } })
    expectEqual(headers['content-encoding'], 'br', 'content-encoding')
    if (!brotliDecompressSync(body).toString().includes('<html')) throw new Error('the body is not the page')
    for (const name of ['accept', 'accept-encoding'])
      if (!headers.vary?.toLowerCase().split(/, */).includes(name)) throw new Error(`Vary is ${headers.vary}`)
  },

  async 'takes an upload of 10 MB and names it by the public address'(context) {
    const image = await upload(context, context.largeImage)
    expectEqual(new URL(image.url).origin, 'https://img.example.com', 'origin')
    const { status, body } = await context.call(pathOf(image), { method: 'HEAD' })
    expectEqual([status, body.length], [200, 0], 'HEAD')
  },

  async 'passes every body that the server takes, base64 and several images included'({ call, largeImage }) {
    const base64 = largeImage.toString('base64')
    const bodies: [what: string, path: string, sent: { headers: Record<string, string>; body: Buffer }][] = [
      ['10 MB in JSON', '/api/upload', { headers: type('json'), body: Buffer.from(JSON.stringify({ image: base64 })) }],
      [
        '10 MB in a form of imgbb',
        '/1/upload',
        { headers: type('x-www-form-urlencoded'), body: Buffer.from(`image=${encodeURIComponent(base64)}`) },
      ],
      ['two images of 7 MB', '/upload', imageForm(largeImage.subarray(0, 7e6), largeImage.subarray(0, 7e6))],
      ['ten images of 10 MB as base64', '/upload', imageForm(...Array.from({ length: 10 }, () => Buffer.from(base64)))],
    ]
    for (const [what, path, sent] of bodies) {
      const { status, body } = await call(path, { method: 'POST', ...sent })
      if (![200, 201].includes(status)) throw new Error(`${what}: ${status} ${body.toString().slice(0, 200)}`)
    }
  },

  async 'leaves the refusal of an upload that is too large to the server'({ call, largeImage }) {
    const large = Buffer.concat([largeImage, Buffer.alloc(2 * 1024 ** 2)])
    const { status, body } = await call('/api/upload', { method: 'POST', ...imageForm(large) })
    expectEqual([status, body.toString().includes('file_too_large')], [413, true], 'refusal')
  },

  async 'serves ranges'(context) {
    const path = pathOf(await upload(context, context.smallImage))
    const whole = await context.call(path)
    const part = await context.call(path, { headers: { range: 'bytes=10-19' } })
    expectEqual([part.status, part.headers['content-range']], [206, `bytes 10-19/${whole.body.length}`], 'range')
    expectEqual(part.body.equals(whole.body.subarray(10, 20)), true, 'bytes')
    expectEqual((await context.call(path, { headers: { range: 'bytes=99999999-' } })).status, 416, 'beyond the end')
  },

  async 'revalidates with 304'(context) {
    const path = pathOf(await upload(context, context.smallImage))
    const { headers } = await context.call(path)
    const again = await context.call(path, { headers: { 'if-none-match': headers.etag ?? '' } })
    expectEqual([again.status, again.headers['cache-control']], [304, headers['cache-control']], 'response')
  },

  async 'passes Accept, and Vary of a format that depends on it'(context) {
    const { id } = await upload(context, context.smallImage)
    const typeFor = async (accept: string) => {
      const { status, headers } = await context.call(`/i/${id}.jpg?w=200&fmt=auto`, { headers: { accept } })
      expectEqual([status, headers.vary?.toLowerCase().includes('accept')], [200, true], 'response')
      return headers['content-type']
    }
    expectEqual(await typeFor('image/jpeg'), 'image/jpeg', 'without WebP')
    expectEqual(await typeFor('image/webp'), 'image/webp', 'with WebP')
  },

  async 'serves a deleted image no longer'(context) {
    const image = await upload(context, context.smallImage)
    await context.call(pathOf(image))
    const headers = { 'x-guest-token': image.delete_token }
    expectEqual((await context.call(`/api/images/${image.id}`, { method: 'DELETE', headers })).status, 200, 'delete')
    expectEqual((await context.call(pathOf(image))).status, 410, 'status')
  },

  async 'lets the server log the address of the client, also when the client forges another'({ call, log }) {
    await call('/forged', { headers: { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' } })
    for (let tries = 0; tries < 50; tries++, await sleep(50)) {
      const line = log().find(({ path }) => path === '/forged')
      if (line) return expectEqual(line['address'], clientAddress, 'address')
    }
    throw new Error('the request is not in the log')
  },

  async 'passes encoded names as they are'({ call }) {
    const { status, body } = await call('/uploads/a%2Fb%C3%BC.png')
    expectEqual([status, body.toString().includes('not_found')], [404, true], 'response of the server')
  },

  async 'ends an upload that sends a byte a second'(context) {
    const { body, headers } = imageForm(context.smallImage)
    const socket = await connectTls(context)
    let received = ''
    socket.on('data', (chunk) => (received += chunk)).on('error', () => {})
    const closed = once(socket, 'close')
    const head = { host: 'img.example.com', 'content-length': String(body.length), ...headers }
    socket.write(
      `POST /api/upload HTTP/1.1\r\n${Object.entries(head)
        .map((pair) => pair.join(': '))
        .join('\r\n')}\r\n\r\n`,
    )
    const limit = AbortSignal.timeout(75_000)
    for (let at = 0; !socket.destroyed && received === '' && !limit.aborted; at++) {
      socket.write(body.subarray(at, at + 1))
      await sleep(1000)
    }
    if (limit.aborted) throw new Error('the connection is open after 75 s')
    socket.destroy()
    await closed
    if (received !== '' && !/^HTTP\/1\.1 (408|4\d\d|502)/.test(received))
      throw new Error(`received ${received.slice(0, 100)}`)
  },

  async 'speaks TLS 1.2 and 1.3 only'(context) {
    const socket = await connectTls(context)
    expectEqual(socket.getProtocol(), 'TLSv1.3', 'protocol')
    socket.destroy()
    const old = await connectTls({ ...context, maxVersion: 'TLSv1.1' }).catch(() => 'refused')
    expectEqual(old, 'refused', 'TLS 1.1')
  },

  async 'reaches the server as soon as it has restarted'({ call, restart, proxy }) {
    const seen = new Set<string>()
    let isOver = false
    const restarted = restart().finally(() => (isOver = true))
    while (!isOver) {
      const { status, body } = await call('/about')
      seen.add(
        status !== 200 && body.includes('http-equiv=refresh') ? `${status}, a page that loads again` : `${status}`,
      )
      await sleep(50)
    }
    await restarted
    expectEqual((await call('/readyz')).status, 200, 'status')
    // The others cannot wait for it, and Traefik has no page of its own for it.
    const meanwhile = proxy === 'Caddy' ? ['200'] : ['200', '503, a page that loads again']
    if (proxy !== 'Traefik') expectEqual([...seen].toSorted(), meanwhile, 'meanwhile')
  },
}

async function connectTls({
  httpsPort,
  ca,
  maxVersion,
}: Pick<Context, 'httpsPort' | 'ca'> & { maxVersion?: 'TLSv1.1' }): Promise<TLSSocket> {
  // The client must support the old version itself.
  const old = maxVersion && { minVersion: 'TLSv1' as const, maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' }
  const socket = connect({ host: '127.0.0.1', port: httpsPort, servername: 'img.example.com', ca, ...old })
  await once(socket, 'secureConnect')
  return socket
}
