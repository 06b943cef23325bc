// A bounded queue that is fair among callers: first come, first served, but whoever used much recently, or queued much,
// counts as having come up to five seconds later. So a light caller passes sixteen heavy ones, and no stream of new
// callers can hold up a heavy one for longer than that. What a caller has queued itself comes before its next job: however
// much a flood queues, a page that comes later passes all but its beginning.
import type { DecayingUsage } from './decaying-usage.ts'
import { networksPerSite, siteOf } from './ipv6-site.ts'

/** For each millisecond that a caller used recently or has queued, it comes this much later. */
const delayPerMs = 4
const maxDelayMs = 5000

interface QueueLimits {
  /** Of all entries together, in milliseconds of expected work. */
  maxCostMs: number
  maxLength: number
}

interface Queued {
  entries: number
  costMs: number
}

interface EnqueueOptions {
  joined?: Iterable<string>
  runningMs?: number
}

interface Entry<T> {
  item: T
  costMs: number
  dueMs: number
  callers: Set<string>
}

export class FairQueue<T> {
  readonly #limits: QueueLimits
  readonly #usage: DecayingUsage
  readonly #now: () => number
  readonly #entries = new Map<T, Entry<T>>()
  /** Of each caller, joined entries included. */
  readonly #queuedBy = new Map<string, Queued>()
  /** Of all callers of an IPv6 site together. */
  readonly #queuedBySite = new Map<string, Queued>()
  #costMs = 0

  /** @param now a monotonic clock in milliseconds */
  constructor(limits: QueueLimits, usage: DecayingUsage, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#usage = usage
    this.#now = now
  }

  get size(): number {
    return this.#entries.size
  }

  /** Of all entries together. */
  get costMs(): number {
    return this.#costMs
  }

  items(): T[] {
    return [...this.#entries.keys()]
  }

  /** Whether anybody but these callers waits. */
  hasOtherCallers(...callers: string[]): boolean {
    return this.#queuedBy.size > callers.filter((caller) => this.#queuedBy.has(caller)).length
  }

  /**
   * @param joined others who wait for the item
   * @param runningMs expected work of the caller's jobs that are running
   * @returns the items that no longer fit, the last ones first. `item` itself can be among them.
   */
  enqueue(caller: string, item: T, costMs: number, { joined = [], runningMs = 0 }: EnqueueOptions = {}): T[] {
    const entry: Entry<T> = { item, costMs, dueMs: Infinity, callers: new Set() }
    this.#entries.set(item, entry)
    this.#costMs += costMs
    this.#addCaller(caller, entry, runningMs)
    for (const other of joined) this.join(other, item)
    const evicted: T[] = []
    while (this.#costMs > this.#limits.maxCostMs || this.size > this.#limits.maxLength) {
      const last = this.#last() as Entry<T>
      this.remove(last.item)
      evicted.push(last.item)
    }
    return evicted
  }

  /** Another caller waits for a queued item: it is due when the first of them is. It counts for each of them. */
  join(caller: string, item: T): void {
    const entry = this.#entries.get(item)
    if (entry && !entry.callers.has(caller)) this.#addCaller(caller, entry)
  }

  /** Removes and returns the item that is due first. */
  dequeue(): T | undefined {
    const first = this.#first()
    if (first) this.remove(first.item)
    return first?.item
  }

  /** @returns false when the item is not in the queue */
  remove(item: T): boolean {
    const entry = this.#entries.get(item)
    if (!entry) return false
    this.#entries.delete(item)
    this.#costMs -= entry.costMs
    for (const caller of entry.callers) this.#count(caller, -1, -entry.costMs)
    return true
  }

  #addCaller(caller: string, entry: Entry<T>, runningMs = 0): void {
    const queuedMs = this.#queuedMs(caller)
    const usedMs = this.#usage.usageMs(caller) + runningMs + queuedMs
    const delayMs = Math.min(maxDelayMs, delayPerMs * usedMs)
    entry.dueMs = Math.min(entry.dueMs, this.#now() + delayMs + queuedMs)
    entry.callers.add(caller)
    this.#count(caller, 1, entry.costMs)
  }

  /** What a caller has queued, or its share of what its site has. */
  #queuedMs(caller: string): number {
    const ofSite = this.#queuedBySite.get(siteOf(caller) ?? '')
    return Math.max(this.#queuedBy.get(caller)?.costMs ?? 0, (ofSite?.costMs ?? 0) / networksPerSite)
  }

  #count(caller: string, entries: 1 | -1, costMs: number): void {
    addTo(this.#queuedBy, caller, entries, costMs)
    const site = siteOf(caller)
    if (site !== undefined) addTo(this.#queuedBySite, site, entries, costMs)
  }

  /** Of those that are due first, the one that came first. */
  #first(): Entry<T> | undefined {
    let first: Entry<T> | undefined
    for (const entry of this.#entries.values()) if (!first || entry.dueMs < first.dueMs) first = entry
    return first
  }

  /** Of those that are due last, the one that came last. */
  #last(): Entry<T> | undefined {
    let last: Entry<T> | undefined
    for (const entry of this.#entries.values()) if (!last || entry.dueMs >= last.dueMs) last = entry
    return last
  }
}

function addTo(map: Map<string, Queued>, key: string, entries: number, costMs: number): void {
  const before = map.get(key) ?? { entries: 0, costMs: 0 }
  const after = { entries: before.entries + entries, costMs: before.costMs + costMs }
  if (after.entries > 0) map.set(key, after)
  else map.delete(key)
}
