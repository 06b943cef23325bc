// A circuit breaker: after several failures in a row calls fail at once instead of waiting for a backend that is down.

/** Consecutive failures that open the circuit (measured in faults/s3.fault.ts). */
const failuresToOpen = 5
/** Time for which an open circuit rejects every call. Then one trial call goes through and decides. */
const openForMs = 2000

export class CircuitOpen extends Error {
  override name = 'CircuitOpen'
  readonly failures: number
  readonly retryAfterS: number

  constructor(failures: number, retryAfterS: number) {
    super(`the circuit is open after ${failures} consecutive failures`)
    this.failures = failures
    this.retryAfterS = retryAfterS
  }
}

/** One call to the backend. Its first outcome counts; later ones are ignored. */
export interface Attempt {
  /** The backend has started to respond: other calls may go through, and the next failure opens the circuit again. */
  responded(): void
  succeeded(): void
  failed(): void
  /** The caller gave up: the outcome says nothing about the backend. */
  abandoned(): void
}

/** @param now a monotonic clock in milliseconds. @returns a function that begins an attempt; it @throws {CircuitOpen} */
export function createCircuitBreaker(now: () => number = () => performance.now()): () => Attempt {
  let failures = 0
  let openUntil = 0
  let trial: Attempt | undefined

  return () => {
    const waitMs = openUntil - now()
    if (failures >= failuresToOpen && (waitMs > 0 || trial !== undefined))
      throw new CircuitOpen(failures, Math.max(1, Math.ceil(waitMs / 1000)))

    let isSettled = false
    const settle = (apply: () => void) => () => {
      if (isSettled) return
      isSettled = true
      if (trial === attempt) trial = undefined
      apply()
    }
    const attempt: Attempt = {
      responded() {
        if (trial === attempt) trial = undefined
        failures = Math.min(failures, failuresToOpen - 1)
      },
      succeeded: settle(() => {
        failures = 0
      }),
      failed: settle(() => {
        failures++
        openUntil = now() + openForMs
      }),
      abandoned: settle(() => {}),
    }
    if (failures >= failuresToOpen) trial = attempt
    return attempt
  }
}
