// Translates PostgreSQL errors to those of the database port (for SQLite see sqlite-errors.ts).
import type { DatabaseConnection, Dialect, Driver } from 'kysely'
import { isNetworkError } from '../network-errors.ts'
import { DatabaseFull, DatabaseUnavailable } from './database-errors.ts'

/**
 * SQLSTATE, https://www.postgresql.org/docs/current/errcodes-appendix.html: connection failures
 * (08), serialization failures and deadlocks (40001, 40P01), insufficient resources (53), lock not
 * available (55P03), cancelled or shut down (57), and a read-only standby after a failover (25006).
 */
const unavailable = /^(08...|40001|40P01|53...|55P03|57014|57P0.|25006)$/

/** Messages of client errors without a code (pg 8.23 and pg-pool, lib/client.js and index.js). */
const connectionLost =
  /^(Connection terminated|timeout exceeded when trying|timeout expired|Client (was closed|has enc)|Query read)/

const diskFull = '53100'

/** Returns DatabaseUnavailable, DatabaseFull, or the given error unchanged. */
export function translatePostgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable || error instanceof DatabaseFull) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === diskFull) return new DatabaseFull(error)
  return isNetworkError(code) || unavailable.test(code) || connectionLost.test(message)
    ? new DatabaseUnavailable(error)
    : error
}

/** Wraps a dialect so that errors of its connections go through {@link translatePostgresError}. */
export function translateDatabaseErrors(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: () => translateErrorsOf(dialect.createDriver()),
  }
}

function translateErrorsOf(driver: Driver): Driver {
  const patched = new WeakSet<DatabaseConnection>()
  const acquireConnection = driver.acquireConnection.bind(driver)
  driver.acquireConnection = () =>
    withTranslatedErrors(async () => {
      const connection = await acquireConnection()
      // Patched in place, because drivers identify connections by reference, and once, because a
      // pool returns the same connections again.
      if (!patched.has(connection)) {
        const execute = connection.executeQuery.bind(connection)
        connection.executeQuery = (query) => withTranslatedErrors(async () => execute(query))
        patched.add(connection)
      }
      return connection
    })
  return driver
}

async function withTranslatedErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translatePostgresError(error)
  }
}
