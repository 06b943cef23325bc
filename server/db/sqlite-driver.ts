// One SQLite connection behind Kysely. Statements that meet another process's lock are retried.
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
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { translateSqliteError } from './sqlite-errors.ts'
import { DatabaseUnavailable } from './database-errors.ts'

/** How long a statement retries while another process writes (faults/sqlite.fault.ts). */
const defaultLockTimeoutMs = 5000
/** An attempt takes 20 µs (measured), and only the first waiting statement retries. */
const retryEveryMs = 10
/** The server repeats some hundred statements. Longer ones are batches of varying row counts. */
const statementCache = { maxStatements: 300, maxCharacters: 4000 }

interface DriverOptions {
  lockTimeoutMs?: number | undefined
  /** Whether the file was opened on a full disk, where no other connection can use it. */
  isAlone?: boolean
}

/** @param database without a busy_timeout, which blocks the process @param path for errors */
export function sqliteDialect(
  database: DatabaseSync,
  path: string,
  { lockTimeoutMs = defaultLockTimeoutMs, isAlone = false }: DriverOptions = {},
): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => createDriver(createEngine(database, path, isAlone), lockTimeoutMs),
  }
}

/** SQLite's DDL is transactional: an interrupted migration must not leave a partial schema. */
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

type Engine = ReturnType<typeof createEngine>

/** Runs statements synchronously. Errors are translated by sqlite-errors.ts. */
function createEngine(database: DatabaseSync, path: string, wasOpenedAlone: boolean) {
  let isAlone = wasOpenedAlone
  /** Preparing costs three times as much as running: 14 µs and 4 µs for a row by its key. */
  const cache = new LRUCache<string, Prepared>({ max: statementCache.maxStatements })

  function prepare(sql: string): Prepared {
    const cached = cache.get(sql)
    if (cached) return cached
    const statement = database.prepare(sql)
    const prepared = { statement, hasRows: statement.columns().length > 0 }
    // SQLite re-prepares after schema changes, but the driver may have cached the column count.
    if (/^\s*(create|alter|drop)\b/i.test(sql)) cache.clear()
    else if (sql.length <= statementCache.maxCharacters) cache.set(sql, prepared)
    return prepared
  }

  return {
    run(sql: string, parameters: readonly unknown[] = []): QueryResult<never> {
      try {
        const { statement, hasRows } = prepare(sql)
        const values = parameters as SQLInputValue[]
        // A statement retains its last parameters, up to a document of 1 MB: do not cache it then.
        if (parameters.some((value) => lengthOf(value) > statementCache.maxCharacters)) cache.delete(sql)
        if (hasRows) return { rows: statement.all(...values) as never[] }
        const { changes, lastInsertRowid } = statement.run(...values)
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
      } catch (error) {
        throw translateSqliteError(error, path)
      }
    },

    /**
     * Lets other connections use the file that was opened on a full disk, when that has room again. Call it after a write,
     * outside of a transaction. The journal is written anew, because SQLite cannot share one that began without sharing.
     */
    share(): void {
      if (!isAlone) return
      try {
        for (const pragma of ['journal_mode = DELETE', 'locking_mode = NORMAL', 'user_version'])
          database.exec(`PRAGMA ${pragma}`)
        const { journal_mode: mode } = database.prepare('PRAGMA journal_mode = WAL').get() as { journal_mode: string }
        isAlone = mode !== 'wal'
      } catch {
        // There is not enough room yet, or another process was faster: the next write tries again.
      }
    },

    // @NOTE The closure prevents garbage collection of `database`; statements of a collected database fail (@photostructure/sqlite 1.2.1).
    close() {
      cache.clear()
      database.close()
    },
  }
}

/** Kysely's view of a connection. All of them share the one SQLite connection. */
interface SharedConnection extends DatabaseConnection {
  /** Whether a transaction of this connection holds the mutex. */
  inTransaction: boolean
}

function createDriver(engine: Engine, lockTimeoutMs: number): Driver {
  /** Held by the statement or transaction that runs. */
  const mutex = new Mutex()
  /** Queues statements that wait for another process: in WAL mode readers continue meanwhile. */
  const retryQueue = new Mutex()

  async function acquireAndRun<T>(attempt: () => T): Promise<T> {
    await mutex.acquire()
    try {
      return attempt()
    } catch (error) {
      mutex.release()
      throw error
    }
  }

  /**
   * Retries `attempt` until the deadline while another process holds the lock.
   * @returns with the mutex held
   * @throws the error of `attempt`; busy only after the deadline. The mutex is released then
   */
  async function retryWhileLocked<T>(attempt: () => T): Promise<T> {
    const deadline = performance.now() + lockTimeoutMs
    try {
      return await acquireAndRun(attempt)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
    await retryQueue.acquire()
    try {
      for (;;) {
        try {
          return await acquireAndRun(attempt)
        } catch (error) {
          if (!(error instanceof DatabaseUnavailable) || performance.now() >= deadline) throw error
        }
        await sleep(retryEveryMs)
      }
    } finally {
      retryQueue.release()
    }
  }

  async function rollbackTransaction(): Promise<void> {
    try {
      engine.run('rollback')
    } catch (error) {
      // SQLite has already rolled back, for example on a full disk: report the original error.
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error
    }
  }

  return {
    init: async () => {},

    async acquireConnection() {
      const connection: SharedConnection = {
        inTransaction: false,
        async executeQuery({ sql, parameters }) {
          if (connection.inTransaction) return engine.run(sql, parameters)
          const result = await retryWhileLocked(() => engine.run(sql, parameters))
          if (result.numAffectedRows) engine.share()
          mutex.release()
          return result
        },
        async *streamQuery<R>(query: CompiledQuery) {
          yield await connection.executeQuery<R>(query)
        },
      }
      return connection
    },

    /** Takes the write lock at once: later statements cannot meet another process's lock. */
    async beginTransaction(connection: SharedConnection, { accessMode }) {
      await retryWhileLocked(() => engine.run(accessMode === 'read only' ? 'begin' : 'begin immediate'))
      connection.inTransaction = true
    },

    async commitTransaction() {
      engine.run('commit')
      engine.share()
    },

    rollbackTransaction,

    async releaseConnection(connection: SharedConnection) {
      if (!connection.inTransaction) return
      connection.inTransaction = false
      try {
        // The commit may have failed: the next statement must not run in this transaction.
        await rollbackTransaction()
      } finally {
        mutex.release()
      }
    },

    async destroy() {
      engine.close()
    },
  }
}
