// Limits how far the heap grows before V8 collects garbage.
import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'

/** A heap below this size may grow to it: about three times the heap of an idle server. A larger heap grows by 30 %. */
const smallHeapLimitBytes = 84 * 1024 * 1024
/** Bounds: at the start the live heap is small, and the first limit would be far too high. */
const percents = { least: 30, most: 200 }
/** Of the young generation, which V8 itself limits to 32 MiB with Node 20 and 22, and to 128 MiB with Node 24. */
const youngGenerationLimitBytes = 16 * 1024 * 1024

/**
 * On machines with much memory V8 lets the heap grow to four times its live size: thousands of
 * aborted requests held 200 MB. Growth by 30 % is too little for a small heap: upload bodies count
 * as growth, and V8 collects the young generation alone, which is cheap, only at 32 MB (2 *
 * kMaxSemiSpaceSize). Below that it ran a full collection at every fourth upload.
 *
 * V8 doubles the young generation while much of it survives, as the state of thousands of slow
 * requests does. V8 grows it by `--semi-space-growth-factor`, so that with 1 it does not grow.
 * `--max-semi-space-size` would limit it as well, but only as an argument of each command that starts
 * a server.
 */
export function limitHeapGrowth(): void {
  const set = new Map<string, number>()
  // V8 reads these flags whenever it computes the next limit or size.
  const setFlag = (name: string, value: number) => {
    if (set.get(name) === value) return
    set.set(name, value)
    setFlagsFromString(`--${name}=${value}`)
  }
  const adjust = () => {
    setFlag('heap-growing-percent', growthPercent(getHeapStatistics().used_heap_size))
    setFlag('semi-space-growth-factor', semiSpaceGrowthFactor(youngGenerationBytes()))
  }
  adjust()
  new PerformanceObserver(adjust).observe({ entryTypes: ['gc'] })
}

/** @param usedBytes of the heap including garbage @returns growth in per cent of the live size */
export function growthPercent(usedBytes: number): number {
  const wanted = Math.round((100 * (smallHeapLimitBytes - usedBytes)) / usedBytes)
  return Math.min(percents.most, Math.max(percents.least, wanted))
}

/** @param bytes the capacity of the young generation @returns 1 when it would exceed its limit with V8's default, 2 */
export function semiSpaceGrowthFactor(bytes: number): number {
  return 2 * bytes > youngGenerationLimitBytes ? 1 : 2
}

/** Its capacity, which V8 states for one of the two semispaces. `space_size` is what is committed: V8 releases a semispace when idle. */
function youngGenerationBytes(): number {
  const newSpace = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
  return newSpace ? 2 * (newSpace.space_used_size + newSpace.space_available_size) : 0
}
