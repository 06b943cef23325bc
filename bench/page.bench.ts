// The page in a real browser, on a phone's line and processor: how soon it is seen, whether it jumps, how soon it answers.
import { type Browser, chromium, type Page } from '@playwright/test'
import { browserArgs, findBrowser } from '../e2e/browser.ts'
import { jpeg } from '../e2e/e2e-images.ts'
import type { RunningServer } from '../e2e/server.ts'
import { register } from '../faults/client.ts'
import { withFolder, withServer } from './resources.ts'
import { copyImage } from './copied-images.ts'
import { medianOf, spreadOf } from './figures.ts'
import { stored } from './hot-pictures.ts'
import { observe, type Seen, seenBy } from './page-observer.ts'
import type { Goal, Part, Row } from './part.ts'

const shape = { short: { images: 300, rounds: 1 }, full: { images: 100_000, rounds: 5 } } as const
/** 4G as WebPageTest has it, and a processor four times slower, as Lighthouse's phone has it. */
const phone = { latency: 170, downloadThroughput: 9_000_000 / 8, uploadThroughput: 9_000_000 / 8, offline: false }
const slowdown = 4
/** The design's budgets: seen within 1.5 s, answered within 100 ms, no more tiles than a screen or two hold. */
const budget = { lcpMs: 1500, shifts: 0.02, inputMs: 100, tiles: 80 }
/** More than a screen of the gallery asks for. */
const withFiles = 200

export const part: Part = {
  name: 'page',
  title:
    'landing, dashboard and viewer in Chromium, 4G (9 Mbit/s, 170 ms), processor 4 times slower, one after the other',
  run(form) {
    const { images, rounds } = shape[form]
    return withFolder(async (dataDir) => {
      const token = await galleryOf(dataDir, images)
      const found = await withServer({ dataDir }, (server) => visits(rounds, server, token))
      return [
        { title: 'landing', rows: rowsOf(found.map(({ landing }) => landing)) },
        {
          title: `dashboard with ${images.toLocaleString('en')} images`,
          rows: rowsOf(found.map((one) => one.dashboard)),
        },
        {
          title: 'viewer, opened by a click and left by a key',
          rows: rowsOf(found.map(({ viewer }) => viewer)),
          notes: [
            'Over the line comes what the screens before have not brought. A shift is counted wherever it happens, not in windows.',
          ],
        },
      ]
    })
  },
}

/** What was seen of one screen, and what a browser loaded for it. */
type Look = Partial<Seen> & { bytes?: number; tiles?: number }

interface Round {
  landing: Look
  dashboard: Look
  viewer: Look
}

function rowsOf(looks: Look[]): Row[] {
  const row = (what: string, unit: Row['unit'], value: (look: Look) => number | undefined, goal?: Goal): Row[] => {
    const values = looks.flatMap((look) => value(look) ?? [])
    if (values.length === 0) return []
    return [{ what, unit, median: medianOf(values), spread: spreadOf(values), ...(goal && { goal }) }]
  }
  return [
    ...row('largest contentful paint', 'ms', ({ lcpMs }) => lcpMs, { atMost: budget.lcpMs }),
    ...row('layout shifts', '', ({ shifts }) => shifts, { atMost: budget.shifts }),
    ...row('slowest click or key to paint', 'ms', ({ slowestInputMs }) => slowestInputMs, { atMost: budget.inputMs }),
    ...row('longest task', 'ms', ({ longestTaskMs }) => longestTaskMs),
    ...row('over the line', 'kB', ({ bytes }) => (bytes === undefined ? undefined : bytes / 1000)),
    ...row('tiles in the document', '', ({ tiles }) => tiles, { atMost: budget.tiles }),
  ]
}

/** @returns the token of its owner */
async function galleryOf(dataDir: string, images: number): Promise<string> {
  const made = await withServer({ dataDir }, async ({ url }) => {
    const token = await register(url, 'many@example.com')
    return { token, ...(await stored(url, await jpeg(1500, 1000), token)) }
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
    const bytes = await slowLine(page)
    await observe(page)

    await page.goto(url, { waitUntil: 'networkidle' })
    const choose = page.getByRole('button', { name: 'Choose image' })
    await choose.focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    const landing: Look = { ...(await seenBy(page)), bytes: bytes() }

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
    const dashboard: Look = { ...(await seenBy(page, true)), bytes: bytes() - before, tiles: await tiles.count() }

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
    // Its paint is no navigation: the browser tells of no largest one.
    const { lcpMs: _, ...seen } = await seenBy(page)
    return { landing, dashboard, viewer: { ...seen, bytes: bytes() - beforeViewer } }
  } finally {
    await context.close()
  }
}

/** @returns asks how many bytes have come over the line so far, heads and all, compressed as they travel */
async function slowLine(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page)
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', phone)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return () => bytes
}
