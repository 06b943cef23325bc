// A semaphore that several queues share without blocking: a queue that fails to acquire it is notified when it is free.

export interface PermitWaiter {
  /** A permit may be free: start the jobs that can start now. */
  startQueued(): void
}

export class SharedPermits {
  #free: number
  /** In the order of their first failed attempt. */
  readonly #waiters = new Set<PermitWaiter>()

  constructor(count: number) {
    this.#free = count
  }

  /** @returns true when a permit is acquired; otherwise `waiter` is notified at a later release */
  tryAcquire(waiter: PermitWaiter): boolean {
    if (this.#free === 0) {
      this.#waiters.add(waiter)
      return false
    }
    this.#free--
    this.#waiters.delete(waiter)
    return true
  }

  /** Waiters come before the releasing queue can acquire again, so queues alternate however long they are. */
  release(): void {
    this.#free++
    for (const waiter of [...this.#waiters]) {
      if (this.#free === 0) return
      this.#waiters.delete(waiter)
      waiter.startQueued()
    }
  }
}
