// Work that several ask for at once is done once, and all of them get its result.

export interface SingleFlight<T> {
  /** The work under way, or undefined. */
  running(key: string): Promise<T> | undefined
  /** Joins the work under way, or starts it. */
  run(key: string, work: () => Promise<T>): Promise<T>
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const underWay = new Map<string, Promise<T>>()
  return {
    running: (key) => underWay.get(key),
    run(key, work) {
      const running = underWay.get(key)
      if (running) return running
      const started = work().finally(() => underWay.delete(key))
      underWay.set(key, started)
      return started
    },
  }
}
