// When a database began: what is older cannot be its own.
import { DEFAULT_MIGRATION_TABLE, type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * @returns UTC milliseconds by the wall clock, of the first step that made its tables. Infinity: it does not say
 * @NOTE A new file, also one that a backup is restored or moved into, begins when it is made, not when its rows did.
 */
export async function madeAt(db: Kysely<Schema>): Promise<number> {
  const first = sql<{ at: string | null }>`select min(timestamp) as at from ${sql.table(DEFAULT_MIGRATION_TABLE)}`
  const at = Date.parse((await first.execute(db)).rows[0]?.at ?? '')
  return Number.isNaN(at) ? Infinity : at
}
