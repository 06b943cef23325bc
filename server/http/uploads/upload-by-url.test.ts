// Uploads by URL: what is fetched, and that no URL, redirect or name server leads inside. The canary
// listens on every address of this machine; 127.8.8.8 is the only one that the client takes as public.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fetchRemoteImage } from '../../domain/uploads/remote-image.ts'
import { isPublicAddress } from '../../remote/public-addresses.ts'
import { openRemoteClient, type ResolvedAddress } from '../../remote/remote-client.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

/** Compressed here: in a response it takes longer than the client waits. */
const bomb = gzipSync(Buffer.alloc(50_000_000))
const outside = '127.8.8.8'
/** Each lookup of a name takes the next address; the last one stays. */
const names = new Map<string, string[]>()
const lookups: string[] = []
const resolve = async (host: string): Promise<ResolvedAddress[]> => {
  lookups.push(host)
  const answers = names.get(host) ?? []
  const address = (answers.length > 1 ? answers.shift() : answers[0]) ?? ''
  return address.split(' ').flatMap((one) => (one === '' ? [] : { address: one, family: one.includes(':') ? 6 : 4 }))
}
const remote = openRemoteClient({
  resolve,
  isAllowed: (address) => address === outside || isPublicAddress(address),
  idleMs: 300,
})

let app: TestApp
let token: string
let image: Buffer
let site: string
let port: number
let canaryPort: number
let connections = 0
const routes = new Map<string, RequestListener>()
const website = createServer((request, response) => {
  const path = (request.url ?? '').split('?')[0] ?? ''
  const serve = routes.get(path)
  if (serve) serve(request, response)
  else response.writeHead(404).end()
})
const canary = createTcpServer((socket) => {
  connections++
  socket.destroy()
})

beforeAll(async () => {
  app = await startTestApp({ UPLOAD_BY_URL: 'on' }, undefined, { wrap: async (deps) => ({ ...deps, remote }) })
  ;({ token } = await app.newUser())
  image = await jpeg()
  await once(website.listen(0, outside), 'listening')
  await once(canary.listen(0, '::'), 'listening')
  port = (website.address() as AddressInfo).port
  canaryPort = (canary.address() as AddressInfo).port
  site = `http://${outside}:${port}`
  routes.set('/photo%20one.jpg', (_, response) => response.end(image))
})
beforeEach(() => {
  connections = 0
  lookups.length = 0
})
afterAll(async () => {
  canary.close()
  website.closeAllConnections()
  website.close()
  await app.stop()
})

const uploadByUrl = (url: unknown) => app.call('POST', '/api/upload', { token, body: { url } })

describe('an image is uploaded by its URL', () => {
  it('in a JSON body, with the name in the URL', async () => {
    const { status, body } = await app.call('POST', '/api/upload', {
      token,
      body: { url: `${site}/photo%20one.jpg?size=1`, expires_in: '1d' },
    })
    expect([status, body.original_name, body.mime]).toEqual([201, 'photo one.jpg', 'image/jpeg'])
    expect(Date.parse(body.expires_at)).toBeLessThan(Date.now() + 90_000_000)
  })

  it('in the protocols of other hosts', async () => {
    const url = `${site}/photo%20one.jpg`
    const requests: [path: string, body: URLSearchParams | string][] = [
      ['/api/1/upload', new URLSearchParams({ source: url })],
      ['/1/upload', new URLSearchParams({ image: url })],
      ['/3/image', new URLSearchParams({ image: url, type: 'url' })],
      ['/upload', JSON.stringify({ list: [url, url] })],
    ]
    for (const [path, body] of requests) expect((await app.request(path, { method: 'POST', body })).status).toBe(200)
  })

  it('several in one upload, whose space adds up', async () => {
    let reservedBytes = 0
    routes.set('/third.jpg', (_, response) => {
      reservedBytes = app.deps.uploadsInFlight.total().bytes
      response.end(image)
    })
    const url = `${site}/photo%20one.jpg`
    const response = await app.request('/upload', {
      method: 'POST',
      body: JSON.stringify({ list: [url, url, `${site}/third.jpg`] }),
    })
    expect([response.status, reservedBytes]).toEqual([200, 2 * image.length])
    expect(app.deps.uploadsInFlight.total()).toEqual({ images: 0, bytes: 0 })
  })

  it('in the field of a form, also of a guest', async () => {
    const form = new FormData()
    form.append('url', `${site}/photo%20one.jpg`)
    const response = await app.request('/api/upload', { method: 'POST', body: form })
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ is_guest: true, delete_token: expect.any(String) })
  })

  it('through redirects, each resolved again', async () => {
    names.set('images.example', [outside])
    routes.set('/one', (_, response) => response.writeHead(302, { location: '/two' }).end())
    routes.set('/two', (_, response) =>
      response.writeHead(308, { location: `http://images.example:${port}/photo%20one.jpg` }).end(),
    )
    expect((await uploadByUrl(`http://images.example:${port}/one`)).status).toBe(201)
    expect(lookups).toEqual(['images.example', 'images.example', 'images.example'])
  })

  it('from the address that was checked, whatever the name server says next', async () => {
    names.set('rebinding.example', [outside, '127.0.0.1'])
    expect((await uploadByUrl(`http://rebinding.example:${port}/photo%20one.jpg`)).status).toBe(201)
    expect(lookups).toEqual(['rebinding.example'])
  })
})

