// One SQLite connection behind Kysely. It never blocks the process: statements that meet another
// process's lock are retried asynchronously.
import { Mutex } from '../concurrency/mutex.ts'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { translateSqliteError } from './sqlite-errors.ts'
import { DatabaseUnavailable } from './database-errors.ts'

/**
 * How long a statement retries while another process holds the write lock (faults/sqlite.fault.ts).
 */
const defaultLockTimeoutMs = 5000
/** An attempt takes 20 µs (measured), and only the first waiting statement retries. */
const retryEveryMs = 10
/**
 * The server repeats some hundred statements. Longer ones are batches, each with its own row count.
 */
const statementCache = { maxStatements: 300, maxCharacters: 4000 }

/**
 * @param database without a busy_timeout, in which SQLite would block the process and all its
 * requests
 * @param path for error messages
 */
export function sqliteDialect(database: DatabaseSync, path: string, lockTimeoutMs = defaultLockTimeoutMs): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => new SqliteDriver(new Engine(database, path), lockTimeoutMs),
  }
}

/**
 * SQLite's DDL is transactional, which Kysely's adapter does not declare: an interrupted migration
 * must not leave a partial schema.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const lengthOf = (value: unknown) => (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0)

interface Prepared {
  statement: StatementSync
  /** Whether it returns rows, possibly none. Schema changes do not change that. */
  hasRows: boolean
}

/** Runs statements synchronously. Errors are translated by sqlite-errors.ts. */
class Engine {
  readonly #database: DatabaseSync
  readonly #path: string
  /**
   * Preparing a statement costs three times as much as running it (measured: 14 µs and 4 µs for a
   * row by its key).
   */
  readonly #prepared = new LRUCache<string, Prepared>({ max: statementCache.maxStatements })

  constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.#path = path
  }

  run(sql: string, parameters: readonly unknown[] = []): QueryResult<never> {
    try {
      const { statement, hasRows } = this.#prepare(sql)
      const values = parameters as SQLInputValue[]
      // A statement retains its last parameters, up to a document of 1 MB: do not cache it then.
      if (parameters.some((value) => lengthOf(value) > statementCache.maxCharacters)) this.#prepared.delete(sql)
      if (hasRows) return { rows: statement.all(...values) as never[] }
      const { changes, lastInsertRowid } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    } catch (error) {
      throw translateSqliteError(error, this.#path)
    }
  }

  #prepare(sql: string): Prepared {
    const cached = this.#prepared.get(sql)
    if (cached) return cached
    const statement = this.#database.prepare(sql)
    const prepared = { statement, hasRows: statement.columns().length > 0 }
    // SQLite re-prepares statements after schema changes, but the driver's classes may have cached
    // their column count.
    if (/^\s*(create|alter|drop)\b/i.test(sql)) this.#prepared.clear()
    else if (sql.length <= statementCache.maxCharacters) this.#prepared.set(sql, prepared)
    return prepared
  }

  // @NOTE The closure prevents garbage collection of `database`; statements of a collected database fail (@photostructure/sqlite 1.2.1).
  close(): void {
    this.#prepared.clear()
    this.#database.close()
  }
}

class SqliteDriver implements Driver {
  readonly #engine: Engine
  readonly #lockTimeoutMs: number
  /** Held by the statement or transaction that runs. */
  readonly #mutex = new Mutex()
  /**
   * Queues statements that wait for another process. Separate, because readers continue meanwhile
   * in WAL mode.
   */
  readonly #retryQueue = new Mutex()

  constructor(engine: Engine, lockTimeoutMs: number) {
    this.#engine = engine
    this.#lockTimeoutMs = lockTimeoutMs
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SharedConnection(this)
  }

  /** Runs one statement outside a transaction. */
  async runAlone({ sql, parameters }: CompiledQuery): Promise<QueryResult<never>> {
    const result = await this.#retryWhileLocked(() => this.#engine.run(sql, parameters))
    this.#mutex.release()
    return result
  }

  /** Runs the next statement of a transaction. */
  runInTransaction({ sql, parameters }: CompiledQuery): QueryResult<never> {
    return this.#engine.run(sql, parameters)
  }

  /**
   * Takes the write lock at the start, so that later statements cannot meet another process's lock
   * and only the start is retried.
   */
  async beginTransaction(connection: SharedConnection, { accessMode }: TransactionSettings): Promise<void> {
    await this.#retryWhileLocked(() => this.#engine.run(accessMode === 'read only' ? 'begin' : 'begin immediate'))
    connection.inTransaction = true
  }

  async commitTransaction(): Promise<void> {
    this.#engine.run('commit')
  }

  async rollbackTransaction(): Promise<void> {
    try {
      this.#engine.run('rollback')
    } catch (error) {
      // SQLite has already rolled back, for example on a full disk. The original error is the one
      // to report.
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error
    }
  }

  async releaseConnection(connection: SharedConnection): Promise<void> {
    if (!connection.inTransaction) return
    connection.inTransaction = false
    try {
      // Rolls back a transaction whose commit failed, so that the next statement does not run in
      // it.
      await this.rollbackTransaction()
    } finally {
      this.#mutex.release()
    }
  }

  async destroy(): Promise<void> {
    this.#engine.close()
  }

  /**
   * Retries `attempt` until the deadline while another process holds the lock.
   * @returns with the mutex held
   * @throws the error of `attempt`; busy only after the deadline. The mutex is released then
   */
  async #retryWhileLocked<T>(attempt: () => T): Promise<T> {
    const deadline = performance.now() + this.#lockTimeoutMs
    try {
      return await this.#acquireAndRun(attempt)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
    await this.#retryQueue.acquire()
    try {
      for (;;) {
        try {
          return await this.#acquireAndRun(attempt)
        } catch (error) {
          if (!(error instanceof DatabaseUnavailable) || performance.now() >= deadline) throw error
        }
        await sleep(retryEveryMs)
      }
    } finally {
      this.#retryQueue.release()
    }
  }

  async #acquireAndRun<T>(attempt: () => T): Promise<T> {
    await this.#mutex.acquire()
    try {
      return attempt()
    } catch (error) {
      this.#mutex.release()
      throw error
    }
  }
}

/** Kysely's view of a connection. All of them share the one SQLite connection. */
class SharedConnection implements DatabaseConnection {
  /** Whether a transaction of this connection holds the mutex. */
  inTransaction = false
  readonly #driver: SqliteDriver

  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.inTransaction ? this.#driver.runInTransaction(query) : this.#driver.runAlone(query)
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery(query)
  }
}
