// PostgreSQL behind Kysely. The client library is loaded only when it is configured.
import { Kysely, PostgresDialect } from 'kysely'
import { createPostgresPool } from './postgres-pool.ts'
import type { Schema } from './schema.ts'
import { translateDatabaseErrors } from './postgres-errors.ts'

/**
 * PostgreSQL cancels a statement after `statementMs`; without a response by `responseMs` the
 * connection is considered dead. PostgreSQL ends a transaction left open by a dead machine after
 * `openTransactionMs`, which releases its locks.
 */
const timeouts = {
  connectMs: 5000,
  statementMs: 30_000,
  responseMs: 35_000,
  openTransactionMs: 60_000,
  idleMs: 30_000,
  keepAliveMs: 10_000,
}
const maxConnections = 10

/** Type OIDs of bigint and numeric (counts and sums), which the client would return as strings. */
const numericTypes = new Set([20, 1700])

/** @param url postgres://user:password@host:port/database */
export async function openPostgres(url: string, onError: (error: Error) => void): Promise<Kysely<Schema>> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: timeouts.connectMs,
    statement_timeout: timeouts.statementMs,
    query_timeout: timeouts.responseMs,
    idle_in_transaction_session_timeout: timeouts.openTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: timeouts.keepAliveMs,
    idleTimeoutMillis: timeouts.idleMs,
    types: {
      // Milliseconds and byte counts stay below 2^53.
      getTypeParser: ((type: number, format?: 'text') =>
        numericTypes.has(type) ? Number : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser,
    },
  })
  return new Kysely<Schema>({
    dialect: translateDatabaseErrors(new PostgresDialect({ pool: createPostgresPool(pool, onError) })),
  })
}

/** Runs `use` in one read-only transaction on a snapshot taken at its first query. */
export function readPostgresSnapshot<T>(db: Kysely<Schema>, use: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(use)
}
