// How often something may be done. Counters are shared by all servers on one database; one server alone counts in memory.
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Deps } from './deps.ts'
import { Failure } from './failure.ts'

export interface Counters {
  /** Counts one more in the window of `key`, which began with its first hit. Atomic. */
  hit(key: string, windowMs: number, nowMs: number): Promise<Count>
  /** Takes one hit back, as long as the window that it was counted in goes on. Atomic. */
  giveBack(key: string, { endsAt }: Count): Promise<void>
}

export interface Count {
  hits: number
  /** UTC milliseconds. */
  endsAt: number
}

/** A bound on what strangers can make us remember: the least recently seen keys are forgotten. */
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
    async giveBack(key, { endsAt }) {
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
    async giveBack(key, { endsAt }) {
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
  /** 0: no limit. */
  limit: number
  windowMs: number
}

/** Counts one and lets it pass while the limit is kept. @throws {Failure} too_many_requests, saying when to come again */
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
 * Lets an attempt pass while fewer than `limit` failed or are under way.
 * @param attempt answers null when it failed
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
 * Counts the attempts that fail. Each is counted before it is made, or many at once would pass as none; it is taken back
 * when it did not fail, or was not made at all.
 * @param attempt gets the count with itself, and answers null when it failed; what it throws is no failure
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
    if (!hasFailed) await deps.counters.giveBack(key, count)
  }
}

export const tooManyRequests = (waitMs: number) => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new Failure('too_many_requests', { seconds }, { retryAfterS: seconds })
}

/** Forgets the counters whose window is over. */
export async function sweepCounters(deps: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await deps.db.deleteFrom('rate_counters').where('ends_at', '<=', deps.now()).execute()
}
