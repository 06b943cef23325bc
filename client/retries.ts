import { RequestFailed } from './request-failed.ts'

export interface RetryOptions {
  /** Attempts of a request that may be repeated. Default 5. Of a server that has never responded: at most 5. */
  attempts?: number
  /** How long a request may wait in total when the server demands it with Retry-After, in milliseconds. Default 120,000. */
  maxWaitMs?: number
  /** Ends all requests and waits. */
  signal?: AbortSignal
  /** Called before the wait for the next attempt. */
  onRetry?: (retry: { reason: RequestFailed; waitMs: number }) => void
}

export interface KnownServer {
  hasResponded: boolean
  /** Older ones have no resumable uploads. */
  hasResumableUploads: boolean
}

const defaultAttempts = 5
const firstBackoffMs = 500
const maxBackoffMs = 30_000
/** A longer timer ends at once. */
const maxTimerMs = 2 ** 31 - 1
/** Any request may be repeated after these: the server refused it before it changed anything. */
export const rateLimitedStatuses: ReadonlySet<number> = new Set([429])
/**
 * A request that is safe to repeat is sent again after these: 0 stands for no response, the others are refusals that say
 * nothing about the request itself. 507 is missing because a full disk stays full.
 */
export const temporaryStatuses: ReadonlySet<number> = new Set([0, 408, 423, 425, 429, 500, 502, 503, 504])
/** With Retry-After, the server says when to go on: waiting is not a failed attempt. */
const waitable = new Set([423, 429, 503])

/**
 * Repeats an attempt after responses with the statuses of `repeatable`.
 * @param attempt calls its argument when it brought the request further: attempts and waits then count from there
 */
export async function withRetries<T>(
  { attempts = defaultAttempts, maxWaitMs = 120_000, signal, onRetry }: RetryOptions,
  server: KnownServer,
  repeatable: ReadonlySet<number>,
  attempt: (noteProgress: () => void) => Promise<T | RequestFailed>,
): Promise<T> {
  let [failed, waits] = [0, 0]
  let waitingSince: number | undefined
  for (;;) {
    const result = await attempt(() => {
      ;[failed, waits, waitingSince] = [0, 0, undefined]
    })
    if (!(result instanceof RequestFailed)) {
      server.hasResponded = true
      return result
    }
    const { status, code, retryAfterMs } = result
    if (code !== '') server.hasResponded = true
    const isDemanded = retryAfterMs !== undefined && waitable.has(status)
    if (isDemanded) waits++
    else failed++
    const waitMs = Math.max(retryAfterMs ?? 0, backoffMs(failed + waits))
    const now = performance.now()
    waitingSince ??= now
    const isTooLong = retryAfterMs !== undefined && now - waitingSince + waitMs > maxWaitMs
    if (!repeatable.has(status) || failed >= attemptsAt(server, attempts) || isTooLong) throw result
    onRetry?.({ reason: result, waitMs })
    await sleep(waitMs, signal)
  }
}

/** A server that has never responded may not exist. */
const attemptsAt = ({ hasResponded }: KnownServer, wanted: number) =>
  hasResponded ? wanted : Math.min(wanted, defaultAttempts)

/** Random, so that clients which were refused together do not come back together. */
const backoffMs = (count: number) =>
  Math.min(maxBackoffMs, firstBackoffMs * 2 ** (count - 1)) * (0.5 + Math.random() / 2)

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(ms, maxTimerMs),
    )
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
  })
}
