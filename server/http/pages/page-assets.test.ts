// How the files of the page are served. The browser journeys in e2e/ test the page itself.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMetrics } from '../../metrics.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { buildServer } from '../build-server.ts'
import { createWeb, readPageFiles } from './page-assets.ts'

let app: TestApp
let folder: string
let server: FastifyInstance
beforeAll(async () => {
  app = await startTestApp({
    SITE_NAME: 'Bilder "& mehr"',
    GUEST_MAX_BYTES: '2000000',
    GUEST_RETENTION_DAYS: '1',
    GUEST_MAX_FILES: '20',
    USER_RETENTION_DAYS: '30',
    PUBLIC_URL: 'https://img.example.com',
    EMAILJS_PUBLIC_KEY: 'key',
    EMAILJS_SERVICE_ID: 'service',
    EMAILJS_TEMPLATE_ID: 'template',
  })
  folder = await mkdtemp(join(tmpdir(), 'image-host-web-'))
  await mkdir(join(folder, 'assets'))
  const files = {
    'landing.html':
      '<title>Image Host</title><p>the landing <span data-limit="guestMaxBytes">up to 5 MB</span> ' +
      '<p class="x" data-limit="guestRetentionDays">Guest data is kept 60 days.</p> <b>60 days, 5 MB</b>',
    'index.html': '<title>Image Host</title><script type="application/json" id="site">{}</script><p>the shell',
    'sw.js': 'self.onfetch = () => {}',
    'manifest.webmanifest': '{"name":"Image Host","short_name":"Image Host","start_url":"/dashboard"}',
    'assets/webp-worker-abc123.js': 'onmessage = () => {}',
    'assets/index-abc123.js': 'void 0',
    'assets/webp_enc-abc123.wasm': '\0asm',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  server = await buildServer(
    { ...app.deps, metrics: openMetrics() },
    pino({ level: 'silent' }),
    await readPageFiles(folder),
  )
})
afterAll(async () => {
  await server.close()
  await app.stop()
  await rm(folder, { recursive: true })
})

const get = (url: string, accept = 'text/html,*/*;q=0.8') => server.inject({ url, headers: { accept } })
const forever = 'public, max-age=31536000, immutable'

describe('a file', () => {
  const files: [path: string, type: string, cache: string, policy: string][] = [
    [
      '/sw.js',
      'text/javascript; charset=utf-8',
      'no-cache',
      "default-src 'none'; script-src 'self'; connect-src 'self' https://img.example.com https://api.emailjs.com blob:",
    ],
    [
      '/assets/webp-worker-abc123.js',
      'text/javascript; charset=utf-8',
      forever,
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    ],
    [
      '/assets/index-abc123.js',
      'text/javascript; charset=utf-8',
      forever,
      "default-src 'none'; frame-ancestors 'none'",
    ],
    ['/assets/webp_enc-abc123.wasm', 'application/wasm', forever, "default-src 'none'; frame-ancestors 'none'"],
  ]
  it.each(files)('has its content type, cache lifetime and policy: %s', async (path, type, cache, policy) => {
    const { statusCode, headers } = await get(path, '*/*')
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': cache,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
    })
  })

  it('contains the site name when it is the manifest', async () => {
    const { headers, body } = await get('/manifest.webmanifest', '*/*')
    expect(headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    const name = 'Bilder "& mehr"'
    expect(JSON.parse(body)).toEqual({ name, short_name: name, start_url: '/dashboard' })
  })
})

