// A bounded queue that serves the caller with the least recent usage first. A caller whose jobs take long waits behind
// others, and a light caller among sixteen heavy ones waits for one job, not for sixteen.
import type { DecayingUsage } from './decaying-usage.ts'

interface Entry<T> {
  caller: string
  item: T
}

export class FairQueue<T> {
  readonly #maxLength: number
  readonly #usage: DecayingUsage
  readonly #entries: Entry<T>[] = []

  constructor(maxLength: number, usage: DecayingUsage) {
    this.#maxLength = maxLength
    this.#usage = usage
  }

  get size(): number {
    return this.#entries.length
  }

  /**
   * @returns the item that is evicted when the queue is over its maximum: the last one of the caller with the most entries
   *   (with equal counts: with the most usage). It can be `item` itself.
   */
  enqueue(caller: string, item: T): T | undefined {
    this.#entries.push({ caller, item })
    if (this.#entries.length <= this.#maxLength) return undefined
    const counts = new Map<string, number>()
    for (const entry of this.#entries) counts.set(entry.caller, (counts.get(entry.caller) ?? 0) + 1)
    const usesMore = (a: string, b: string) => {
      const [countA, countB] = [counts.get(a) ?? 0, counts.get(b) ?? 0]
      return countA === countB ? this.#usage.usageMs(a) >= this.#usage.usageMs(b) : countA > countB
    }
    return this.#removeAt(this.#indexOfBest((entry, best) => usesMore(entry.caller, best.caller)))
  }

  /** Removes and returns the item of the caller with the least usage; with equal usage the one that arrived first. */
  dequeue(): T | undefined {
    const usesLess = (entry: Entry<T>, best: Entry<T>) =>
      this.#usage.usageMs(entry.caller) < this.#usage.usageMs(best.caller)
    return this.#removeAt(this.#indexOfBest(usesLess))
  }

  /** @returns false when the item is not in the queue */
  remove(item: T): boolean {
    return this.#removeAt(this.#entries.findIndex((entry) => entry.item === item)) !== undefined
  }

  #indexOfBest(isBetter: (entry: Entry<T>, best: Entry<T>) => boolean): number {
    let best = 0
    this.#entries.forEach((entry, at) => {
      if (at > 0 && isBetter(entry, this.#entries[best] as Entry<T>)) best = at
    })
    return best
  }

  #removeAt(at: number): T | undefined {
    return at < 0 ? undefined : this.#entries.splice(at, 1)[0]?.item
  }
}
