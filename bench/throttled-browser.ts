// Visits pages in desktop Chromium, throttled to a phone's network and processor.
import { chromium, type Page } from '@playwright/test'
import { browserArgs, findBrowser } from '../e2e/browser.ts'
import type { Goal, Row, Table } from './benchmark.ts'
import { medianOf, spreadOf } from './statistics.ts'
import { observePage, readMetrics, scrollDown } from './page-observer.ts'

/** 4G as in WebPageTest, and a processor four times slower, as Lighthouse's phone. */
const phoneNetwork = {
  latency: 170,
  downloadThroughput: 9_000_000 / 8,
  uploadThroughput: 9_000_000 / 8,
  offline: false,
}
const cpuSlowdown = 4
/** A desktop's: it shows more images at once than a phone, so the slow network and processor have more to do. */
const viewport = { width: 1280, height: 800 }
/** Budgets: LCP 1.5 s, input to paint 100 ms, a frame 100 ms, and no more tiles than a screen or two show. */
const budget = { lcpMs: 1500, shifts: 0.02, inputMs: 100, frameMs: 100, tiles: 80 }

export interface Screen {
  name: string
  path: string
  /** The session that it is opened with. */
  token?: string
  /** In the session storage of its tab. */
  stored?: Readonly<Record<string, string>>
  /** Waits for the content that the visitor came for. */
  waitFor: (page: Page) => Promise<unknown>
  /** What the visitor does there, in this order. Only clicks and keys are measured, not what they wait for. */
  steps?: Readonly<Record<string, (page: Page) => Promise<unknown>>>
  /** Scrolled down at the end. */
  scrollPx?: number
}

/** `BENCH_SCREEN=admin` measures only the screens with this in their name. */
export const isChosen = ({ name }: Pick<Screen, 'name'>): boolean => name.includes(process.env.BENCH_SCREEN ?? '')

/** Per row: what was measured, in one round. */
type Found = Map<string, { value: number; unit: Row['unit']; goal?: Goal }>

/** Opens each screen once a round with an empty cache, uses it, and opens it again. */
export async function measureScreens(url: string, screens: readonly Screen[], rounds: number): Promise<Table[]> {
  const browser = await chromium.launch({ ...(await findBrowser()), args: browserArgs })
  try {
    const tables: Table[] = []
    for (const screen of screens.filter(isChosen)) {
      const found: Found[] = []
      for (let round = 0; round < rounds; round++) {
        const context = await browser.newContext({ viewport, serviceWorkers: 'block' })
        found.push(await visit(await context.newPage(), url, screen))
        await context.close()
      }
      tables.push({ title: screen.name, rows: rowsOf(found) })
    }
    return tables
  } finally {
    await browser.close()
  }
}

async function visit(page: Page, url: string, screen: Screen): Promise<Found> {
  const { path, token, stored = {}, waitFor, steps = {}, scrollPx } = screen
  const bytes = await throttle(page)
  await observePage(page)
  await page.addInitScript(
    ([session, tab]) => {
      if (session !== undefined) localStorage.setItem('token', session)
      for (const [name, value] of Object.entries(tab)) sessionStorage.setItem(name, value)
    },
    [token, stored] as const,
  )
  const found: Found = new Map()
  const open = async (name: string) => {
    const before = bytes()
    await page.goto(url + path, { waitUntil: 'networkidle' })
    await waitFor(page)
    const { lcpMs, shifts } = await readMetrics(page)
    found.set(`largest contentful paint, ${name}`, { value: lcpMs, unit: 'ms', goal: { atMost: budget.lcpMs } })
    found.set(`layout shifts, ${name}`, { value: shifts, unit: '', goal: { atMost: budget.shifts } })
    found.set(`transferred, ${name}`, { value: (bytes() - before) / 1000, unit: 'kB' })
  }
  await open('empty cache')
  for (const [name, step] of Object.entries(steps)) {
    await step(page)
    await page.waitForLoadState('networkidle')
    const { slowestInputMs, longestTaskMs, shifts } = await readMetrics(page)
    found.set(`${name}: to paint`, { value: slowestInputMs, unit: 'ms', goal: { atMost: budget.inputMs } })
    found.set(`${name}: longest task`, { value: longestTaskMs, unit: 'ms' })
    if (shifts > 0) found.set(`${name}: layout shifts`, { value: shifts, unit: '', goal: { atMost: budget.shifts } })
  }
  if (scrollPx !== undefined) {
    const frameMs = await scrollDown(page, scrollPx)
    found.set(`longest frame of ${scrollPx} px`, { value: frameMs, unit: 'ms', goal: { atMost: budget.frameMs } })
    const tiles = await page.getByRole('main').locator('li[aria-setsize]').count()
    found.set('tiles in the document', { value: tiles, unit: '', goal: { atMost: budget.tiles } })
  }
  await page.goto('about:blank')
  await open('again')
  return found
}

/** A row may be missing from some rounds. */
function rowsOf(rounds: readonly Found[]): Row[] {
  const names = new Set(rounds.flatMap((found) => [...found.keys()]))
  return [...names].map((what) => {
    const figures = rounds.flatMap((found) => found.get(what) ?? [])
    const values = figures.map(({ value }) => value)
    return { what, unit: '', ...figures[0], median: medianOf(values), spread: spreadOf(values) }
  })
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
  await session.send('Network.emulateNetworkConditions', phoneNetwork)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  return () => bytes
}
