// Lets a few through at once and a bounded number wait their turn; who comes after those is told to come again.
import { Failure } from './failure.ts'

/** Runs work in its turn. @throws {Failure} busy, when too many are waiting */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export function createGate(maxAtOnce: number, maxWaiting: number, onIdle: () => void = () => {}): Gate {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= maxAtOnce) {
      if (waiting.length >= maxWaiting) throw new Failure('busy', {}, { retryAfterS: 2 })
      // Whoever leaves hands their place over, so that nobody slips in between.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else if (--running === 0) onIdle()
    }
  }
}

/** A gate for each key, remembered only while it is in use. */
export function createKeyedGates(maxAtOnce: number, maxWaiting: number): (key: string) => Gate {
  const gates = new Map<string, Gate>()
  return (key) => {
    const gate = gates.get(key) ?? createGate(maxAtOnce, maxWaiting, () => gates.delete(key))
    gates.set(key, gate)
    return gate
  }
}
