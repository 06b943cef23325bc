// Makes every statement, and every start and end of a transaction, a fault point.
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from 'kysely'
import { DatabaseUnavailable } from '../../server/db/database-errors.ts'
import { type Kind, type Points, systemError } from './fault-points.ts'

export const failingDialect = (dialect: Dialect, points: Points): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createDriver: () => new FailingDriver(dialect.createDriver(), points),
})

/** As the drivers throw them, before server/db/postgres-errors.ts translates them. */
function databaseError(kind: Kind, where: string): Error {
  if (kind === 'ENOSPC') return systemError(kind, where)
  if (kind === 'ETIMEDOUT') return new DatabaseUnavailable(systemError(kind, where))
  return Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 })
}

class FailingDriver implements Driver {
  readonly #driver: Driver
  readonly #points: Points

  constructor(driver: Driver, points: Points) {
    this.#driver = driver
    this.#points = points
  }

  init = () => this.#driver.init()
  destroy = () => this.#driver.destroy()

  async acquireConnection(): Promise<DatabaseConnection> {
    return new FailingConnection(await this.#driver.acquireConnection(), this.#points)
  }

  releaseConnection = (connection: FailingConnection) => this.#driver.releaseConnection(connection.inner)

  beginTransaction(connection: FailingConnection, settings: TransactionSettings): Promise<void> {
    // A transaction that started although the driver reports a failure would be the driver's own bug.
    const error = this.#points.failure('begin', databaseError)
    return error ? Promise.reject(error) : this.#driver.beginTransaction(connection.inner, settings)
  }

  commitTransaction(connection: FailingConnection): Promise<void> {
    return this.#points.meet('commit', databaseError, () => this.#driver.commitTransaction(connection.inner))
  }

  /** Runs only after another failure: not a fault point. */
  rollbackTransaction = (connection: FailingConnection) => this.#driver.rollbackTransaction(connection.inner)
}

class FailingConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  readonly #points: Points

  constructor(inner: DatabaseConnection, points: Points) {
    this.inner = inner
    this.#points = points
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const words = query.sql.replaceAll('"', '').split(/\s+/)
    const table = words[words.findIndex((word) => ['from', 'into', 'update'].includes(word)) + 1] ?? ''
    return this.#points.meet(`${words[0]} ${table}`, databaseError, () => this.inner.executeQuery<R>(query))
  }

  streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query)
  }
}
