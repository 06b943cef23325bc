// Limits how far the heap grows before V8 runs a full garbage collection.
import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'

/** A heap below this size may grow to it: about three times the heap of an idle server. A larger heap grows by 30 %. */
const smallHeapLimitBytes = 84 * 1024 * 1024
/** Bounds: at the start the live heap is small, and the first limit would be far too high. */
const percents = { least: 30, most: 200 }

/**
 * On machines with much memory V8 lets the heap grow to four times its live size: thousands of
 * aborted requests held 200 MB. Growth by 30 % is too little for a small heap: upload bodies count
 * as growth, and V8 collects the young generation alone, which is cheap, only at 32 MB (2 *
 * kMaxSemiSpaceSize). Below that it ran a full collection at every fourth upload.
 */
export function limitHeapGrowth(): void {
  let percent = 0
  const adjust = () => {
    const next = growthPercent(getHeapStatistics().used_heap_size)
    if (next === percent) return
    percent = next
    // V8 reads the flag whenever it computes the next limit.
    setFlagsFromString(`--heap-growing-percent=${percent}`)
  }
  adjust()
  new PerformanceObserver(adjust).observe({ entryTypes: ['gc'] })
}

/** @param usedBytes of the heap including garbage @returns growth in per cent of the live size */
export function growthPercent(usedBytes: number): number {
  const wanted = Math.round((100 * (smallHeapLimitBytes - usedBytes)) / usedBytes)
  return Math.min(percents.most, Math.max(percents.least, wanted))
}