describe('a URL that leads inside', () => {
  const addresses = [
    '127.0.0.1',
    '127.1',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    '0',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2001:0:7f00:1::]',
    '[2001:db8::1]',
    '[2002:7f00:1::]',
    '[3fff::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
  ]
  const refusal = { status: 422, body: { code: 'url_not_fetched' } }
  const problem = 'The image could not be fetched from its URL: its host is unknown or not public'

  it('by an address in any spelling is refused before a connection', async () => {
    expect(addresses).toHaveLength(40)
    for (const address of addresses) {
      const response = await uploadByUrl(`http://${address}:${canaryPort}/`)
      expect(response, address).toMatchObject(refusal)
      expect(response.body.error, address).toBe(problem)
    }
    expect(connections).toBe(0)
  })

  it('by a redirect is refused before a connection', async () => {
    for (const address of addresses) {
      const location = `http://${address}:${canaryPort}/`
      // As bytes: one of them is not ASCII.
      routes.set('/inside', (_, response) => {
        response.socket?.end(`HTTP/1.1 302 Found\r\nLocation: ${new URL(location).href}\r\nContent-Length: 0\r\n\r\n`)
      })
      expect((await uploadByUrl(`${site}/inside`)).body.error, address).toBe(problem)
    }
    expect(connections).toBe(0)
  })

  it('by its name is refused like an unknown name, also when only one address is inside', async () => {
    names.set('inside.example', ['127.0.0.1'])
    names.set('both.example', [`${outside} ::1`])
    names.set('later.example', [outside, '10.0.0.1'])
    routes.set('/later', (_, response) =>
      response.writeHead(302, { location: `http://later.example:${canaryPort}/` }).end(),
    )
    const urls = [
      `http://inside.example:${canaryPort}/`,
      `http://both.example:${port}/photo%20one.jpg`,
      `http://later.example:${port}/later`,
      `http://unknown.example:${canaryPort}/`,
    ]
    for (const url of urls) expect((await uploadByUrl(url)).body.error, url).toBe(problem)
    expect(connections).toBe(0)
  })

  it.each([
    ['ftp://127.8.8.8/a.jpg', 'must begin with http:// or https://'],
    ['file:///etc/passwd', 'must begin with http:// or https://'],
    ['data:image/png;base64,AAAA', 'must begin with http:// or https://'],
    ['http://user@example.com/a.jpg', 'must not contain a user name or a password'],
    ['http://:secret@example.com/a.jpg', 'must not contain a user name or a password'],
    ['http://example.com:25/a.jpg', 'must have port 80, 443, or one from 1024'],
    ['https://example.com:22/a.jpg', 'must have port 80, 443, or one from 1024'],
    ['photo.jpg', 'must be a URL'],
    ['http://256.1.1.1/', 'must be a URL'],
    [`http://example.com/${'a'.repeat(2000)}`, 'must have at most 2000 characters'],
  ])('is not accepted: %.60s', async (url, why) => {
    expect(await uploadByUrl(url)).toMatchObject({ status: 400, body: { error: `url: ${why}` } })
  })

  it('a redirect to another protocol, or too many redirects, end the upload', async () => {
    routes.set('/file', (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end())
    routes.set('/loop', (_, response) => response.writeHead(307, { location: '/loop' }).end())
    expect((await uploadByUrl(`${site}/file`)).body.error).toMatch('redirects to an address that is not allowed')
    expect((await uploadByUrl(`${site}/loop`)).body.error).toMatch('redirects more than 5 times')
  })
})

