// Journeys with the page as an installed app: manifest, offline pages, images shared by other apps.
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { jpeg } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { pick, tile, toast, transferOf, type ImageFile, zone } from './upload.ts'

interface Icon {
  src: string
  sizes: string
  type: string
  purpose?: string
}

test.use({ serviceWorkers: 'allow' })

test('the manifest names icons of the stated type and size', async ({ page }) => {
  await page.goto('/')
  const link = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await page.request.get(link ?? '')
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = (await answer.json()) as Record<string, unknown> & { icons: Icon[] }
  expect(manifest).toMatchObject({ name: 'Image Host', start_url: '/dashboard', scope: '/', display: 'standalone' })
  expect(manifest.share_target).toMatchObject({ action: '/share-target', method: 'POST' })

  const own = await page.locator('link[rel=apple-touch-icon]').getAttribute('href')
  const touch: Icon = { src: own ?? '', sizes: '180x180', type: 'image/png' }
  for (const { src, sizes, type } of [...manifest.icons, touch]) {
    const icon = await page.request.get(src)
    expect(icon.headers()['content-type']?.split(';')[0], src).toBe(type)
    const { width, height } = await sharp(await icon.body()).metadata()
    if (sizes !== 'any') expect(`${width}x${height}`, src).toBe(sizes)
  }
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(
    expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']),
  )
})

test('crawlers may read the manifest', async ({ page }) => {
  const answer = await page.request.get('/robots.txt')
  expect(answer.headers()['content-type']).toContain('text/plain')
  expect(await answer.text()).toMatch(/^User-agent: \*\nDisallow:\s*$/)
})

test.describe('the installed page without a network', () => {
  // The browser logs failed requests by itself.
  test.use({ expectedConsole: [/ERR_INTERNET_DISCONNECTED|status of 503/] })

  test('every page opens offline, also one that was never opened before', async ({ page, context }) => {
    await page.goto('/')
    await underControl(page)
    await context.setOffline(true)
    for (const [path, heading] of [
      ['/', 'Host an image.'],
      ['/about', 'About Us'],
      ['/dashboard', 'Login'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toContainText(heading)
    }
  })

  test('a page that is not in the cache reports that there is no network', async ({ page, context }) => {
    await page.goto('/about')
    await underControl(page)
    await page.evaluate(async () => Promise.all((await caches.keys()).map((name) => caches.delete(name))))
    await context.setOffline(true)
    await page.goto('/about')
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
    await context.setOffline(false)
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'About Us' })).toBeVisible()
  })
})

