// Waits for something to come true.
import { setTimeout as sleep } from 'node:timers/promises'

/** @returns the milliseconds until it was true, or Infinity when it was not within the time */
export async function untilTrue(isTrue: () => unknown, withinMs: number, everyMs = 20): Promise<number> {
  const start = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - start > withinMs) return Infinity
    await sleep(everyMs)
  }
  return performance.now() - start
}
