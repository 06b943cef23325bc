// The room for jobs that may fill hundreds of megabytes: lanes that share it have one job at work among them.

export interface Sharer {
  /** The room may be free: enter it if there is still something to do. */
  next(): void
}

export class OneAtATime {
  #isTaken = false
  /** In the order in which they first asked. */
  readonly #waiting = new Set<Sharer>()

  /** True: the room is the asker's until it leaves. False: it will be told when to ask again. */
  enter(sharer: Sharer): boolean {
    if (this.#isTaken) {
      this.#waiting.add(sharer)
      return false
    }
    this.#isTaken = true
    this.#waiting.delete(sharer)
    return true
  }

  /** Whoever waits comes before whoever leaves and asks again: so the lanes take turns, however long their queues. */
  leave(): void {
    this.#isTaken = false
    for (const sharer of [...this.#waiting]) {
      if (this.#isTaken) return
      this.#waiting.delete(sharer)
      sharer.next()
    }
  }
}
