// SQLite behind Kysely: node:sqlite where this Node has it, else the same classes from a package with the engine inside.
import type { DatabaseSync as Database, SQLInputValue } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import type { Schema } from './schema.ts'

/** How long a statement waits for another process's write lock before it fails. */
const busyTimeoutMs = 5000

/**
 * Opens or creates the database file.
 * synchronous=FULL with WAL: a committed transaction is on disk when the call returns.
 */
export async function openSqlite(path: string): Promise<Kysely<Schema>> {
  const DatabaseSync = await loadDriver()
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = FULL')
  database.exec('PRAGMA foreign_keys = ON')
  // SQLite's own knows ASCII only: what is compared without case must be so on both databases.
  database.function('lower', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text))
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: forKysely(database) }) })
}

/** Runs `use` in one read transaction of a connection of its own: writers go on beside it, unseen. */
export async function readSqlite<T>(path: string, use: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  const db = await openSqlite(path)
  try {
    return await db.transaction().execute(use)
  } finally {
    await db.destroy()
  }
}

/** Of the engine that databases are opened with. */
export async function sqliteVersion(): Promise<string> {
  const DatabaseSync = await loadDriver()
  const database = new DatabaseSync(':memory:')
  try {
    return (database.prepare('SELECT sqlite_version() AS version').get() as { version: string }).version
  } finally {
    database.close()
  }
}

/** The classes of node:sqlite. */
export async function loadDriver(): Promise<new (path: string) => Database> {
  try {
    return (await import('node:sqlite')).DatabaseSync
  } catch (error) {
    // Node 20 has no node:sqlite: the package offers the same classes and errors.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_BUILTIN_MODULE') throw error
    return (await import('@photostructure/sqlite')).DatabaseSync as unknown as new (path: string) => Database
  }
}

function forKysely(database: Database) {
  return {
    // @NOTE The closure keeps `database` alive; statements of a collected database fail (@photostructure/sqlite 1.2.1).
    close: () => database.close(),
    prepare(sql: string) {
      const statement = database.prepare(sql)
      const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
      return {
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => statement.all(...values(parameters)),
        run: (parameters: readonly unknown[]) => statement.run(...values(parameters)),
        iterate: (parameters: readonly unknown[]) => statement.iterate(...values(parameters)),
      }
    },
  }
}
