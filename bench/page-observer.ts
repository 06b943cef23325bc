// What a browser itself tells of a page: how soon it was seen, what jumped, what held its thread, how soon it answered.
import type { Page } from '@playwright/test'

export interface Seen {
  /** Largest contentful paint, milliseconds since the navigation began. */
  lcpMs: number
  /** Sum of the layout shifts that nobody asked for: never less than the CLS. */
  shifts: number
  longestTaskMs: number
  /** From a click or a key to the next paint, the slowest of them; 0: all were within 16 ms. */
  slowestInputMs: number
}

/** Before the page is opened: what follows belongs to each navigation anew. */
export async function observe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { lcpMs: 0, shifts: 0, longestTaskMs: 0, slowestInputMs: 0 }
    Object.assign(window, { seen })
    const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) take(entry)
      }).observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
    watch('largest-contentful-paint', ({ startTime }) => (seen.lcpMs = startTime))
    watch('layout-shift', (entry) => {
      const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!shift.hadRecentInput) seen.shifts += shift.value
    })
    watch('longtask', ({ duration }) => (seen.longestTaskMs = Math.max(seen.longestTaskMs, duration)))
    watch('event', (entry) => {
      const isInput = (entry as PerformanceEntry & { interactionId: number }).interactionId > 0
      if (isInput) seen.slowestInputMs = Math.max(seen.slowestInputMs, entry.duration)
    })
  })
}

/** So far; and with `afresh` what comes next is counted from zero. */
export const seenBy = (page: Page, afresh = false): Promise<Seen> =>
  page.evaluate(async (isAfresh) => {
    // Entries are told a frame after what they tell of.
    for (let n = 0; n < 3; n++) await new Promise((resolve) => requestAnimationFrame(resolve))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const { seen } = window as unknown as { seen: Seen }
    const copy = { ...seen }
    if (isAfresh) Object.assign(seen, { shifts: 0, longestTaskMs: 0, slowestInputMs: 0 })
    return copy
  }, afresh)
