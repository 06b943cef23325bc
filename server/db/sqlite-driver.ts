// One SQLite connection behind Kysely that never makes the process wait: whom another process's lock holds up waits aside.
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
import { explained } from './sqlite-errors.ts'
import { DatabaseUnavailable } from './database-errors.ts'

/** How long a statement waits for another process's write lock before it fails (faults/sqlite.fault.ts). */
const patienceMs = 5000
/** One try takes 20 µs (measured), and only the first of those that wait tries. */
const retryEveryMs = 10
/** The texts that a server repeats are some hundred; longer ones are batches, each with a number of rows of its own. */
const kept = { statements: 300, signs: 4000 }

/**
 * @param database without a busy_timeout: SQLite would wait in it, and with it everyone who is served by this process
 * @param path named in errors
 */
export function sqliteDialect(database: DatabaseSync, path: string, waitAtMostMs = patienceMs): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => new SqliteDriver(new Engine(database, path), waitAtMostMs),
  }
}

/** Kysely does not know it, but SQLite changes tables in transactions: a migration that is cut off must leave nothing half-made. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const lengthOf = (value: unknown) => (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0)

interface Prepared {
  statement: StatementSync
  /** Whether it answers with rows, be they none. No change of a table changes that. */
  hasRows: boolean
}

/** Runs statements, at once and to their end. What it throws is what callers know: see sqlite-errors.ts. */
class Engine {
  readonly #database: DatabaseSync
  readonly #path: string
  /** Preparing costs three times what running does (measured: 14 µs against 4 for a row by its key). */
  readonly #prepared = new LRUCache<string, Prepared>({ max: kept.statements })

  constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.#path = path
  }

  run(sql: string, parameters: readonly unknown[] = []): QueryResult<never> {
    try {
      const { statement, hasRows } = this.#prepare(sql)
      const values = parameters as SQLInputValue[]
      // It holds what it was last asked with until it is asked again: a document of 1 MB is not to be held so.
      if (parameters.some((value) => lengthOf(value) > kept.signs)) this.#prepared.delete(sql)
      if (hasRows) return { rows: statement.all(...values) as never[] }
      const { changes, lastInsertRowid } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    } catch (error) {
      throw explained(error, this.#path)
    }
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    const made = { statement, hasRows: statement.columns().length > 0 }
    // SQLite itself prepares anew what a changed table asks for, but the classes over it may have counted its columns before.
    if (/^\s*(create|alter|drop)\b/i.test(sql)) this.#prepared.clear()
    else if (sql.length <= kept.signs) this.#prepared.set(sql, made)
    return made
  }

  // @NOTE The closure keeps `database` alive; statements of a collected database fail (@photostructure/sqlite 1.2.1).
  close(): void {
    this.#prepared.clear()
    this.#database.close()
  }
}

class SqliteDriver implements Driver {
  readonly #engine: Engine
  readonly #waitAtMostMs: number
  /** Whose statement runs, or whose transaction. */
  readonly #mutex = new Mutex()
  /** Who waits for another process. Apart from the turns: in WAL mode readers go on meanwhile. */
  readonly #held = new Mutex()

  constructor(engine: Engine, waitAtMostMs: number) {
    this.#engine = engine
    this.#waitAtMostMs = waitAtMostMs
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Lease(this)
  }

  /** One statement by itself. */
  async runAlone({ sql, parameters }: CompiledQuery): Promise<QueryResult<never>> {
    const result = await this.#patiently(() => this.#engine.run(sql, parameters))
    this.#mutex.release()
    return result
  }

  /** The next one of a transaction. */
  runInTurn({ sql, parameters }: CompiledQuery): QueryResult<never> {
    return this.#engine.run(sql, parameters)
  }

  /** The write lock is taken at the start: nothing after it can meet another's, so that only the start is ever tried again. */
  async beginTransaction(lease: Lease, { accessMode }: TransactionSettings): Promise<void> {
    await this.#patiently(() => this.#engine.run(accessMode === 'read only' ? 'begin' : 'begin immediate'))
    lease.hasTurn = true
  }

  async commitTransaction(): Promise<void> {
    this.#engine.run('commit')
  }

  async rollbackTransaction(): Promise<void> {
    try {
      this.#engine.run('rollback')
    } catch (error) {
      // SQLite has done so by itself, as on a full disk: what made it do so is the error to tell.
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error
    }
  }

  async releaseConnection(lease: Lease): Promise<void> {
    if (!lease.hasTurn) return
    lease.hasTurn = false
    try {
      // For a transaction whose end has failed: the next to come must not find itself in it.
      await this.rollbackTransaction()
    } finally {
      this.#mutex.release()
    }
  }

  async destroy(): Promise<void> {
    this.#engine.close()
  }

  /** @returns with the turn taken. @throws what `attempt` throws, busy not before its time is up; the turn is given back then */
  async #patiently<T>(attempt: () => T): Promise<T> {
    const giveUpAt = performance.now() + this.#waitAtMostMs
    try {
      return await this.#inTurn(attempt)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
    await this.#held.acquire()
    try {
      for (;;) {
        try {
          return await this.#inTurn(attempt)
        } catch (error) {
          if (!(error instanceof DatabaseUnavailable) || performance.now() >= giveUpAt) throw error
        }
        await sleep(retryEveryMs)
      }
    } finally {
      this.#held.release()
    }
  }

  async #inTurn<T>(attempt: () => T): Promise<T> {
    await this.#mutex.acquire()
    try {
      return attempt()
    } catch (error) {
      this.#mutex.release()
      throw error
    }
  }
}

/** What Kysely takes for a connection: all of them share the one. */
class Lease implements DatabaseConnection {
  /** In a transaction. */
  hasTurn = false
  readonly #driver: SqliteDriver

  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.hasTurn ? this.#driver.runInTurn(query) : this.#driver.runAlone(query)
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery(query)
  }
}
