// A bounded queue that serves the caller with the least recent usage first. A caller whose jobs take long waits behind
// others, and a light caller among sixteen heavy ones waits for one job, not for sixteen.
import type { DecayingUsage } from './decaying-usage.ts'

interface Entry<T> {
  item: T
  cost: number
  /** Counts up, for first in, first out among callers with equal usage. */
  order: number
  /** Everyone who waits for the item. It costs the first of them. */
  callers: string[]
}

interface Line<T> {
  /** In the order of their arrival. */
  entries: Set<Entry<T>>
  cost: number
}

export class FairQueue<T> {
  readonly #maxCost: number
  readonly #usage: DecayingUsage
  readonly #entries = new Map<T, Entry<T>>()
  /** By caller. An item that several callers wait for stands in the line of each. */
  readonly #lines = new Map<string, Line<T>>()
  #cost = 0
  #lastOrder = 0

  /** @param maxCost of all entries together: their number, where each costs 1 */
  constructor(maxCost: number, usage: DecayingUsage) {
    this.#maxCost = maxCost
    this.#usage = usage
  }

  get size(): number {
    return this.#entries.size
  }

  /** Of all entries together. */
  get cost(): number {
    return this.#cost
  }

  /** Whether anybody but this caller waits. */
  hasOthers(caller: string): boolean {
    return this.#lines.size > (this.#lines.has(caller) ? 1 : 0)
  }

  /**
   * @returns the items that are evicted while the queue is over its maximum: each time the last one of the caller whose
   *   entries cost the most (with equal costs: with the most usage). `item` itself can be among them.
   */
  enqueue(caller: string, item: T, cost = 1): T[] {
    const entry: Entry<T> = { item, cost, order: ++this.#lastOrder, callers: [] }
    this.#entries.set(item, entry)
    this.#cost += cost
    this.#addTo(caller, entry)
    const evicted: T[] = []
    while (this.#cost > this.#maxCost) {
      const last = this.#lastOfCostliest()
      this.remove(last.item)
      evicted.push(last.item)
    }
    return evicted
  }

  /** Another caller waits for a queued item: it is served as soon as either caller is due. */
  join(caller: string, item: T): void {
    const entry = this.#entries.get(item)
    if (entry && !entry.callers.includes(caller)) this.#addTo(caller, entry)
  }

  /** Removes and returns the item of the caller with the least usage; with equal usage the one that arrived first. */
  dequeue(): T | undefined {
    let best: { entry: Entry<T>; usageMs: number } | undefined
    for (const [caller, { entries }] of this.#lines) {
      const [entry] = entries as Set<Entry<T>> & Iterable<Entry<T>>
      const usageMs = this.#usage.usageMs(caller)
      const isBetter =
        best === undefined ||
        usageMs < best.usageMs ||
        (usageMs === best.usageMs && (entry as Entry<T>).order < best.entry.order)
      if (isBetter) best = { entry: entry as Entry<T>, usageMs }
    }
    if (best) this.remove(best.entry.item)
    return best?.entry.item
  }

  /** @returns false when the item is not in the queue */
  remove(item: T): boolean {
    const entry = this.#entries.get(item)
    if (!entry) return false
    this.#entries.delete(item)
    this.#cost -= entry.cost
    for (const [at, caller] of entry.callers.entries()) {
      const line = this.#lines.get(caller) as Line<T>
      line.entries.delete(entry)
      if (at === 0) line.cost -= entry.cost
      if (line.entries.size === 0) this.#lines.delete(caller)
    }
    return true
  }

  #addTo(caller: string, entry: Entry<T>): void {
    const line = this.#lines.get(caller) ?? { entries: new Set(), cost: 0 }
    this.#lines.set(caller, line)
    line.entries.add(entry)
    if (entry.callers.length === 0) line.cost += entry.cost
    entry.callers.push(caller)
  }

  #lastOfCostliest(): Entry<T> {
    let costliest: { caller: string; line: Line<T> } | undefined
    for (const [caller, line] of this.#lines) {
      const isMore =
        costliest === undefined ||
        line.cost > costliest.line.cost ||
        (line.cost === costliest.line.cost && this.#usage.usageMs(caller) >= this.#usage.usageMs(costliest.caller))
      if (isMore) costliest = { caller, line }
    }
    const { caller, line } = costliest as { caller: string; line: Line<T> }
    // Of the entries that it pays for: one that it joined belongs to somebody else too.
    return [...line.entries].findLast(({ callers }) => callers[0] === caller) as Entry<T>
  }
}
