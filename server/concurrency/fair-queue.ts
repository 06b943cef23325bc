// Whose job is next when several wait: who has had the least of the processes' time lately. So a caller who sends what takes
// long waits for their own sake, and a good one among sixteen such callers waits for one job, not for sixteen.

import type { TimeHad } from './decaying-usage.ts'

interface Waiting<T> {
  caller: string
  item: T
}

export class Turns<T> {
  readonly #max: number
  readonly #had: TimeHad
  readonly #waiting: Waiting<T>[] = []

  constructor(max: number, had: TimeHad) {
    this.#max = max
    this.#had = had
  }

  get size(): number {
    return this.#waiting.length
  }

  /** Answers who has to leave when there is no room for all: the greediest caller's last, who may be the one that came. */
  add(caller: string, item: T): T | undefined {
    this.#waiting.push({ caller, item })
    if (this.#waiting.length <= this.#max) return undefined
    const counts = new Map<string, number>()
    for (const waiting of this.#waiting) counts.set(waiting.caller, (counts.get(waiting.caller) ?? 0) + 1)
    const isGreedier = (a: string, b: string) => {
      const [more, than] = [counts.get(a) ?? 0, counts.get(b) ?? 0]
      return more === than ? this.#had.hadMs(a) >= this.#had.hadMs(b) : more > than
    }
    return this.#remove(this.#best((one, best) => isGreedier(one.caller, best.caller)))
  }

  /** The next in turn leaves the queue; among equals, who came first. */
  take(): T | undefined {
    return this.#remove(this.#best((one, best) => this.#had.hadMs(one.caller) < this.#had.hadMs(best.caller)))
  }

  /** False when it is not waiting any more. */
  leave(item: T): boolean {
    return this.#remove(this.#waiting.findIndex((waiting) => waiting.item === item)) !== undefined
  }

  #best(isBetter: (one: Waiting<T>, best: Waiting<T>) => boolean): number {
    let best = 0
    this.#waiting.forEach((one, at) => {
      if (at > 0 && isBetter(one, this.#waiting[best] as Waiting<T>)) best = at
    })
    return best
  }

  #remove(at: number): T | undefined {
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0]?.item
  }
}
