// A pool of PostgreSQL connections that gives back none that is broken, and that hears of breaks at any time.
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Pool } from 'pg'

/**
 * The pool of pg hears only of idle connections: one that breaks between two statements of a transaction would end the process.
 * And it takes one back whose statement got no answer in time: the next one on it would wait as long.
 * @param onError hears of every connection that breaks
 */
export function createPostgresPool(pool: Pool, onError: (error: Error) => void): PostgresPool {
  pool.on('error', onError)
  return {
    end: () => pool.end(),
    async connect(): Promise<PostgresPoolClient> {
      const client = await pool.connect()
      let brokenBy: Error | undefined
      const hear = (error: Error) => {
        brokenBy = error
        onError(error)
      }
      client.on('error', hear)
      return {
        // Of its two forms: the other is for cursors, which the dialect was not given.
        query: async <R>(sql: string, parameters: readonly unknown[]) => {
          // The rollback after a statement that got no answer would wait as long once more.
          if (brokenBy) throw brokenBy
          try {
            return (await client.query(sql, [...parameters])) as unknown as PostgresQueryResult<R>
          } catch (error) {
            if (isNotOfPostgres(error)) brokenBy = error
            throw error
          }
        },
        release() {
          client.off('error', hear)
          client.release(brokenBy)
        },
      } as PostgresPoolClient
    },
  }
}

/**
 * What PostgreSQL itself says has a SQLSTATE, five signs with a digit, and the connection is as good as before. All else is the
 * line, or a timeout.
 */
const isNotOfPostgres = (error: unknown): error is Error =>
  error instanceof Error && !/^(?=.*\d)[0-9A-Z]{5}$/.test((error as NodeJS.ErrnoException).code ?? '')
