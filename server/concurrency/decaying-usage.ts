// How much of the processes' time each caller has had lately. Lanes that share it know of each other's: whoever holds up the one
// for large pictures is not first in the one for small pictures, too.

import { LRUCache } from 'lru-cache'

/** Half of what somebody had is forgotten after this long: whoever pauses for a minute is new again. */
const halfLifeMs = 10_000
/** Callers whose time is remembered; who is forgotten is new again. */
const maxCallers = 10_000

export class TimeHad {
  readonly #now: () => number
  readonly #had = new LRUCache<string, { ms: number; atMs: number }>({ max: maxCallers })

  /** @param now milliseconds that only go forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  charge(caller: string, ms: number): void {
    this.#had.set(caller, { ms: this.hadMs(caller) + ms, atMs: this.#now() })
  }

  /** Milliseconds of the processes' time, what is long ago counted for less. */
  hadMs(caller: string): number {
    const had = this.#had.get(caller)
    return had ? had.ms * 0.5 ** ((this.#now() - had.atMs) / halfLifeMs) : 0
  }
}
