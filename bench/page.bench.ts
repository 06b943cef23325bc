// Measures the page in desktop Chromium on a phone's network and processor: paint, layout shifts, input
// latency, bytes.
import { jpeg } from '../e2e/e2e-images.ts'
import type { RunningServer } from '../e2e/server.ts'
import { register, store } from '../faults/client.ts'
import { withFolder, withServer } from '../faults/resources.ts'
import { copyImage } from './copied-images.ts'
import { readMetrics } from './page-observer.ts'
import type { Benchmark } from './benchmark.ts'
import { rowsOf, type ScreenMetrics, type ThrottledPage, visitRounds } from './throttled-browser.ts'

const shape = { short: { images: 300, rounds: 1 }, full: { images: 100_000, rounds: 5 } } as const
/** More than a screen of the gallery loads. */
const withFiles = 200

export const benchmark: Benchmark = {
  title:
    'landing, dashboard and viewer in Chromium, 4G (9 Mbit/s, 170 ms), processor 4 times slower, one after the other',
  run(form) {
    const { images, rounds } = shape[form]
    return withFolder(async (dataDir) => {
      const token = await createGallery(dataDir, images)
      const found = await withServer({ dataDir }, (server) =>
        visitRounds(rounds, (throttled) => visit(throttled, server, token)),
      )
      return [
        { title: 'landing', rows: rowsOf(found.map(({ landing }) => landing)) },
        {
          title: `dashboard with ${images.toLocaleString('en')} images`,
          rows: rowsOf(found.map((one) => one.dashboard)),
        },
        {
          title: 'viewer, opened by a click and closed by a key',
          rows: rowsOf(found.map(({ viewer }) => viewer)),
          notes: [
            'Transferred bytes exclude what previous screens loaded. A shift is counted wherever it happens, not in windows.',
          ],
        },
      ]
    })
  },
}

interface Round {
  landing: ScreenMetrics
  dashboard: ScreenMetrics
  viewer: ScreenMetrics
}

/** Creates a gallery. @returns the token of its owner */
async function createGallery(dataDir: string, images: number): Promise<string> {
  const made = await withServer({ dataDir }, async ({ url }) => {
    const token = await register(url, 'many@example.com')
    return { token, ...(await store(url, await jpeg(1500, 1000), { token })) }
  })
  await copyImage(dataDir, made.id, images - 1, withFiles)
  return made.token
}

async function visit({ page, bytes }: ThrottledPage, { url }: RunningServer, token: string): Promise<Round> {
  await page.goto(url, { waitUntil: 'networkidle' })
  const choose = page.getByRole('button', { name: 'Choose image' })
  await choose.focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  const landing: ScreenMetrics = { ...(await readMetrics(page)), bytes: bytes() }

  await page.evaluate((value) => localStorage.setItem('token', value), token)
  const before = bytes()
  await page.goto(`${url}/dashboard`, { waitUntil: 'networkidle' })
  const tiles = page.getByRole('main').locator('li[aria-setsize]')
  await tiles.first().waitFor()
  await page
    .getByRole('main')
    .getByRole('link', { name: /^picture\.jpg/ })
    .first()
    .focus()
  await page.keyboard.press('ArrowRight')
  const dashboard: ScreenMetrics = {
    ...(await readMetrics(page, true)),
    bytes: bytes() - before,
    tiles: await tiles.count(),
  }

  const beforeViewer = bytes()
  await page
    .getByRole('main')
    .getByRole('link', { name: /^picture\.jpg/ })
    .first()
    .click()
  const viewer = page.getByRole('dialog', { name: 'Image viewer' })
  await viewer.getByRole('img').first().waitFor()
  await page.keyboard.press('ArrowRight')
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'detached' })
  // Opening the viewer is no navigation, so the browser reports no largest contentful paint.
  const { lcpMs: _, ...metrics } = await readMetrics(page)
  return { landing, dashboard, viewer: { ...metrics, bytes: bytes() - beforeViewer } }
}
