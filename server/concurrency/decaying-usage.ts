// How much processing time each caller used recently, with exponential decay. Lanes that share one instance see each
// other's charges: a caller who occupies the lane for large images is not first in the lane for small ones either.
import { networksPerSite, siteOf } from './ipv6-site.ts'
import { createLru } from './lru.ts'

/** After a minute without jobs 1/64 of a caller's usage is left. */
const halfLifeMs = 10_000
/** The weight of the typical time in the expected one, in jobs: few measurements say little. */
const typicalJobs = 4
/** Callers whose usage is stored; a caller evicted from the cache counts as new. */
const maxCallers = 10_000

interface Usage {
  ms: number
  jobs: number
}

export class DecayingUsage {
  readonly #now: () => number
  readonly #usage = createLru<Usage & { atMs: number }>(maxCallers)

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** A caller that is a network of an IPv6 site adds to the usage of the whole site. */
  charge(caller: string, ms: number): void {
    this.#add(caller, ms)
    const site = siteOf(caller)
    if (site !== undefined) this.#add(site, ms / networksPerSite)
  }

  #add(caller: string, ms: number): void {
    const before = this.#decayed(caller)
    this.#usage.set(caller, { ms: before.ms + ms, jobs: before.jobs + 1, atMs: this.#now() })
  }

  /** Milliseconds of processing time, halved for every 10 s since they were charged. */
  usageMs(caller: string): number {
    return Math.max(this.#decayed(caller).ms, this.#decayed(siteOf(caller) ?? caller).ms)
  }

  /** Expected time of the caller's next job: the recent mean, `typicalMs` for a caller without recent jobs. */
  expectedMs(caller: string, typicalMs: number): number {
    const { ms, jobs } = this.#decayed(caller)
    return (ms + typicalJobs * typicalMs) / (jobs + typicalJobs)
  }

  #decayed(caller: string): Usage {
    const usage = this.#usage.get(caller)
    if (!usage) return { ms: 0, jobs: 0 }
    const left = 0.5 ** ((this.#now() - usage.atMs) / halfLifeMs)
    return { ms: usage.ms * left, jobs: usage.jobs * left }
  }
}
