// A bounded queue that is fair among callers: first come, first served, but whoever used much recently, or queued much,
// counts as having come up to five seconds later. So a light caller passes sixteen heavy ones, and no stream of new
// callers can hold up a heavy one for longer than that.
import type { DecayingUsage } from './decaying-usage.ts'

/** For each millisecond that a caller used recently or has queued, it comes this much later. */
const delayPerMs = 4
const maxDelayMs = 5000

interface QueueLimits {
  /** Of all entries together, in milliseconds of expected work. */
  maxCostMs: number
  maxLength: number
}

interface Entry<T> {
  item: T
  costMs: number
  dueMs: number
  callers: string[]
}

export class FairQueue<T> {
  readonly #limits: QueueLimits
  readonly #usage: DecayingUsage
  readonly #now: () => number
  readonly #entries = new Map<T, Entry<T>>()
  /** Of each caller, joined entries included. */
  readonly #queuedBy = new Map<string, { costMs: number; entries: number }>()
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
  hasCallersBeside(...callers: string[]): boolean {
    return this.#queuedBy.size > callers.filter((caller) => this.#queuedBy.has(caller)).length
  }

  /**
   * @param runningMs expected work of the caller's jobs that are running
   * @returns the items that no longer fit, the last ones first. `item` itself can be among them.
   */
  enqueue(caller: string, item: T, costMs: number, runningMs = 0): T[] {
    const entry: Entry<T> = { item, costMs, dueMs: Infinity, callers: [] }
    this.#entries.set(item, entry)
    this.#costMs += costMs
    this.#addCaller(caller, entry, runningMs)
    const evicted: T[] = []
    while (this.#costMs > this.#limits.maxCostMs || this.size > this.#limits.maxLength) {
      const last = this.#best((one, other) => one.dueMs >= other.dueMs) as Entry<T>
      this.remove(last.item)
      evicted.push(last.item)
    }
    return evicted
  }

  /** Another caller waits for a queued item: it is due when the first of them is. It counts for each of them. */
  join(caller: string, item: T): void {
    const entry = this.#entries.get(item)
    if (entry && !entry.callers.includes(caller)) this.#addCaller(caller, entry)
  }

  /** Removes and returns the item that is due first. */
  dequeue(): T | undefined {
    const first = this.#best((one, other) => one.dueMs < other.dueMs)
    if (first) this.remove(first.item)
    return first?.item
  }

  /** @returns false when the item is not in the queue */
  remove(item: T): boolean {
    const entry = this.#entries.get(item)
    if (!entry) return false
    this.#entries.delete(item)
    this.#costMs -= entry.costMs
    for (const caller of entry.callers) {
      const queued = this.#queuedOf(caller)
      queued.costMs -= entry.costMs
      if (--queued.entries === 0) this.#queuedBy.delete(caller)
    }
    return true
  }

  #addCaller(caller: string, entry: Entry<T>, runningMs = 0): void {
    const queued = this.#queuedOf(caller)
    const usedMs = this.#usage.usageMs(caller) + runningMs + queued.costMs
    const delayMs = Math.min(maxDelayMs, delayPerMs * usedMs)
    entry.dueMs = Math.min(entry.dueMs, this.#now() + delayMs)
    entry.callers.push(caller)
    queued.costMs += entry.costMs
    queued.entries++
    this.#queuedBy.set(caller, queued)
  }

  #queuedOf(caller: string) {
    return this.#queuedBy.get(caller) ?? { costMs: 0, entries: 0 }
  }

  #best(isBetter: (entry: Entry<T>, best: Entry<T>) => boolean): Entry<T> | undefined {
    let best: Entry<T> | undefined
    for (const entry of this.#entries.values()) if (best === undefined || isBetter(entry, best)) best = entry
    return best
  }
}
