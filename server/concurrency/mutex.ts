// A mutex whose waiters acquire it in the order in which they asked.

export class Mutex {
  #isLocked = false
  readonly #waiters: (() => void)[] = []

  async acquire(): Promise<void> {
    if (this.#isLocked) await new Promise<void>((resolve) => this.#waiters.push(resolve))
    else this.#isLocked = true
  }

  release(): void {
    const next = this.#waiters.shift()
    if (next) next()
    else this.#isLocked = false
  }
}
