// The headers of every kind of response, as one table.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

const admin = { ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret' }
let app: TestApp
let image: UploadedImage
let authorization: string
let archive: string
let script: string
beforeAll(async () => {
  app = await startTestApp({ ...admin, PUBLIC_URL: 'https://img.example.com' })
  image = await app.guestImage(await jpeg(), `Hafen bei Nacht; (1)*'\u202E-ü€😀.jpg`)
  const body = { email: admin.ADMIN_EMAIL, password: admin.ADMIN_PASSWORD }
  const { token } = (await app.call('POST', '/api/login', { body })).body
  authorization = `Bearer ${token}`
  archive = (await app.call('POST', '/api/database/backup', { token })).body.backupId
  const isDone = async () =>
    (await app.call('GET', '/api/database/backups', { token })).body.backups[0].status === 'completed'
  await vi.waitUntil(isDone, { timeout: 20_000 })
  script = /src="(\/assets\/[^"]+\.js)"/.exec(await (await app.request('/dashboard')).text())?.[1] ?? ''
})
afterAll(() => app.stop())

const dataPolicy = "default-src 'none'; frame-ancestors 'none'"
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
/**
 * The content security policy of pages (docs/security.md); it also allows the manifest and the
 * service worker.
 */
const pagePolicy = new RegExp(
  [
    "^default-src 'none'",
    "script-src 'self'( 'sha256-[\\w+/=]{44}')*",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' blob: data: https://img\\.example\\.com",
    "connect-src 'self' https://img\\.example\\.com",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types service-worker webp-worker$',
  ].join('; '),
)
const pageHeaders = {
  'content-security-policy': expect.stringMatching(pagePolicy),
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringMatching(/^accelerometer=\(\), camera=\(\), .*geolocation=\(\)/),
}

describe('a response', () => {
  type Row = [
    what: string,
    path: () => string,
    init: () => RequestInit,
    status: number,
    headers: Record<string, unknown>,
  ]
  const none = () => ({})
  const asAdmin = () => ({ headers: { authorization } })
  const json = 'application/json; charset=utf-8'
  const imageHeaders = {
    'content-type': 'image/jpeg',
    'content-security-policy': imagePolicy,
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'content-disposition': expect.stringMatching(/^inline; filename="[\w.-]+"; filename\*=UTF-8''[\w%.!~-]+$/),
    'cache-control': expect.stringMatching(/^public, max-age=\d+, s-maxage=\d+, stale-while-revalidate=\d+$/),
  }
  const original = () => `/uploads/${image.file_name}`
  const rows: Row[] = [
    ['the landing page', () => '/', none, 200, pageHeaders],
    ['the page', () => '/dashboard', () => ({ headers: { accept: 'text/html' } }), 200, pageHeaders],
    [
      'an asset',
      () => script,
      none,
      200,
      { 'content-security-policy': dataPolicy, 'cache-control': 'public, max-age=31536000, immutable' },
    ],
    [
      'JSON',
      () => '/api/limits',
      none,
      200,
      { 'content-type': json, 'content-security-policy': dataPolicy, 'cache-control': 'no-store' },
    ],
    [
      'JSON for one caller',
      () => '/api/me',
      asAdmin,
      200,
      { 'content-security-policy': dataPolicy, 'cache-control': 'no-store' },
    ],
    [
      'an error',
      () => '/api/nothing',
      none,
      404,
      { 'content-type': json, 'content-security-policy': dataPolicy, 'cache-control': 'no-store' },
    ],
    [
      'an error at the URL of an image',
      () => '/uploads/none.jpg',
      none,
      404,
      { 'content-type': json, 'content-security-policy': dataPolicy, 'cache-control': 'no-store' },
    ],
    [
      'a refused method',
      original,
      () => ({ method: 'DELETE' }),
      405,
      { 'content-type': json, 'content-security-policy': dataPolicy },
    ],
    ['health', () => '/healthz', none, 200, { 'content-security-policy': dataPolicy }],
    ['an original', original, none, 200, imageHeaders],
    ['the head of an original', original, () => ({ method: 'HEAD' }), 200, imageHeaders],
    ['a part of an original', original, () => ({ headers: { range: 'bytes=0-9' } }), 206, imageHeaders],
    [
      'a range outside of it',
      original,
      () => ({ headers: { range: 'bytes=99999999-' } }),
      416,
      { 'content-type': json, 'cross-origin-resource-policy': 'cross-origin' },
    ],
    ['a variant', () => `/api/thumbnail/${image.id}/400`, none, 200, { ...imageHeaders, 'content-type': 'image/webp' }],
    ['an original by its id', () => `/i/${image.id}.jpg`, none, 200, imageHeaders],
    [
      'a variant that depends on Accept',
      () => `/i/${image.id}.jpg?w=80&fmt=auto`,
      () => ({ headers: { accept: 'image/webp' } }),
      200,
      { ...imageHeaders, 'content-type': 'image/webp', vary: 'Accept' },
    ],
    [
      'a download',
      () => `/api/database/backups/${archive}/download`,
      asAdmin,
      200,
      {
        'content-type': 'application/x-tar',
        'content-security-policy': dataPolicy,
        'content-disposition': expect.stringMatching(/^attachment; filename="[\w.-]+"$/),
        'cache-control': 'private, no-store',
      },
    ],
  ]
  it.each(rows)('with %s has its own and the common headers', async (_, path, init, status, headers) => {
    const response = await app.request(path(), init())
    await response.arrayBuffer()
    expect(response.status).toBe(status)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      ...headers,
    })
    for (const name of ['server', 'x-powered-by', 'set-cookie']) expect(response.headers.get(name)).toBe(null)
  })
})

describe('Content-Disposition of an image', () => {
  it('has the name in ASCII and percent-encoded, without control characters', async () => {
    const { headers } = await app.request(`/uploads/${image.file_name}`)
    const [, ascii, encoded = ''] =
      /^inline; filename="([\w.-]+)"; filename\*=UTF-8''(.+)$/.exec(headers.get('content-disposition') ?? '') ?? []
    expect(ascii).toBe(image.file_name)
    expect(encoded).toMatch(/^[\w%.!~-]+$/)
    expect(decodeURIComponent(encoded)).toBe(`Hafen bei Nacht; (1)*'-ü€😀.jpg`)
  })

  it('has the extension of the format that is sent', async () => {
    const { headers } = await app.request(`/api/webp/${image.id}/80`)
    expect(headers.get('content-disposition')).toMatch(/filename="[\w-]+\.webp"; filename\*=UTF-8''.*\.webp$/)
  })
})

describe('Strict-Transport-Security', () => {
  const https = { 'x-forwarded-proto': 'https' }
  it.each([
    ['is not sent without TLS', {}, {}, null],
    ['is not sent on the claim of a client', {}, https, null],
    ['is sent on the claim of a trusted proxy', { TRUST_PROXY: '1' }, https, 'max-age=31536000; includeSubDomains'],
    ['is not sent by a trusted proxy without TLS', { TRUST_PROXY: '1' }, { 'x-forwarded-proto': 'http' }, null],
    ['is not sent with a PUBLIC_URL without TLS', { PUBLIC_URL: 'http://img.example.com' }, https, null],
  ])('%s', async (_, environment, headers, expected) => {
    const other = await startTestApp(environment)
    try {
      const response = await other.request('/healthz', { headers })
      expect(response.headers.get('strict-transport-security')).toBe(expected)
    } finally {
      await other.stop()
    }
  })
})
