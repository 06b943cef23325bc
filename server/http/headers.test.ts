// The headers of every kind of reply, as one table.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { UploadedImage } from '../../contract/images.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { jpeg } from '../testing/test-images.ts'

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

const ofData = "default-src 'none'; frame-ancestors 'none'"
const ofPictures = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
/** The content security policy of pages (docs/security.md); it also allows the manifest and the service worker. */
const ofPages = new RegExp(
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
    "require-trusted-types-for 'script'$",
  ].join('; '),
)

describe('a reply', () => {
  type Row = [
    what: string,
    path: () => string,
    init: () => RequestInit,
    status: number,
    headers: Record<string, unknown>,
  ]
  const none = () => ({})
  const admins = () => ({ headers: { authorization } })
  const json = 'application/json; charset=utf-8'
  const picture = {
    'content-type': 'image/jpeg',
    'content-security-policy': ofPictures,
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'content-disposition': expect.stringMatching(/^inline; filename="[\w.-]+"; filename\*=UTF-8''[\w%.!~-]+$/),
    'cache-control': expect.stringMatching(/^public, max-age=\d+$/),
  }
  const original = () => `/uploads/${image.file_name}`
  const rows: Row[] = [
    [
      'the landing page',
      () => '/',
      none,
      200,
      { 'content-security-policy': expect.stringMatching(ofPages), 'x-frame-options': 'DENY' },
    ],
    [
      'the page',
      () => '/dashboard',
      () => ({ headers: { accept: 'text/html' } }),
      200,
      { 'content-security-policy': expect.stringMatching(ofPages), 'x-frame-options': 'DENY' },
    ],
    [
      'an asset',
      () => script,
      none,
      200,
      { 'content-security-policy': ofData, 'cache-control': 'public, max-age=31536000, immutable' },
    ],
    [
      'JSON',
      () => '/api/limits',
      none,
      200,
      { 'content-type': json, 'content-security-policy': ofData, 'cache-control': 'no-store' },
    ],
    [
      'JSON of one caller',
      () => '/api/me',
      admins,
      200,
      { 'content-security-policy': ofData, 'cache-control': 'no-store' },
    ],
    [
      'an error',
      () => '/api/nothing',
      none,
      404,
      { 'content-type': json, 'content-security-policy': ofData, 'cache-control': 'no-store' },
    ],
    [
      'an error where a picture was',
      () => '/uploads/none.jpg',
      none,
      404,
      { 'content-type': json, 'content-security-policy': ofData, 'cache-control': 'no-store' },
    ],
    [
      'a refused method',
      original,
      () => ({ method: 'DELETE' }),
      405,
      { 'content-type': json, 'content-security-policy': ofData },
    ],
    ['health', () => '/healthz', none, 200, { 'content-security-policy': ofData }],
    ['an original', original, none, 200, picture],
    ['the head of an original', original, () => ({ method: 'HEAD' }), 200, picture],
    ['a part of an original', original, () => ({ headers: { range: 'bytes=0-9' } }), 206, picture],
    [
      'a range outside of it',
      original,
      () => ({ headers: { range: 'bytes=99999999-' } }),
      416,
      { 'content-type': json },
    ],
    ['a variant', () => `/api/thumbnail/${image.id}/400`, none, 200, { ...picture, 'content-type': 'image/webp' }],
    [
      'a download',
      () => `/api/database/backups/${archive}/download`,
      admins,
      200,
      {
        'content-type': 'application/x-tar',
        'content-security-policy': ofData,
        'content-disposition': expect.stringMatching(/^attachment; filename="[\w.-]+"$/),
        'cache-control': 'private, no-store',
      },
    ],
  ]
  it.each(rows)('that is %s has its headers and those of all', async (_, path, init, status, headers) => {
    const response = await app.request(path(), init())
    await response.arrayBuffer()
    expect(response.status).toBe(status)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      ...headers,
    })
    for (const name of ['server', 'x-powered-by', 'set-cookie']) expect(response.headers.get(name)).toBe(null)
  })
})

describe('the name of a picture', () => {
  it('is told in ASCII and, encoded, as it was; nothing of it ends the header or turns it round', async () => {
    const { headers } = await app.request(`/uploads/${image.file_name}`)
    const [, ascii, encoded = ''] =
      /^inline; filename="([\w.-]+)"; filename\*=UTF-8''(.+)$/.exec(headers.get('content-disposition') ?? '') ?? []
    expect(ascii).toBe(image.file_name)
    expect(encoded).toMatch(/^[\w%.!~-]+$/)
    expect(decodeURIComponent(encoded)).toBe(`Hafen bei Nacht; (1)*'-ü€😀.jpg`)
  })

  it('has the extension of what is sent', async () => {
    const { headers } = await app.request(`/api/webp/${image.id}/80`)
    expect(headers.get('content-disposition')).toMatch(/filename="[\w-]+\.webp"; filename\*=UTF-8''.*\.webp$/)
  })
})

describe('Strict-Transport-Security', () => {
  const https = { 'x-forwarded-proto': 'https' }
  it.each([
    ['without TLS', {}, {}, null],
    ['by the word of a stranger', {}, https, null],
    ['by the word of a trusted proxy', { TRUST_PROXY: '1' }, https, 'max-age=31536000; includeSubDomains'],
    ['behind a trusted proxy without TLS', { TRUST_PROXY: '1' }, { 'x-forwarded-proto': 'http' }, null],
    ['with PUBLIC_URL without TLS', { PUBLIC_URL: 'http://img.example.com' }, https, null],
  ])('%s', async (_, environment, headers, expected) => {
    const other = await startTestApp(environment)
    try {
      const reply = await other.request('/healthz', { headers })
      expect(reply.headers.get('strict-transport-security')).toBe(expected)
    } finally {
      await other.stop()
    }
  })
})
