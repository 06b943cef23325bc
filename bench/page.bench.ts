// Measures the page in Chromium on a phone's network and processor: paint, layout shifts, input
// latency, bytes.
import { type Browser, chromium, type Page } from '@playwright/test'
import { browserArgs, findBrowser } from '../e2e/browser.ts'
import { jpeg } from '../e2e/e2e-images.ts'
import type { RunningServer } from '../e2e/server.ts'
import { register } from '../faults/client.ts'
import { withFolder, withServer } from './resources.ts'
import { copyImage } from './copied-images.ts'
import { medianOf, spreadOf } from './figures.ts'
import { uploadImage } from './hot-pictures.ts'
import { observePage, type PageMetrics, readMetrics } from './page-observer.ts'
import type { Goal, Part, Row } from './part.ts'

const shape = { short: { images: 300, rounds: 1 }, full: { images: 100_000, rounds: 5 } } as const
/** 4G as in WebPageTest, and a processor four times slower, as Lighthouse's phone. */
const phone = { latency: 170, downloadThroughput: 9_000_000 / 8, uploadThroughput: 9_000_000 / 8, offline: false }
const cpuSlowdown = 4
/** Budgets: LCP 1.5 s, input to paint 100 ms, and no more tiles than a screen or two show. */
const budget = { lcpMs: 1500, shifts: 0.02, inputMs: 100, tiles: 80 }
/** More than a screen of the gallery loads. */
const withFiles = 200

export const part: Part = {
  name: 'page',
  title:
    'landing, dashboard and viewer in Chromium, 4G (9 Mbit/s, 170 ms), processor 4 times slower, one after the other',
  run(form) {
    const { images, rounds } = shape[form]
    return withFolder(async (dataDir) => {
      const token = await createGallery(dataDir, images)
      const found = await withServer({ dataDir }, (server) => visits(rounds, server, token))
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

/** Metrics of one screen, and what the browser loaded for it. */
type ScreenMetrics = Partial<PageMetrics> & { bytes?: number; tiles?: number }

interface Round {
  landing: ScreenMetrics
  dashboard: ScreenMetrics
  viewer: ScreenMetrics
}

function rowsOf(screens: ScreenMetrics[]): Row[] {
  const row = (
    what: string,
    unit: Row['unit'],
    value: (screen: ScreenMetrics) => number | undefined,
    goal?: Goal,
  ): Row[] => {
    const values = screens.flatMap((screen) => value(screen) ?? [])
    if (values.length === 0) return []
    return [{ what, unit, median: medianOf(values), spread: spreadOf(values), ...(goal && { goal }) }]
  }
  return [
    ...row('largest contentful paint', 'ms', ({ lcpMs }) => lcpMs, { atMost: budget.lcpMs }),
    ...row('layout shifts', '', ({ shifts }) => shifts, { atMost: budget.shifts }),
    ...row('slowest click or key to paint', 'ms', ({ slowestInputMs }) => slowestInputMs, { atMost: budget.inputMs }),
    ...row('longest task', 'ms', ({ longestTaskMs }) => longestTaskMs),
    ...row('transferred', 'kB', ({ bytes }) => (bytes === undefined ? undefined : bytes / 1000)),
    ...row('tiles in the document', '', ({ tiles }) => tiles, { atMost: budget.tiles }),
  ]
}

/** Creates a gallery. @returns the token of its owner */
async function createGallery(dataDir: string, images: number): Promise<string> {
  const made = await withServer({ dataDir }, async ({ url }) => {
    const token = await register(url, 'many@example.com')
    return { token, ...(await uploadImage(url, await jpeg(1500, 1000), token)) }
  })
  await copyImage(dataDir, made.id, images - 1, withFiles)
  return made.token
}

async function visits(rounds: number, server: RunningServer, token: string): Promise<Round[]> {
  const browser = await chromium.launch({ ...(await findBrowser()), args: browserArgs })
  try {
    const found: Round[] = []
    for (let round = 0; round < rounds; round++) found.push(await visit(browser, server, token))
    return found
  } finally {
    await browser.close()
  }
}

async function visit(browser: Browser, { url }: RunningServer, token: string): Promise<Round> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    const bytes = await throttle(page)
    await observePage(page)

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
  } finally {
    await context.close()
  }
}

/**
 * Throttles network and CPU.
 * @returns a function that reads the bytes received so far, compressed and including headers
 */
async function throttle(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page)
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', phone)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  return () => bytes
}
