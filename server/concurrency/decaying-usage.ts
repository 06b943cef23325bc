// How much processing time each caller used recently, with exponential decay. Lanes that share one instance see each
// other's charges: a caller who occupies the lane for large pictures is not first in the lane for small ones either.
import { LRUCache } from 'lru-cache'

/** After a minute without jobs 1/64 of a caller's usage is left. */
const halfLifeMs = 10_000
/** Callers whose usage is stored; a caller evicted from the cache counts as new. */
const maxCallers = 10_000

export class DecayingUsage {
  readonly #now: () => number
  readonly #usage = new LRUCache<string, { ms: number; atMs: number }>({ max: maxCallers })

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  charge(caller: string, ms: number): void {
    this.#usage.set(caller, { ms: this.usageMs(caller) + ms, atMs: this.#now() })
  }

  /** Milliseconds of processing time, halved for every 10 s since they were charged. */
  usageMs(caller: string): number {
    const usage = this.#usage.get(caller)
    return usage ? usage.ms * 0.5 ** ((this.#now() - usage.atMs) / halfLifeMs) : 0
  }
}
