// A counting semaphore with a bounded queue, and one semaphore per key.

export interface SemaphoreOptions {
  /** Tasks that run at the same time. */
  permits: number
  /** Tasks that may wait for a permit; further ones are rejected at once. */
  maxQueued: number
  /** Time limit for the wait; without it a task waits until a permit is free. */
  maxWaitMs?: number
  /** Creates the error for a task that is rejected or waits too long. */
  rejectWith: () => Error
}

/** Runs `task` as soon as a permit is free. @throws what `rejectWith` creates, and what `task` throws */
export type Semaphore = <T>(task: () => Promise<T>) => Promise<T>

export function createSemaphore(options: SemaphoreOptions, onIdle: () => void = () => {}): Semaphore {
  const { permits, maxQueued, maxWaitMs, rejectWith } = options
  let running = 0
  const queue: (() => void)[] = []

  function waitForPermit(): Promise<void> {
    if (queue.length >= maxQueued) throw rejectWith()
    return new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const onTimeout = () => {
        queue.splice(queue.indexOf(start), 1)
        reject(rejectWith())
      }
      const timer = maxWaitMs === undefined ? undefined : setTimeout(onTimeout, maxWaitMs)
      queue.push(start)
    })
  }

  return async (task) => {
    // A finished task passes its permit directly to the next queued one, so that no new task can take it in between.
    if (running >= permits) await waitForPermit()
    else running++
    try {
      return await task()
    } finally {
      const next = queue.shift()
      if (next) next()
      else if (--running === 0) onIdle()
    }
  }
}

/** One semaphore per key, held in memory only while it is in use. */
export function createKeyedSemaphores(options: SemaphoreOptions): (key: string) => Semaphore {
  const semaphores = new Map<string, Semaphore>()
  return (key) => {
    const semaphore = semaphores.get(key) ?? createSemaphore(options, () => semaphores.delete(key))
    semaphores.set(key, semaphore)
    return semaphore
  }
}
