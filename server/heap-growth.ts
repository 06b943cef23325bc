// How far the heap may grow before V8 looks through all of it for what no longer lives.
import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'

/** Some three times what an idle server needs. A larger heap grows by half of what lives in it. */
const roomBytes = 84 * 1024 * 1024
/** At a start little lives yet: by that alone the first limit would be far above what the heap then comes to. */
const percents = { least: 50, most: 200 }

/**
 * Where a machine has much memory, V8 lets the heap grow to four times what lives in it: clients who let thousands of requests
 * come to nothing held 200 MB so. By half is too little for a small heap: bodies of uploads count as its growth, and V8 looks
 * among the young alone for dead ones, cheaply, only when they are 32 MB (2 * kMaxSemiSpaceSize). With less room than that it
 * looks through everything instead, at every fourth upload.
 */
export function limitHeapGrowth(): void {
  let percent = 0
  const adjust = () => {
    const next = growthPercent(getHeapStatistics().used_heap_size)
    if (next === percent) return
    percent = next
    // V8 reads it whenever it sets the next limit.
    setFlagsFromString(`--heap-growing-percent=${percent}`)
  }
  adjust()
  new PerformanceObserver(adjust).observe({ entryTypes: ['gc'] })
}

/** @param usedBytes of the heap, with what is dead in it. @returns in percent of what lives */
export function growthPercent(usedBytes: number): number {
  const wanted = Math.round((100 * (roomBytes - usedBytes)) / usedBytes)
  return Math.min(percents.most, Math.max(percents.least, wanted))
}