describe('a server that does not serve an image', () => {
  it.each<[what: string, serve: RequestListener, status: number, error: string]>([
    ['an error', (_, response) => response.writeHead(500).end('root:x'), 422, 'it responded with the status 500'],
    ['a part only', (_, response) => response.writeHead(206).end('x'), 422, 'it responded with the status 206'],
    ['a page', (_, response) => response.end('<!DOCTYPE html>'), 415, 'File type must be'],
    ['nothing', (_, response) => response.end(), 400, 'File is smaller than 1 byte'],
    [
      'a gzip bomb',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      422,
      'it responded with a compressed body',
    ],
    [
      'a long declared body',
      (_, response) => response.writeHead(200, { 'content-length': 20_000_000 }).flushHeaders(),
      413,
      'File is larger than 10485760 bytes',
    ],
    [
      'an endless body',
      (_, response) => {
        const send = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        }
        response.on('drain', send)
        send()
      },
      413,
      'File is larger than 10485760 bytes',
    ],
    [
      'less than it declares',
      (_, response) => response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort'),
      422,
      'the connection failed',
    ],
    ['a body that stops', (_, response) => response.write('x'), 422, 'it took too long'],
    ['no response', () => {}, 422, 'it took too long'],
    ['no HTTP', (_, response) => response.socket?.end('SSH-2.0-OpenSSH_9\r\n'), 422, 'the connection failed'],
    [
      'a head without end',
      (_, response) => response.socket?.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`),
      422,
      'the connection failed',
    ],
  ])('fails: %s', async (_, serve, status, error) => {
    routes.set('/bad', serve)
    const response = await uploadByUrl(`${site}/bad`)
    expect([response.status, response.body.error]).toEqual([status, expect.stringContaining(error)])
    expect(await app.files('tmp')).toEqual([])
    expect(app.deps.uploadsInFlight.total()).toEqual({ images: 0, bytes: 0 })
  })

  it('a body that trickles in ends at the deadline', async () => {
    routes.set('/slow', (_, response) => {
      const timer = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(timer))
    })
    const folder = await mkdtemp(join(tmpdir(), 'image-host-test-'))
    const options = { folder, maxBytes: 1000, reserve: async () => {}, fetchedBy: 'test', timeoutMs: 600 }
    await expect(fetchRemoteImage({ config: app.deps.config, remote }, `${site}/slow`, options)).rejects.toThrow(
      'it took too long',
    )
    await rm(folder, { recursive: true })
  })

  it('a certificate is checked for the name in the URL', async () => {
    const asked: string[] = []
    const secure = createTlsServer({
      SNICallback(name, done) {
        asked.push(name)
        done(new Error('no certificate'))
      },
    })
    await once(secure.listen(0, outside), 'listening')
    names.set('secure.example', [outside])
    const { error } = (await uploadByUrl(`https://secure.example:${(secure.address() as AddressInfo).port}/`)).body
    expect([error, asked]).toEqual([expect.stringContaining('the connection failed'), ['secure.example']])
    secure.close()
  })
})

it('the space of a fetched image counts, as its server declares it', async () => {
  const { token: poor, id } = await app.newUser()
  await app.deps.db.updateTable('users').set({ quota_bytes: 1000 }).where('id', '=', id).execute()
  routes.set('/large', (_, response) => response.writeHead(200, { 'content-length': 5000 }).flushHeaders())
  const body = { url: `${site}/large` }
  expect(await app.call('POST', '/api/upload', { token: poor, body })).toMatchObject({
    status: 413,
    body: { code: 'quota_exceeded' },
  })
})

it('nothing is fetched unless UPLOAD_BY_URL is on', async () => {
  const closed = await startTestApp()
  const body = { url: `http://127.0.0.1:${canaryPort}/` }
  expect(await closed.call('POST', '/api/upload', { body })).toMatchObject({
    status: 403,
    body: { code: 'upload_by_url_off' },
  })
  expect(await closed.call('POST', '/api/upload', { body: { url: 1 } })).toMatchObject({ body: { code: 'no_file' } })
  expect(connections).toBe(0)
  await closed.stop()
})
