// Makes every statement, and every start and end of a transaction, a fault point.
import type { CompiledQuery, DatabaseConnection, Dialect, Driver } from 'kysely'
import { DatabaseUnavailable } from '../../server/db/database-errors.ts'
import { type Kind, type Points, systemError } from './fault-points.ts'

export const failingDialect = (dialect: Dialect, points: Points): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createDriver: () => failingDriver(dialect.createDriver(), points),
})

function failingDriver(driver: Driver, points: Points): Driver {
  const inner = (connection: DatabaseConnection) => (connection as FailingConnection).inner
  return {
    init: () => driver.init(),
    destroy: () => driver.destroy(),
    acquireConnection: async () => failingConnection(await driver.acquireConnection(), points),
    releaseConnection: (connection) => driver.releaseConnection(inner(connection)),
    async beginTransaction(connection, settings) {
      // A transaction that started although the driver reports a failure would be the driver's own bug.
      const error = points.failure('begin', databaseError)
      if (error) throw error
      await driver.beginTransaction(inner(connection), settings)
    },
    commitTransaction: (connection) =>
      points.meet('commit', databaseError, () => driver.commitTransaction(inner(connection))),
    // Runs only after another failure: not a fault point.
    rollbackTransaction: (connection) => driver.rollbackTransaction(inner(connection)),
  }
}

interface FailingConnection extends DatabaseConnection {
  inner: DatabaseConnection
}

const failingConnection = (inner: DatabaseConnection, points: Points): FailingConnection => ({
  inner,
  executeQuery<R>(query: CompiledQuery) {
    const words = query.sql.replaceAll('"', '').split(/\s+/)
    const table = words[words.findIndex((word) => ['from', 'into', 'update'].includes(word)) + 1] ?? ''
    return points.meet(`${words[0]} ${table}`, databaseError, () => inner.executeQuery<R>(query))
  },
  streamQuery: (query) => inner.streamQuery(query),
})

/** As the drivers throw them, before server/db/postgres-errors.ts translates them. */
function databaseError(kind: Kind, where: string): Error {
  if (kind === 'ENOSPC') return systemError(kind, where)
  if (kind === 'ETIMEDOUT') return new DatabaseUnavailable(systemError(kind, where))
  return Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 })
}