describe('a page', () => {
  it.each(['/', '/dashboard', '/nothing/here'])(
    'at %s forbids WebAssembly and allows workers of its own origin',
    async (path) => {
      const { headers } = await get(path)
      expect(headers['content-security-policy']).toContain("worker-src 'self'")
      expect(headers['content-security-policy']).toContain("manifest-src 'self'")
      expect(headers['content-security-policy']).not.toContain('unsafe-eval')
      expect(headers['x-frame-options']).toBe('DENY')
    },
  )

  it('contains the upload limits of the settings, in its JSON and in the prerendered texts', async () => {
    const { body: shell } = await get('/dashboard')
    const site = JSON.parse(/id="site">([^<]*)/.exec(shell)?.[1] ?? '')
    expect(site).toMatchObject({
      guestMaxBytes: 2_000_000,
      guestRetentionDays: 1,
      guestMaxFiles: 20,
      userMaxBytes: 10_485_760,
      userRetentionDays: 30,
    })
    const { body: landing } = await get('/')
    expect(landing).toContain('up to 1.9 MB<')
    expect(landing).toContain('Guest data is kept 1 day.<')
    expect(landing).toContain('<b>60 days, 5 MB</b>')
  })

  it.each([
    ['/dashboard', 200],
    ['/About/', 200],
    ['/pages/api-docs', 200],
    ['/index.html', 200],
    ['/nothing', 404],
    ['/dashboard/more', 404],
    ['/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200', 404],
  ])('at %s has the status %i, and the shell as its body', async (path, status) => {
    const { statusCode, headers, body } = await get(path)
    expect([statusCode, body, headers['content-type']]).toEqual([
      status,
      expect.stringContaining('the shell'),
      'text/html; charset=utf-8',
    ])
    // A validator would turn the 404 of the next request into a 304.
    expect(headers.etag === undefined).toBe(status === 404)
  })

  it.each(['*/*', 'application/json', 'image/avif,*/*;q=0.8', undefined])(
    'that there is goes to programs that accept %s, unless they want data; at an unknown path they get a failure',
    async (accept) => {
      const headers = accept === undefined ? {} : { accept }
      const unknown = await server.inject({ url: '/nowhere', headers })
      expect([unknown.statusCode, unknown.headers['content-type'], unknown.json().code]).toEqual([
        404,
        'application/json; charset=utf-8',
        'endpoint_not_found',
      ])
      const known = await server.inject({ url: '/about', headers })
      expect(known.statusCode).toBe(accept === 'application/json' ? 404 : 200)
    },
  )

  it('is sent with 404 to a browser for a URL that cannot be decoded; other clients get 400', async () => {
    const opened = await get('/bad%E0%A4%A')
    expect([opened.statusCode, opened.body]).toEqual([404, expect.stringContaining('the shell')])
    expect(opened.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    const refused = [
      get('/bad%E0%A4%A', '*/*'),
      get('/bad%E0%A4%A', 'application/json'),
      get('/api/images/%zz'),
      get('/uploads/%zz'),
      server.inject({ method: 'POST', url: '/bad%zz', headers: { accept: 'text/html' } }),
    ]
    for (const { statusCode, body } of await Promise.all(refused)) {
      expect([statusCode, JSON.parse(body).code]).toEqual([400, 'invalid_input'])
    }
  })
})

it('sends no prerendered landing where guests may not upload, since it invites them', async () => {
  const { config } = app.deps
  const files = await readPageFiles(folder)
  const open = createWeb({ ...config, GUEST_UPLOADS: true }, files)
  expect(open.landing.plain.toString()).toContain('the landing')
  const closed = createWeb({ ...config, GUEST_UPLOADS: false }, files)
  expect(closed.landing).toBe(closed.shell)
})

describe('POST /share-target', () => {
  it('redirects to the dashboard before the body is received', async () => {
    let sent = 0
    const endless = new ReadableStream({
      async pull(stream) {
        await setTimeout(10)
        sent += 1000
        stream.enqueue(new Uint8Array(1000))
      },
    })
    const stop = new AbortController()
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const options = { method: 'POST', body: endless, headers, duplex: 'half', redirect: 'manual', signal: stop.signal }
    const response = await app.request('/share-target', options as RequestInit)
    const { status, headers: sentHeaders } = response
    expect([status, sentHeaders.get('location'), sentHeaders.get('cache-control')]).toEqual([
      303,
      '/dashboard',
      'no-store',
    ])
    expect(sent).toBeLessThan(100_000)
    stop.abort()
  })

  it.each(['application/x-www-form-urlencoded', 'application/json', 'image/png'])('accepts %s', async (type) => {
    const body = { method: 'POST' as const, url: '/share-target', payload: '{', headers: { 'content-type': type } }
    expect((await server.inject(body)).statusCode).toBe(303)
  })
})
