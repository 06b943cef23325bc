import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { type RawResponse, sendRaw } from '../../testing/raw-http.ts'

const media = 'https://media.example.com'
let app: TestApp
let token: string
let image: UploadedImage
beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: 'https://img.example.com', MEDIA_ORIGIN: media, TRUST_PROXY: '1' })
  token = (await app.newUser()).token
  image = (await app.upload(await jpeg(), { token })).body
})
afterAll(() => app.stop())

async function send(path: string, host: string, { method = 'GET', headers = '' } = {}): Promise<RawResponse> {
  const sent = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`
  return (await sendRaw(app.url, sent))[0] as RawResponse
}
const imagePaths = () => [
  `/uploads/${image.file_name}`,
  `/i/${image.id}.jpg`,
  `/i/${image.id}/photo.jpg?w=80&fmt=auto`,
  `/api/thumbnail/${image.id}/400`,
  `/api/resize/${image.id}/300`,
  `/api/jpeg/${image.id}/80`,
  `/api/webp/${image.id}/80`,
]

describe('URLs in responses', () => {
  it('have MEDIA_ORIGIN for images and PUBLIC_URL for everything else', async () => {
    expect([image.url, image.thumbnailUrl].map((url) => new URL(url).origin)).toEqual([media, media])
    const [listed] = (await app.call('GET', '/api/images', { token })).body
    expect([listed.url, listed.thumbnailUrl]).toEqual([image.url, image.thumbnailUrl])
    const analysis = await app.call('GET', `/api/analyze/${image.id}`, { token })
    expect(JSON.stringify(analysis.body)).toContain(`"${media}/uploads/`)
    expect(JSON.stringify(analysis.body)).not.toContain('img.example.com')

    await app.upload(await jpeg(), { token })
    const first = await app.call('GET', '/api/images?limit=1', { token })
    expect(first.headers.get('link')).toContain('<https://img.example.com/api/images?')
    expect((await app.call('GET', '/api/openapi.json')).body.servers).toEqual([{ url: 'https://img.example.com' }])
  })

  it('are allowed by the policy of the page', async () => {
    const policy = (await app.request('/')).headers.get('content-security-policy')
    expect(policy).toContain(`img-src 'self' blob: data: https://img.example.com ${media};`)
    expect(policy).toContain(`connect-src 'self' https://img.example.com ${media};`)
  })
})

describe('the host of MEDIA_ORIGIN', () => {
  it.each(['media.example.com', 'Media.Example.Com', 'media.example.com:443'])(
    'serves every image when written as %s',
    async (host) => {
      for (const path of imagePaths()) {
        const { status, headers } = await send(path, host, { method: 'HEAD' })
        expect([path, status, headers['access-control-allow-origin']]).toEqual([path, 200, '*'])
      }
    },
  )

  it('serves nothing else', async () => {
    const [original = ''] = imagePaths()
    const others: [path: string, method?: string][] = [
      ['/'],
      ['/dashboard'],
      ['/sw.js'],
      ['/manifest.webmanifest'],
      ['/api/images'],
      ['/api/openapi.json'],
      ['/healthz'],
      ['/readyz'],
      ['/metrics'],
      ['/api/login', 'POST'],
      ['/api/upload', 'POST'],
      [`/api/images/${image.id}`, 'DELETE'],
      ['/share-target', 'POST'],
      [original, 'DELETE'],
      [original, 'OPTIONS'],
      ['/%zz'],
    ]
    for (const [path, method = 'GET'] of others) {
      const { status, body, headers } = await send(path, 'media.example.com', {
        method,
        headers: 'Accept: text/html\r\n',
      })
      expect([path, status]).toEqual([path, path === '/%zz' ? 400 : 404])
      expect(Object.keys(body).slice(0, 2)).toEqual(['error', 'code'])
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
    }
  })

  it('cannot be overridden by headers of proxies', async () => {
    const headers =
      'X-Forwarded-Host: img.example.com\r\nForwarded: host=img.example.com\r\nX-Host: img.example.com\r\n'
    expect((await send('/', 'media.example.com', { headers })).status).toBe(404)
    const other = 'X-Forwarded-Host: media.example.com\r\nForwarded: host=media.example.com\r\n'
    expect((await send('/', 'img.example.com', { headers: other })).status).toBe(200)
  })
})

describe('every other host', () => {
  it.each(['img.example.com', '127.0.0.1:3000', 'media.example.com:8443', 'media.example.com.evil.example'])(
    '%s serves the page and redirects requests for images',
    async (host) => {
      expect((await send('/', host)).status).toBe(200)
      for (const path of imagePaths().flatMap((picture) => [picture, `${picture}?width=200&x=%2F`])) {
        for (const method of ['GET', 'HEAD']) {
          const { status, headers } = await send(path, host, { method })
          expect([status, headers['location']]).toEqual([308, `${media}${path}`])
        }
      }
    },
  )

  it('sends redirects with the cross-origin headers of images', async () => {
    const { headers } = await send(imagePaths()[0] ?? '', 'img.example.com', { headers: 'Range: bytes=0-9\r\n' })
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-store',
    })
  })

  it('redirects to MEDIA_ORIGIN only, whatever the request line contains', async () => {
    const [original = ''] = imagePaths()
    const lines = [`http://evil.example${original}`, `http://evil.example@x${original}`, `//evil.example${original}`]
    for (const line of [...lines, `${original}/../../@evil.example`, `@evil.example${original}`]) {
      const { headers } = await send(line, 'img.example.com')
      if (headers['location'] !== undefined) expect(new URL(headers['location']).origin).toBe(media)
    }
  })

  it('is recognized by the Host header only', async () => {
    const headers = 'X-Forwarded-Host: media.example.com\r\nForwarded: host=media.example.com\r\n'
    expect((await send(imagePaths()[0] ?? '', 'img.example.com', { headers })).status).toBe(308)
  })
})
