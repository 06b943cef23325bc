// Stops asking a store that failed several times in a row: whoever comes meanwhile hears so at once, and does not wait as well.
import { StoreUnavailable } from '../blobs/blob-store.ts'

/** It opens after so many failures in a row (faults/s3.fault.ts). */
const failuresToOpen = 5
/** How long nobody is let through. Then one is, and how that one fares decides. */
const openForMs = 2000

/** One attempt to use the store. Its end is told once; what is told after it counts no more. */
export interface Attempt {
  /** The store has begun to answer: others may try again, though the next failure stops them at once. */
  answered(): void
  succeeded(): void
  failed(): void
  /** Whoever wanted it has left: nothing is known about the store. */
  abandoned(): void
}

/** @param now a monotonic clock, milliseconds. @returns begins an attempt; it @throws {StoreUnavailable} while the breaker is open */
export function openBreaker(now: () => number = () => performance.now()): () => Attempt {
  let failures = 0
  let openUntil = 0
  let trial: Attempt | undefined

  return () => {
    const waitMs = openUntil - now()
    if (failures >= failuresToOpen && (waitMs > 0 || trial !== undefined))
      throw new StoreUnavailable(`S3 failed ${failures} times in a row and is left alone for a moment`, {
        retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
      })

    let hasEnded = false
    const ended = (tell: () => void) => () => {
      if (hasEnded) return
      hasEnded = true
      if (trial === attempt) trial = undefined
      tell()
    }
    const attempt: Attempt = {
      answered() {
        if (trial === attempt) trial = undefined
        failures = Math.min(failures, failuresToOpen - 1)
      },
      succeeded: ended(() => {
        failures = 0
      }),
      failed: ended(() => {
        failures++
        openUntil = now() + openForMs
      }),
      abandoned: ended(() => {}),
    }
    if (failures >= failuresToOpen) trial = attempt
    return attempt
  }
}
