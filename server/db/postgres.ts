// PostgreSQL behind Kysely, for when one machine is outgrown. The client library is loaded only when it is configured.
import { Kysely, PostgresDialect } from 'kysely'
import { createPostgresPool } from './postgres-pool.ts'
import type { Schema } from './schema.ts'
import { translateDatabaseErrors } from './postgres-errors.ts'

/**
 * PostgreSQL ends a statement itself after `statementMs`; when nothing is heard of that either, the line is dead. A transaction
 * that a dead machine left open lets go of its locks after `openTransactionMs`.
 */
const timeouts = {
  connectMs: 5000,
  statementMs: 30_000,
  answerMs: 35_000,
  openTransactionMs: 60_000,
  idleMs: 30_000,
  keepAliveMs: 10_000,
}
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
    query_timeout: timeouts.answerMs,
    idle_in_transaction_session_timeout: timeouts.openTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: timeouts.keepAliveMs,
    idleTimeoutMillis: timeouts.idleMs,
    types: {
      // Milliseconds and bytes stay below 2^53.
      getTypeParser: ((type: number, format?: 'text') =>
        numericTypes.has(type) ? Number : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser,
    },
  })
  return new Kysely<Schema>({
    dialect: translateDatabaseErrors(new PostgresDialect({ pool: createPostgresPool(pool, onError) })),
  })
}

/** Runs `use` in one read-only transaction that sees the database as it is at its first query. */
export function readPostgresSnapshot<T>(db: Kysely<Schema>, use: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(use)
}
