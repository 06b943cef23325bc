// Counters of rate limits: in memory for a single server, in the database for servers that share one.

import { createHmac } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { createLru } from '../../concurrency/lru.ts'
import type { Schema } from '../../db/schema.ts'

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

/** A window that ends later than one that begins now, by more than servers differ, is of a clock that was set back since. */
const maxClockDifferenceMs = 60_000

/** Bounds the memory that unauthenticated clients can use. */
const maxKeysInMemory = 100_000

export function memoryCounters(): Counters {
  const counts = createLru<Count>(maxKeysInMemory)
  return {
    async hit(key, windowMs, nowMs) {
      const before = counts.get(key)
      const latestEnd = nowMs + windowMs + maxClockDifferenceMs
      const goesOn = before !== undefined && before.endsAt > nowMs && before.endsAt <= latestEnd && before.hits > 0
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

/** @param secret hides what keys contain, such as email and network addresses: the database has their HMAC */
export function databaseCounters(db: Kysely<Schema>, secret: Uint8Array): Counters {
  const hashOf = (key: string) => createHmac('sha256', secret).update(`counter ${key}`).digest('base64url')
  return {
    async hit(key, windowMs, nowMs) {
      const latestEnd = nowMs + windowMs + maxClockDifferenceMs
      const isOver = sql<boolean>`(rate_counters.ends_at <= ${nowMs} or rate_counters.ends_at > ${latestEnd} or rate_counters.hits = 0)`
      const { hits, ends_at: endsAt } = await db
        .insertInto('rate_counters')
        .values({ key: hashOf(key), hits: 1, ends_at: nowMs + windowMs })
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
        .where('key', '=', hashOf(key))
        .where('ends_at', '=', endsAt)
        .where('hits', '>', 0)
        .execute()
    },
  }
}
