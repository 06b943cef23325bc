// A mutex that several queues share without blocking: a queue that fails to acquire it is notified when it is free.

export interface MutexWaiter {
  /** The mutex may be free: acquire it if there is still a job to run. */
  onMutexFree(): void
}

export class SharedMutex {
  #isLocked = false
  /** In the order of their first failed attempt. */
  readonly #waiters = new Set<MutexWaiter>()

  /** @returns true when the mutex is acquired; otherwise `waiter` is notified at a later release */
  tryAcquire(waiter: MutexWaiter): boolean {
    if (this.#isLocked) {
      this.#waiters.add(waiter)
      return false
    }
    this.#isLocked = true
    this.#waiters.delete(waiter)
    return true
  }

  /** Waiters come before the releasing queue can acquire again, so queues alternate however long they are. */
  release(): void {
    this.#isLocked = false
    for (const waiter of [...this.#waiters]) {
      if (this.#isLocked) return
      this.#waiters.delete(waiter)
      waiter.onMutexFree()
    }
  }
}
