// Large originals that the proxy in front sends: by a real nginx, and the header of other proxies.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { hasNginx, type NginxCache, startNginxCache } from '../../testing/nginx.ts'
import { jpeg, png } from '../../testing/test-images.ts'

const apps: TestApp[] = []
let large: Buffer
beforeAll(async () => {
  large = await png(1100, 800)
})
afterAll(async () => {
  for (const app of apps) await app.stop()
})

async function start(environment: Record<string, string>): Promise<{ app: TestApp; image: UploadedImage }> {
  const app = await startTestApp(environment)
  apps.push(app)
  return { app, image: await app.guestImage(large, 'Große Datei.png') }
}

describe.runIf(hasNginx)('with SENDFILE_HEADER=X-Accel-Redirect nginx', () => {
  let nginx: NginxCache
  let direct: TestApp
  let image: UploadedImage
  beforeAll(async () => {
    nginx = await startNginxCache()
    ;({ app: direct, image } = await start({ ...nginx.environment, SENDFILE_HEADER: 'X-Accel-Redirect' }))
    await nginx.forwardTo([direct])
  })
  afterAll(() => nginx.stop())
  const get = (headers: Record<string, string> = {}) => fetch(nginx.url + new URL(image.url).pathname, { headers })

  it('sends a large original with the headers of the server, which sends none of its bytes', async () => {
    const { app: plain, image: same } = await start({})
    const [expected, found] = [await plain.request(same.url), await get()]
    expect(Buffer.from(await found.arrayBuffer()).equals(Buffer.from(await expected.arrayBuffer()))).toBe(true)
    const names = [
      'content-type',
      'content-length',
      'content-security-policy',
      'cross-origin-resource-policy',
      'access-control-allow-origin',
      'x-content-type-options',
      'x-robots-tag',
    ]
    for (const name of names) expect([name, found.headers.get(name)]).toEqual([name, expected.headers.get(name)])
    expect(found.headers.get('content-disposition')).toContain(`filename="${image.file_name}"`)
    expect(found.headers.get('cache-control')).toContain('public, max-age=')
    expect(found.headers.get('x-accel-redirect')).toBe(null)
    const sent = await direct.request(image.url)
    expect([sent.status, (await sent.arrayBuffer()).byteLength]).toEqual([200, 0])
  })

  it('sends ranges, and 304 for an ETag', async () => {
    const part = await get({ range: 'bytes=100-199' })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100])
    expect((await get({ 'if-none-match': (await get()).headers.get('etag') ?? '' })).status).toBe(304)
  })

  it('does not send an original by its path', async () => {
    const path = `/originals/${image.id.slice(0, 2)}/${image.id}`
    expect((await fetch(nginx.url + path)).status).toBe(404)
  })

  it('sends nothing after the deletion', async () => {
    const { body: gone } = await direct.upload(large)
    await direct.call('DELETE', `/api/images/${gone.id}`, { guestToken: gone.delete_token })
    expect((await fetch(nginx.url + new URL(gone.url).pathname)).status).toBe(410)
  })
})

it('SENDFILE_HEADER=X-Sendfile names the file', async () => {
  const { app, image } = await start({ SENDFILE_HEADER: 'X-Sendfile' })
  const path = join(app.dataDir, 'originals', image.id.slice(0, 2), image.id)
  expect((await app.request(image.url)).headers.get('x-sendfile')).toBe(path)
})

it('the server itself sends small originals, variants, SVGs and images with limited views', async () => {
  const { app, image } = await start({ SENDFILE_HEADER: 'X-Accel-Redirect' })
  const { token } = await app.newUser()
  const shape = `<path d="M0 0${' 123.45 678.91'.repeat(90_000)}"/>`
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000">${shape}</svg>`)
  const uploads = [
    await app.upload(await jpeg(300, 200)),
    await app.upload(svg, { token, name: 'drawing.svg', type: 'image/svg+xml' }),
    await app.upload(large, { fields: { max_views: '3' } }),
  ]
  for (const { status, body } of uploads) {
    expect(status).toBe(201)
    const response = await app.request(body.url)
    expect(response.headers.get('x-accel-redirect')).toBe(null)
    expect((await response.arrayBuffer()).byteLength).toBe(body.size)
  }
  expect((await app.request(`/api/resize/${image.id}/3000`)).headers.get('x-accel-redirect')).toBe(null)
})
