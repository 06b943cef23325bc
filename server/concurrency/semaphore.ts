// Lets a few through at once and a bounded number wait their turn; who comes after those is told to come again.
import { Failure } from '../domain/failure.ts'

/** Runs work in its turn. @throws {Failure} busy, when too many are waiting or its turn does not come in time */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

interface Patience {
  maxAtOnce: number
  maxWaiting: number
  /** How long one waits for its turn; without it, for as long as it takes. */
  maxWaitMs?: number
}

export function createGate({ maxAtOnce, maxWaiting, maxWaitMs }: Patience, onIdle: () => void = () => {}): Gate {
  let running = 0
  const waiting: (() => void)[] = []

  function waitForTurn(): Promise<void> {
    if (waiting.length >= maxWaiting) throw busy()
    return new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const giveUp = () => {
        waiting.splice(waiting.indexOf(enter), 1)
        reject(busy())
      }
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs)
      waiting.push(enter)
    })
  }

  return async (work) => {
    // Whoever leaves hands their place over, so that nobody slips in between.
    if (running >= maxAtOnce) await waitForTurn()
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else if (--running === 0) onIdle()
    }
  }
}

const busy = () => new Failure('busy', {}, { retryAfterS: 2 })

/** A gate for each key, remembered only while it is in use. */
export function createKeyedGates(patience: Patience): (key: string) => Gate {
  const gates = new Map<string, Gate>()
  return (key) => {
    const gate = gates.get(key) ?? createGate(patience, () => gates.delete(key))
    gates.set(key, gate)
    return gate
  }
}
