// Fixed-window rate limiter. Counters are shared by all servers of a PostgreSQL database; a single
// server counts in memory.
import { networksPerSite, siteOf } from '../../concurrency/ipv6-site.ts'
import type { Count } from './rate-counters.ts'
import type { Deps } from './deps.ts'
import { Failure } from './failure.ts'

export interface Throttle {
  key: string
  /** 0 means no limit. */
  limit: number
  windowMs: number
}

/** Takes a hit back. */
export type Undo = () => Promise<void>

/** Counts a hit. @throws {Failure} too_many_requests with Retry-After, over the limit */
export async function throttle(
  deps: Pick<Deps, 'counters' | 'now'>,
  { key, limit, windowMs }: Throttle,
): Promise<Undo> {
  if (limit === 0) return async () => {}
  const now = deps.now()
  const count = await deps.counters.hit(key, windowMs, now)
  const undo = () => deps.counters.undoHit(key, count)
  if (count.hits <= limit) return undo
  // Otherwise it would take the place of one that is taken back later.
  await undo()
  throw tooManyRequests(count.endsAt - now)
}

/**
 * Counts a hit of a client address. IPv6 addresses come as networks of 64 bits, of which a customer
 * may have 65,536: the site of 48 bits has a limit too.
 * @param key to which the address is added
 * @throws {Failure} too_many_requests
 */
export async function throttleAddress(
  deps: Pick<Deps, 'counters' | 'now'>,
  address: string,
  given: Throttle,
): Promise<Undo> {
  // First: beyond its limit a site creates no counters of its networks, which would evict others.
  const undoSite = await throttleSite(deps, address, given)
  const undo = await throttle(deps, { ...given, key: `${given.key}:${address}` }).catch(async (error: unknown) => {
    // Otherwise one network that ignores refusals would use up the limit of its neighbours.
    await undoSite?.()
    throw error
  })
  return async () => void (await Promise.all([undoSite?.(), undo()]))
}

/** Only the site of an IPv6 address. @throws {Failure} too_many_requests */
export async function throttleSite(
  deps: Pick<Deps, 'counters' | 'now'>,
  address: string,
  { key, limit, windowMs }: Throttle,
): Promise<Undo | undefined> {
  const site = siteOf(address)
  return site === undefined
    ? undefined
    : throttle(deps, { key: `${key}:${site}`, limit: limit * networksPerSite, windowMs })
}

/**
 * Runs an attempt while fewer than `limit` have failed or are running.
 * @param attempt returns null when it failed
 * @throws {Failure} too_many_requests
 */
export function throttleFailures<T>(
  deps: Pick<Deps, 'counters' | 'now'>,
  { key, limit, windowMs }: Throttle,
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  return countFailures(deps, { key, windowMs }, ({ hits, endsAt }) => {
    if (hits > limit) throw tooManyRequests(endsAt - deps.now())
    return attempt()
  })
}

/**
 * Counts the attempts that fail. Each is counted before it runs, so that concurrent ones cannot
 * exceed the limit, and uncounted when it succeeds or does not run.
 * @param attempt receives the count including itself and returns null when it failed; throwing is
 * not a failure
 */
export async function countFailures<T>(
  deps: Pick<Deps, 'counters' | 'now'>,
  { key, windowMs }: Omit<Throttle, 'limit'>,
  attempt: (count: Count) => Promise<T | null>,
): Promise<T | null> {
  const count = await deps.counters.hit(key, windowMs, deps.now())
  let hasFailed = false
  try {
    const result = await attempt(count)
    hasFailed = result === null
    return result
  } finally {
    if (!hasFailed) await deps.counters.undoHit(key, count)
  }
}

export const tooManyRequests = (retryAfterMs: number) => {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new Failure('too_many_requests', { seconds }, { retryAfterS: seconds })
}

/** Deletes the counters whose window is over. */
export async function sweepCounters(deps: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await deps.db.deleteFrom('rate_counters').where('ends_at', '<=', deps.now()).execute()
}
