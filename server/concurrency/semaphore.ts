// A counting semaphore with a bounded queue, and one semaphore per key.

interface SemaphoreOptions {
  /** How many are held at the same time. */
  permits: number
  /** How many may wait for one; further ones are rejected at once. */
  maxQueued: number
  /** Time limit for the wait; without it, it takes until a permit is free. */
  maxWaitMs?: number
  /** Creates the error for whoever is rejected or waits too long. */
  rejectWith: () => Error
}

/** Waits for a permit, which is free again when it is disposed of. @throws what `rejectWith` creates */
export type Semaphore = () => Promise<Disposable>

export function createSemaphore(options: SemaphoreOptions, onIdle: () => void = () => {}): Semaphore {
  const { permits, maxQueued, maxWaitMs, rejectWith } = options
  let held = 0
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

  /** Passes the permit directly to the next one in the queue, so that nobody else can take it in between. */
  function release(): void {
    const next = queue.shift()
    if (next) next()
    else if (--held === 0) onIdle()
  }

  return async () => {
    if (held >= permits) await waitForPermit()
    else held++
    return { [Symbol.dispose]: release }
  }
}

/** One semaphore per key, held in memory only while it is in use. */
export function createKeyedSemaphores(options: SemaphoreOptions): (key: string) => Promise<Disposable> {
  const semaphores = new Map<string, Semaphore>()
  return (key) => {
    const semaphore = semaphores.get(key) ?? createSemaphore(options, () => semaphores.delete(key))
    semaphores.set(key, semaphore)
    return semaphore()
  }
}
