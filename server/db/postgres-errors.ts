// A database that is away, busy or full, told at the port: no caller knows a code of PostgreSQL (SQLite's: sqlite-errors.ts).
import type { DatabaseConnection, Dialect, Driver } from 'kysely'
import { isNetworkError } from '../network-errors.ts'
import { DatabaseFull, DatabaseUnavailable } from './database-errors.ts'

/**
 * SQLSTATE, https://www.postgresql.org/docs/current/errcodes-appendix.html: the connection (08), lost races (40001, 40P01),
 * no resources (53) or no lock (55P03), cut short or stopped (57), and a standby that only reads after a failover (25006).
 */
const away = /^(08...|40001|40P01|53...|55P03|57014|57P0.|25006)$/

/** What the client of PostgreSQL throws without a code (pg 8.23 and pg-pool, lib/client.js and index.js). */
const brokenLine =
  /^(Connection terminated|timeout exceeded when trying|timeout expired|Client (was closed|has enc)|Query read)/

const diskFull = '53100'

/** PostgreSQL's error as callers are to see it: DatabaseUnavailable, DatabaseFull, anything else as it was. */
export function translatePostgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable || error instanceof DatabaseFull) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === diskFull) return new DatabaseFull(error)
  return isNetworkError(code) || away.test(code) || brokenLine.test(message) ? new DatabaseUnavailable(error) : error
}

/** The same dialect; whatever its connections throw goes through `translatePostgresError`. */
export function translateDatabaseErrors(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: () => translated(dialect.createDriver()),
  }
}

function translated(driver: Driver): Driver {
  const seen = new WeakSet<DatabaseConnection>()
  const acquireConnection = driver.acquireConnection.bind(driver)
  driver.acquireConnection = () =>
    telling(async () => {
      const connection = await acquireConnection()
      // In place, as drivers know their connections by identity; once, as a pool gives the same ones again.
      if (!seen.has(connection)) {
        const execute = connection.executeQuery.bind(connection)
        connection.executeQuery = (query) => telling(async () => execute(query))
        seen.add(connection)
      }
      return connection
    })
  return driver
}

async function telling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translatePostgresError(error)
  }
}
