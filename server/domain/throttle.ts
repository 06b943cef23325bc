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
  /** The count so far, without counting. */
  peek(key: string, nowMs: number): Promise<Count>
  forget(key: string): Promise<void>
}

export interface Count {
  hits: number
  /** UTC milliseconds; 0 when nothing was counted. */
  endsAt: number
}

const nothing: Count = { hits: 0, endsAt: 0 }

/** A bound on what strangers can make us remember: the least recently seen keys are forgotten. */
const maxKeysInMemory = 100_000

export function memoryCounters(): Counters {
  const counts = new LRUCache<string, Count>({ max: maxKeysInMemory })
  const current = (key: string, nowMs: number) => {
    const count = counts.get(key)
    return count && count.endsAt > nowMs ? count : nothing
  }
  return {
    async hit(key, windowMs, nowMs) {
      const { hits, endsAt } = current(key, nowMs)
      const count = { hits: hits + 1, endsAt: hits === 0 ? nowMs + windowMs : endsAt }
      counts.set(key, count)
      return count
    },
    peek: async (key, nowMs) => current(key, nowMs),
    forget: async (key) => void counts.delete(key),
  }
}

export function databaseCounters(db: Kysely<Schema>): Counters {
  return {
    async hit(key, windowMs, nowMs) {
      const isOver = sql<boolean>`rate_counters.ends_at <= ${nowMs}`
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
    async peek(key, nowMs) {
      const row = await db.selectFrom('rate_counters').selectAll().where('key', '=', key).executeTakeFirst()
      return row && row.ends_at > nowMs ? { hits: row.hits, endsAt: row.ends_at } : nothing
    },
    async forget(key) {
      await db.deleteFrom('rate_counters').where('key', '=', key).execute()
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
  if (hits > limit) throw tooMany(endsAt - now)
}

export const tooMany = (waitMs: number) => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new Failure('too_many_requests', { seconds }, { retryAfterS: seconds })
}

/** Forgets the counters whose window is over. */
export async function sweepCounters(deps: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await deps.db.deleteFrom('rate_counters').where('ends_at', '<=', deps.now()).execute()
}