test.describe('the installed page behind a proxy', () => {
  test.use({ expectedConsole: [/status of 502/] })

  test('opens while the server behind it is down', async ({ page, baseURL }) => {
    let isDown = false
    const proxy = createServer((near, reply) => {
      if (isDown) return void reply.writeHead(502).end('Bad Gateway')
      const { method, headers } = near
      const far = request(new URL(near.url ?? '/', baseURL), { method, headers }, (response) => {
        reply.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(reply)
      })
      near.pipe(far)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    await page.goto(url)
    await underControl(page)
    isDown = true
    await page.goto(`${url}/about`)
    await expect(page.getByRole('heading', { name: 'About Us' })).toBeVisible()
    proxy.close()
    proxy.closeAllConnections()
  })
})

test('the service worker caches no API response and no image', async ({ page }) => {
  await page.goto('/')
  await underControl(page)
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  await page.reload()
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept).toContain('/index.html')
  expect(kept.filter((path) => !/^\/(index\.html|assets\/.*)$/.test(path))).toEqual([])
})

test.describe('a private image that was seen', () => {
  // The browser logs failed requests by itself.
  test.use({ expectedConsole: [/ERR_INTERNET_DISCONNECTED|status of (?:404|503)/] })

  test('is in no cache of the browser after the revocation of its keys and its link', async ({ page, context }) => {
    const token = await logIn(page)
    const headers = { authorization: `Bearer ${token}` }
    const image = { name: 'secret.jpg', mimeType: 'image/jpeg', buffer: await jpeg() }
    const uploaded = await page.request.post('/api/upload', { headers, multipart: { image, visibility: 'private' } })
    const { id, file_name: file, view_key: key } = (await uploaded.json()) as Record<string, string>
    const made = await page.request.post('/api/links', { headers, data: { images: [id] } })
    const link = (await made.json()) as { id: string; slug: string }
    await page.goto('/dashboard')
    await underControl(page)
    await expect(page.getByRole('link', { name: /^secret\.jpg, private/ })).toBeVisible()
    const seen = [`/uploads/${file}?key=${key}`, `/api/thumbnail/${id}/300?key=${key}`, `/i/${id}?key=${key}`]
    for (const path of seen) expect(await statusOf(page, path)).toBe(200)
    await page.goto(`/l/${link.slug}`)
    const shown = await page.getByRole('img').first().getAttribute('src')
    expect(await statusOf(page, shown ?? '')).toBe(200)
    await page.evaluate(() => localStorage.clear())
    expect((await page.request.delete(`/api/images/${id}/view-keys`, { headers })).status()).toBe(200)
    await page.request.patch(`/api/links/${link.id}`, { headers, data: { revoked: true } })
    for (const path of [...seen, shown ?? '', `/l/${link.slug}`]) expect(await statusOf(page, path)).toBe(404)
    await context.setOffline(true)
    for (const path of [...seen, shown ?? '']) expect(await statusOf(page, path)).not.toBe(200)
    await expect(page.goto(`/l/${link.slug}`)).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
  })
})

/** As the browser loads it: from its caches where they may answer. */
const statusOf = (page: Page, url: string) =>
  page.evaluate(
    (address) =>
      fetch(address).then(
        ({ status }) => status,
        () => 0,
      ),
    url,
  )

test.describe('an image shared by another app', () => {
  const image = async (): Promise<ImageFile> => ({
    name: 'härbour at dusk.jpg',
    mimeType: 'image/jpeg',
    buffer: await jpeg(),
  })
  const question = 'Another app or site shared härbour at dusk.jpg. Upload it?'

  test('a shared image waits for the login', async ({ page }) => {
    const { name, mimeType, buffer } = await image()
    await page.goto('/about')
    await underControl(page)
    await share(page, { name, mimeType, buffer })
    await expect(page).toHaveURL(/\/login\?next=/)
    const kept = await page.evaluate(async () => {
      const cache = await caches.open('shared')
      const replies = await Promise.all((await cache.keys()).map((key) => cache.match(key)))
      return Promise.all(
        replies.map(async (reply) => ({
          name: decodeURIComponent(reply?.headers.get('x-name') ?? ''),
          type: reply?.headers.get('content-type'),
          bytes: (await reply?.arrayBuffer())?.byteLength,
        })),
      )
    })
    expect(kept).toEqual([{ name, type: mimeType, bytes: buffer.length }])
  })

  test('a shared image is shown on the dashboard, and uploaded by a press on Upload', async ({ page }) => {
    await logIn(page)
    await page.goto('/about')
    await underControl(page)
    await share(page, await image())
    await expect(page.getByText(question)).toBeVisible()
    await expect(page.getByRole('img', { name: 'Preview of härbour at dusk.jpg' })).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
    expect(await page.evaluate(() => caches.has('shared'))).toBe(false)
    await zone(page).getByRole('button', { name: 'Upload', exact: true }).click()
    await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
    await expect(tile(page, /^härbour at dusk/)).toBeVisible()
  })

  test("a picture that another site's form sends without a click is not uploaded", async ({ page, baseURL }) => {
    const { name, mimeType, buffer } = await image()
    const form = `<form method="post" action="${baseURL}/share-target" enctype="multipart/form-data"></form><script>
      const bytes = Uint8Array.from(atob('${buffer.toString('base64')}'), (character) => character.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], ${JSON.stringify(name)}, { type: '${mimeType}' }))
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'image' })
      input.files = transfer.files
      document.forms[0].append(input)
      document.forms[0].submit()
    </script>`
    const site = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(form),
    )
    await once(site.listen(0, '127.0.0.1'), 'listening')
    try {
      const token = await logIn(page)
      await page.goto('/about')
      await underControl(page)
      const sent: string[] = []
      page.on('request', (request) => sent.push(new URL(request.url()).pathname))
      await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
      await expect(page.getByText(question)).toBeVisible()
      await zone(page).getByRole('button', { name: 'Discard' }).click()
      await expect(page.getByText('Drop, paste or choose an image')).toBeVisible()
      await page.reload()
      await expect(page.getByText('No images yet.')).toBeVisible()
      await expect(page.getByText(question)).toHaveCount(0)
      expect(sent).toContain('/share-target')
      expect(sent).not.toContain('/api/upload')
      const listed = await page.request.get('/api/images', { headers: { authorization: `Bearer ${token}` } })
      expect(await listed.json()).toEqual([])
    } finally {
      site.close()
    }
  })
})

test('installing is offered after the second upload, and not again after a refusal', async ({ page }) => {
  await page.goto('/')
  // Chromium's own event needs a longer engagement of the visitor.
  await page.evaluate(() => dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: () => {} })))
  const offer = page.getByRole('complementary', { name: 'Install' })
  await pick(page, { name: 'one.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  await expect(offer).toHaveCount(0)
  await page.getByRole('button', { name: 'Upload another' }).click()
  await pick(page, { name: 'two.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(offer.getByRole('button', { name: 'Install Image Host' })).toBeVisible()
  await offer.getByRole('button', { name: 'Not now' }).click()
  await expect(offer).toHaveCount(0)
  await page.reload()
  await page.evaluate(() => dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: () => {} })))
  await expect(offer).toHaveCount(0)
})

/** The service worker registers after the page has loaded, and controls the page once its cache is filled. */
const underControl = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')

/** Shares as the operating system does: a form submitted as a navigation. */
async function share(page: Page, image: ImageFile): Promise<void> {
  const files = await transferOf(page, [image])
  await page.evaluate((transfer) => {
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', action: '/share-target', enctype: 'multipart/form-data' })
    const field = Object.assign(document.createElement('input'), { type: 'file', name: 'image', files: transfer.files })
    form.append(field)
    document.body.append(form)
    form.submit()
  }, files)
}
