// A bounded queue that serves the caller with the least recent usage first. A caller whose jobs take long waits behind
// others, and a light caller among sixteen heavy ones waits for one job, not for sixteen.
import type { DecayingUsage } from './decaying-usage.ts'

interface Entry<T> {
  caller: string
  item: T
  cost: number
}

export class FairQueue<T> {
  readonly #maxCost: number
  readonly #usage: DecayingUsage
  readonly #entries: Entry<T>[] = []

  /** @param maxCost of all entries together: their number, where each costs 1 */
  constructor(maxCost: number, usage: DecayingUsage) {
    this.#maxCost = maxCost
    this.#usage = usage
  }

  get size(): number {
    return this.#entries.length
  }

  /**
   * @returns the items that are evicted while the queue is over its maximum: each time the last one of the caller whose
   *   entries cost the most (with equal costs: with the most usage). `item` itself can be among them.
   */
  enqueue(caller: string, item: T, cost = 1): T[] {
    this.#entries.push({ caller, item, cost })
    const evicted: T[] = []
    while (this.#totalCost() > this.#maxCost) evicted.push(...this.#evictOne())
    return evicted
  }

  /** Removes and returns the item of the caller with the least usage; with equal usage the one that arrived first. */
  dequeue(): T | undefined {
    const usesLess = (entry: Entry<T>, best: Entry<T>) =>
      this.#usage.usageMs(entry.caller) < this.#usage.usageMs(best.caller)
    return this.#removeAt(this.#indexOfBest(usesLess))[0]
  }

  /** @returns false when the item is not in the queue */
  remove(item: T): boolean {
    return this.#removeAt(this.#entries.findIndex((entry) => entry.item === item)).length > 0
  }

  #totalCost(): number {
    return this.#entries.reduce((sum, { cost }) => sum + cost, 0)
  }

  #evictOne(): T[] {
    const costs = new Map<string, number>()
    for (const { caller, cost } of this.#entries) costs.set(caller, (costs.get(caller) ?? 0) + cost)
    const usesMore = (a: string, b: string) => {
      const [costA, costB] = [costs.get(a) ?? 0, costs.get(b) ?? 0]
      return costA === costB ? this.#usage.usageMs(a) >= this.#usage.usageMs(b) : costA > costB
    }
    return this.#removeAt(this.#indexOfBest((entry, best) => usesMore(entry.caller, best.caller)))
  }

  #indexOfBest(isBetter: (entry: Entry<T>, best: Entry<T>) => boolean): number {
    let best = 0
    this.#entries.forEach((entry, at) => {
      if (at > 0 && isBetter(entry, this.#entries[best] as Entry<T>)) best = at
    })
    return best
  }

  /** @returns the item, or nothing when there is none at this index */
  #removeAt(at: number): T[] {
    return at < 0 ? [] : this.#entries.splice(at, 1).map(({ item }) => item)
  }
}
