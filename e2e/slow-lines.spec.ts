// Uploads over slow and broken lines: what was sent is not sent again, and everything continues by itself.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { jpeg, jpegOfSize, webp } from './e2e-images.ts'
import { freePort } from '../server/testing/free-port.ts'
import { openLine, type Line } from './line.ts'
import { keepToken, logIn } from './log-in.ts'
import { startServer, type RunningServer } from './server.ts'
import { expect, test } from './test.ts'
import { pick, served, shownLink, toast, zone } from './upload.ts'

const size = 3_000_000
/** Slow enough to be interrupted in the middle, several times. */
const slow = 500_000
/** What may be sent twice, and the headers of all requests. */
const most = size * 1.05

test.use({ expectedConsole: [/net::ERR_|status of (404|409|423|429|503)/] })

let line: Line
test.beforeEach(async () => void (line = await openLine(process.env.E2E_URL ?? '')))
test.afterEach(() => line.stop())

const photo = async () => ({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpegOfSize(size) })
/** Sent as it is: a WebP of this size is not converted. */
const largeWebp = async () => ({
  name: 'noise.webp',
  mimeType: 'image/webp',
  buffer: await sharp({
    create: {
      width: 1100,
      height: 1000,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .webp({ lossless: true, effort: 0 })
    .toBuffer(),
})

/** Resolves when the line has carried this many bytes more. */
async function carried(bytes: number, of: Line = line): Promise<number> {
  let sum = 0
  await expect.poll(() => (sum += of.sent()), { intervals: [50] }).toBeGreaterThan(bytes)
  return sum
}

test('an upload of a guest waits for a lost connection and continues where it stopped', async ({ page }) => {
  await page.goto(`${line.url}/`, { waitUntil: 'networkidle' })
  line.limit(slow)
  line.sent()
  await pick(page, await photo())
  let sum = 0
  for (const part of [0.3, 0.6, 0.9]) {
    sum += await carried(part * size - sum)
    line.cut()
    await expect(zone(page)).toContainText('Waiting for the connection')
    await expect(zone(page).getByRole('button', { name: 'Cancel' })).toBeVisible()
    line.repair()
  }
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible({ timeout: 30_000 })
  sum += line.sent()
  console.log(`sent ${sum} bytes of ${size}`)
  expect(sum).toBeLessThan(most)
  expect(await served(await shownLink(page))).toMatchObject({ status: 200, width: 400, height: 300 })
})

test('speed and time left are shown on a slow line', async ({ page }) => {
  await page.goto(`${line.url}/`, { waitUntil: 'networkidle' })
  line.limit(slow / 2)
  await pick(page, await photo())
  await expect(zone(page).getByText(/^\d+(\.\d)? [KM]B\/s, about \d+ s left$/)).toBeVisible()
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible({ timeout: 60_000 })
})

test('an upload of a guest goes on by itself after a reload, as it began', async ({ page }) => {
  page.on('dialog', (dialog) => dialog.accept())
  await page.goto(`${line.url}/`, { waitUntil: 'networkidle' })
  line.limit(slow)
  line.sent()
  await pick(page, await photo())
  let sum = await carried(size / 2)
  await page.reload()
  await expect(zone(page)).toContainText('Uploading image...')
  await expect(zone(page).getByRole('img', { name: 'Preview of harbour.jpg' })).toBeVisible()
  await expect(zone(page).getByText(/^[4-9]\d%$/)).toBeVisible()
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible({ timeout: 20_000 })
  sum += line.sent()
  expect(sum).toBeLessThan(most)
  expect(await served(await shownLink(page))).toMatchObject({ status: 200, width: 400, height: 300 })
  expect(await page.evaluate(() => localStorage.getItem('started_uploads'))).toBe('{}')
  expect(await page.evaluate(() => localStorage.getItem('guest_upload'))).toBeNull()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Choose image' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Recent uploads' }).getByRole('listitem')).toHaveCount(1)
})

test('an upload of a guest goes on while another page of the site is opened', async ({ page }) => {
  await page.goto(`${line.url}/`, { waitUntil: 'networkidle' })
  line.limit(slow)
  line.sent()
  await pick(page, await photo())
  let sum = await carried(size / 3)
  await page.getByRole('link', { name: 'Upload from ShareX, your phone or a script' }).first().click()
  const tray = page.getByRole('region', { name: 'Uploads' })
  await expect(tray).toContainText('harbour.jpg')
  await expect(tray.getByRole('heading')).toHaveText('1 image uploaded', { timeout: 20_000 })
  sum += line.sent()
  expect(sum).toBeLessThan(size * 1.2)
})

