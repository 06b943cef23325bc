// Visits pages in desktop Chromium, throttled to a phone's network and processor.
import { chromium, type Page } from '@playwright/test'
import { browserArgs, findBrowser } from '../e2e/browser.ts'
import { medianOf, spreadOf } from './figures.ts'
import { observePage, type PageMetrics } from './page-observer.ts'
import type { Goal, Row } from './benchmark.ts'

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
/** Budgets: LCP 1.5 s, input to paint 100 ms, and no more tiles than a screen or two show. */
const budget = { lcpMs: 1500, shifts: 0.02, inputMs: 100, tiles: 80 }

/** Metrics of one screen, and what the browser loaded for it. */
export type ScreenMetrics = Partial<PageMetrics> & { bytes?: number; tiles?: number }

export interface ThrottledPage {
  page: Page
  /** Returns the bytes received so far, compressed and including headers. */
  bytes: () => number
}

/** Runs `visit` once a round, with an empty cache, and returns what it returns. */
export async function visitRounds<T>(rounds: number, visit: (throttled: ThrottledPage) => Promise<T>): Promise<T[]> {
  const browser = await chromium.launch({ ...(await findBrowser()), args: browserArgs })
  try {
    const found: T[] = []
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ viewport, serviceWorkers: 'block' })
      const page = await context.newPage()
      const bytes = await throttle(page)
      await observePage(page)
      found.push(await visit({ page, bytes }))
      await context.close()
    }
    return found
  } finally {
    await browser.close()
  }
}

export function rowsOf(screens: ScreenMetrics[]): Row[] {
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
