// Limits how far the heap grows before V8 collects garbage.
import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'

/** A heap below this size may grow to it: about two and a half times the heap of an idle server. A larger heap grows by 30 %. */
const smallHeapLimitBytes = 76 * 1024 * 1024
/** Bounds: at the start the live heap is small, and the first limit would be far too high. */
const percents = { least: 30, most: 200 }
/** Limit of the young generation. V8's own is 32 MiB with Node 20 and 22, and 128 MiB with Node 24. */
const youngGenerationLimitBytes = 8 * 1024 * 1024

/**
 * On machines with much memory V8 lets the heap grow to four times its live size: thousands of
 * aborted requests held 200 MB. Growth by 30 % is too little for a small heap: upload bodies count
 * as growth, and V8 collects the young generation alone, which is cheap, only at 32 MB (2 *
 * kMaxSemiSpaceSize). Below that it ran a full collection at every fourth upload.
 *
 * V8 multiplies the young generation by `--semi-space-growth-factor`, 2, while much of it survives, as
 * the state of thousands of slow requests does. With 1 it does not grow. `--max-semi-space-size` would
 * limit it too, but has an effect only in the command that starts the server.
 */
export function limitHeapGrowth(): void {
  const flags = new Map<string, number>()
  // V8 reads these flags whenever it computes the next limit or size.
  const setFlag = (name: string, value: number) => {
    if (flags.get(name) === value) return
    flags.set(name, value)
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

/** The capacity of both semispaces; V8 reports that of one. Not `space_size`, from which a semispace is missing while V8 has released it. */
function youngGenerationBytes(): number {
  const newSpace = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
  return newSpace ? 2 * (newSpace.space_used_size + newSpace.space_available_size) : 0
}
