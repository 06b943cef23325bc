// Collects the performance metrics of a page in the browser: paint, layout shifts, long tasks, input latency.
import type { Page } from '@playwright/test'

export interface PageMetrics {
  /** Largest contentful paint, milliseconds since the start of the navigation. */
  lcpMs: number
  /** Sum of the layout shifts without recent input: never less than the CLS. */
  shifts: number
  longestTaskMs: number
  /** Slowest time from a click or key to the next paint; 0 if all were within 16 ms. */
  slowestInputMs: number
}

/** Installs the observers. Call it before the page is opened; each navigation starts from zero. */
export async function observePage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const metrics = { lcpMs: 0, shifts: 0, longestTaskMs: 0, slowestInputMs: 0 }
    Object.assign(window, { metrics })
    const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) take(entry)
      }).observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
    watch('largest-contentful-paint', ({ startTime }) => (metrics.lcpMs = startTime))
    watch('layout-shift', (entry) => {
      const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!shift.hadRecentInput) metrics.shifts += shift.value
    })
    watch('longtask', ({ duration }) => (metrics.longestTaskMs = Math.max(metrics.longestTaskMs, duration)))
    watch('event', (entry) => {
      const isInput = (entry as PerformanceEntry & { interactionId: number }).interactionId > 0
      if (isInput) metrics.slowestInputMs = Math.max(metrics.slowestInputMs, entry.duration)
    })
  })
}

/** Returns the metrics so far; later ones are counted from zero. */
export const readMetrics = (page: Page): Promise<PageMetrics> =>
  page.evaluate(async () => {
    // Entries are delivered a frame after the event.
    for (let n = 0; n < 3; n++) await new Promise((resolve) => requestAnimationFrame(resolve))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const { metrics } = window as unknown as { metrics: PageMetrics }
    const copy = { ...metrics }
    Object.assign(metrics, { shifts: 0, longestTaskMs: 0, slowestInputMs: 0 })
    return copy
  })

/** Scrolls down by 100 px a frame. @returns the longest time between two frames */
export const scrollDown = (page: Page, px: number): Promise<number> =>
  page.evaluate(async (total) => {
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    let longestMs = 0
    let last = await frame()
    for (let scrolled = 0; scrolled < total; scrolled += 100) {
      scrollBy({ top: 100, behavior: 'instant' })
      const now = await frame()
      longestMs = Math.max(longestMs, now - last)
      last = now
    }
    return longestMs
  }, px)
