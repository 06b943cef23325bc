// PostgreSQL behind Kysely, for when one machine is outgrown. The client library is loaded only when it is configured.
import { Kysely, PostgresDialect } from 'kysely'
import type { Schema } from './schema.ts'
import { sayingUnavailable } from './unavailable.ts'

const timeouts = { connectMs: 5000, statementMs: 30_000, idleMs: 30_000 }
const maxConnections = 10

/** PostgreSQL's own numbers for the types that its client would hand out as text: bigint and numeric (counts and sums). */
const numericTypes = new Set([20, 1700])

/** @param url postgres://user:password@host:port/database */
export async function openPostgres(url: string, onError: (error: Error) => void): Promise<Kysely<Schema>> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: timeouts.connectMs,
    statement_timeout: timeouts.statementMs,
    idleTimeoutMillis: timeouts.idleMs,
    types: {
      // Milliseconds and bytes stay below 2^53.
      getTypeParser: ((type: number, format?: 'text') =>
        numericTypes.has(type) ? Number : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser,
    },
  })
  // An idle connection that breaks is replaced by the pool; unheard it would end the process.
  pool.on('error', onError)
  return new Kysely<Schema>({ dialect: sayingUnavailable(new PostgresDialect({ pool })) })
}

/** Runs `use` in one read-only transaction that sees the database as it is at its first query. */
export function readPostgres<T>(db: Kysely<Schema>, use: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(use)
}
