// Single flight: concurrent calls with the same key share one execution and its result.

export interface SingleFlight<T> {
  /** Joins the execution in progress for `key`, or starts `task`. @throws what `task` throws */
  run(key: string, task: () => Promise<T>): Promise<T>
  isRunning(key: string): boolean
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const inProgress = new Map<string, Promise<T>>()
  return {
    run(key, task) {
      const running = inProgress.get(key)
      if (running) return running
      const started = task().finally(() => inProgress.delete(key))
      inProgress.set(key, started)
      return started
    },
    isRunning: (key) => inProgress.has(key),
  }
}
