// A PostgreSQL connection pool that discards broken connections and handles errors at any time.
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Pool } from 'pg'

/**
 * pg's pool handles errors of idle connections only: a connection that breaks between two
 * statements of a transaction would crash the process. It also reuses a connection whose statement
 * timed out, and the next statement on it would time out as well.
 * @param onError called for every error event of a connection; a failed or timed-out statement only throws
 */
export function createPostgresPool(pool: Pool, onError: (error: Error) => void): PostgresPool {
  pool.on('error', onError)
  return {
    end: () => pool.end(),
    async connect(): Promise<PostgresPoolClient> {
      const client = await pool.connect()
      let brokenBy: Error | undefined
      const handleError = (error: Error) => {
        brokenBy = error
        onError(error)
      }
      client.on('error', handleError)
      return {
        // Kysely uses the other overload only for cursors, which are not configured.
        query: async <R>(sql: string, parameters: readonly unknown[]) => {
          // After a timeout the rollback would only time out again.
          if (brokenBy) throw brokenBy
          try {
            return (await client.query(sql, [...parameters])) as unknown as PostgresQueryResult<R>
          } catch (error) {
            if (isConnectionFailure(error)) brokenBy = error
            throw error
          }
        },
        release() {
          client.off('error', handleError)
          client.release(brokenBy)
        },
      } as PostgresPoolClient
    },
  }
}

/** Errors without a SQLSTATE, five characters with a digit: connection failures and timeouts. */
const isConnectionFailure = (error: unknown): error is Error =>
  error instanceof Error && !/^(?=.*\d)[0-9A-Z]{5}$/.test((error as NodeJS.ErrnoException).code ?? '')