test('the queue continues an upload after a reload of the tab', async ({ page }) => {
  page.on('dialog', (dialog) => dialog.accept())
  const token = await logIn(page)
  await keepToken(page, token, line.url)
  await page.goto(`${line.url}/dashboard`, { waitUntil: 'networkidle' })
  const image = await largeWebp()
  const small = { name: 'small.webp', mimeType: 'image/webp', buffer: await webp() }
  line.limit(slow)
  line.sent()
  await pick(page, image, small)
  let sum = await carried(image.buffer.length / 2)
  await page.reload()
  const tray = page.getByRole('region', { name: 'Uploads' })
  await expect(tray.getByRole('heading')).toHaveText(/^[12] images? uploaded$/, { timeout: 20_000 })
  sum += line.sent()
  console.log(`sent ${sum} bytes of ${image.buffer.length}`)
  expect(sum).toBeLessThan(image.buffer.length * 1.05)
  const reply = await page.request.get('/api/images', { headers: { authorization: `Bearer ${token}` } })
  expect(await reply.json()).toContainEqual(
    expect.objectContaining({ original_name: 'noise.webp', width: 1100, height: 1000 }),
  )
})

test('a small upload of a guest continues by itself after the browser was offline', async ({ page, context }) => {
  await page.goto('/')
  await context.setOffline(true)
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(zone(page)).toContainText('Waiting for the connection')
  await context.setOffline(false)
  expect(await served(await shownLink(page))).toMatchObject({ status: 200, width: 900 })
})

test('an upload that a guest cancels offline does not stop the next one', async ({ page, context }) => {
  await page.goto('/')
  await context.setOffline(true)
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(zone(page)).toContainText('Waiting for the connection')
  await zone(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(zone(page).getByRole('button', { name: 'Choose image' })).toBeVisible()
  await context.setOffline(false)
  await pick(page, { name: 'bridge.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  expect(await served(await shownLink(page))).toMatchObject({ status: 200, width: 900 })
})

test('a busy server is waited for as long as it asks', async ({ page }) => {
  let asked = 0
  await page.route('**/api/upload', async (route) => {
    if (asked++ > 0) return route.continue()
    await route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { error: 'Busy', code: 'busy' } })
  })
  await page.goto('/')
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  await expect(zone(page)).toContainText('Waiting for the server')
  await expect(toast(page, 'Image uploaded successfully!')).toBeVisible()
  expect(asked).toBe(2)
})

test.describe('with a server of its own', () => {
  let server: RunningServer
  test.afterEach(() => server.stop())

  test('an upload continues after the server was killed, and starts again where it has lost its data', async ({
    page,
  }) => {
    const port = await freePort()
    server = await startServer({ port })
    const { dataDir } = server
    line = await openLine(server.url)
    await page.goto(`${line.url}/`, { waitUntil: 'networkidle' })
    line.limit(slow)
    line.sent()
    await pick(page, await photo())
    let sum = await carried(size / 2)
    await server.kill()
    await expect(zone(page)).toContainText('Waiting for the connection')
    server = await startServer({ port, dataDir })
    await expect(zone(page)).toContainText('Uploading image...', { timeout: 30_000 })
    sum += await carried(size / 4)
    expect(sum).toBeLessThan(most)

    await server.kill()
    await rm(dataDir, { recursive: true })
    server = await startServer({ port })
    await expect(zone(page)).toContainText('Sending it again from the start', {
      timeout: 30_000,
    })
    line.limit(Infinity)
    await expect(toast(page, 'Image uploaded successfully!')).toBeVisible({ timeout: 20_000 })
    expect(await served(await shownLink(page))).toMatchObject({ status: 200, width: 400 })
  })

  test('the hourly limit is said with its end, and Cancel gives up', async ({ page }) => {
    server = await startServer({ env: { GUEST_UPLOADS_PER_HOUR: '1' } })
    await page.goto(server.url)
    await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
    await page.getByRole('button', { name: 'Upload another' }).click()
    await pick(page, { name: 'second.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
    await expect(zone(page)).toContainText(/Waiting until \d+:\d\d [AP]M: upload limit reached/)
    await zone(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('button', { name: 'Choose image' })).toBeVisible()
  })

  test('a cancelled upload and a logout leave nothing on the server', async ({ page }) => {
    server = await startServer()
    line = await openLine(server.url)
    const parts = () => readdir(join(server.dataDir, 'resumable'))
    /** The page knows what the server has: before the first response it can end nothing. */
    const isStarted = () => page.evaluate(() => localStorage.getItem('started_uploads')?.includes('/api/uploads/'))
    page.on('dialog', (dialog) => dialog.accept())
    await page.goto(`${line.url}/`, { waitUntil: 'networkidle' })
    line.limit(slow)
    await pick(page, await photo())
    await expect.poll(isStarted).toBe(true)
    expect(await parts()).not.toEqual([])
    await zone(page).getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(parts).toEqual([])

    const data = { email: 'user@example.com', password: 'secret screens' }
    const answer = await page.request.post(`${server.url}/api/register`, { data })
    await keepToken(page, ((await answer.json()) as { token: string }).token, line.url)
    await page.goto(`${line.url}/dashboard`, { waitUntil: 'networkidle' })
    await pick(page, await largeWebp())
    await expect.poll(isStarted).toBe(true)
    expect(await parts()).not.toEqual([])
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
    // Its script comes over the slow line too.
    await expect(page.getByRole('main').getByRole('button', { name: 'Log in', exact: true })).toBeVisible()
    await expect.poll(parts).toEqual([])
  })
})
