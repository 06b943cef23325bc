// Fixed-window rate limiter. Counters are shared by all servers of a PostgreSQL database; a single
// server counts in memory.
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Deps } from './deps.ts'
import { Failure } from './failure.ts'

export interface Counters {
  /** Counts a hit in the window of `key`, which starts with its first hit. Atomic. */
  hit(key: string, windowMs: number, nowMs: number): Promise<Count>
  /** Undoes a hit while its window lasts. Atomic. */
  undoHit(key: string, { endsAt }: Count): Promise<void>
}

export interface Count {
  hits: number
  /** UTC milliseconds. */
  endsAt: number
}

/**
 * Bounds the memory that unauthenticated clients can use: the least recently used keys are evicted.
 */
const maxKeysInMemory = 100_000

export function memoryCounters(): Counters {
  const counts = new LRUCache<string, Count>({ max: maxKeysInMemory })
  return {
    async hit(key, windowMs, nowMs) {
      const before = counts.get(key)
      const goesOn = before !== undefined && before.endsAt > nowMs && before.hits > 0
      const count = goesOn ? { ...before, hits: before.hits + 1 } : { hits: 1, endsAt: nowMs + windowMs }
      counts.set(key, count)
      return count
    },
    async undoHit(key, { endsAt }) {
      const count = counts.get(key)
      if (count && count.endsAt === endsAt && count.hits > 0) counts.set(key, { endsAt, hits: count.hits - 1 })
    },
  }
}

export function databaseCounters(db: Kysely<Schema>): Counters {
  return {
    async hit(key, windowMs, nowMs) {
      const isOver = sql<boolean>`(rate_counters.ends_at <= ${nowMs} or rate_counters.hits = 0)`
      const { hits, ends_at: endsAt } = await db
        .insertInto('rate_counters')
        .values({ key, hits: 1, ends_at: nowMs + windowMs })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            hits: sql`case when ${isOver} then 1 else rate_counters.hits + 1 end`,
            ends_at: sql`case when ${isOver} then excluded.ends_at else rate_counters.ends_at end`,
          }),
        )
        .returning(['hits', 'ends_at'])
        .executeTakeFirstOrThrow()
      return { hits, endsAt }
    },
    async undoHit(key, { endsAt }) {
      await db
        .updateTable('rate_counters')
        .set({ hits: sql`hits - 1` })
        .where('key', '=', key)
        .where('ends_at', '=', endsAt)
        .where('hits', '>', 0)
        .execute()
    },
  }
}

export interface Throttle {
  key: string
  /** 0 means no limit. */
  limit: number
  windowMs: number
}

/**
 * Counts a hit and throws when the limit is exceeded.
 * @throws {Failure} too_many_requests with Retry-After
 */
export async function throttle(
  deps: Pick<Deps, 'counters' | 'now'>,
  { key, limit, windowMs }: Throttle,
): Promise<void> {
  if (limit === 0) return
  const now = deps.now()
  const { hits, endsAt } = await deps.counters.hit(key, windowMs, now)
  if (hits > limit) throw tooManyRequests(endsAt - now)
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

export const tooManyRequests = (waitMs: number) => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new Failure('too_many_requests', { seconds }, { retryAfterS: seconds })
}

/** Deletes the counters whose window is over. */
export async function sweepCounters(deps: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await deps.db.deleteFrom('rate_counters').where('ends_at', '<=', deps.now()).execute()
}
