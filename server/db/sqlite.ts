// SQLite behind Kysely: node:sqlite where this Node has it, else the same classes from a package with the engine inside.
import { stat } from 'node:fs/promises'
import type { DatabaseSync as Database } from 'node:sqlite'
import { type Dialect, Kysely } from 'kysely'
import { type ImageChanges, watchImages } from './image-changes.ts'
import type { Schema } from './schema.ts'
import { sqliteDialect } from './sqlite-driver.ts'
import { DatabaseDamaged } from './database-errors.ts'
import { explained } from './sqlite-errors.ts'

/** While it opens nobody is served yet: here SQLite may wait by itself. */
const openTimeoutMs = 5000
/** What is checked page by page at each start: 0.6 s of work (measured: 1.1 s for 454 MB, a million images). */
const checkedUpToBytes = 256 * 1024 ** 2

interface OpenOptions {
  waitAtMostMs?: number
  wrap?: (dialect: Dialect) => Dialect
}

/**
 * Opens or creates the database file.
 * synchronous=FULL with WAL: a committed transaction is on disk when the call returns.
 * @param options.waitAtMostMs for another process's write lock
 * @param options.wrap puts something between the queries and the file: for the fault harness
 * @throws {DatabaseDamaged}
 */
export async function openSqlite(path: string, options: OpenOptions = {}): Promise<Kysely<Schema>> {
  return (await openWatchedSqlite(path, options)).db
}

/** The same, and what watches the table of images, once it is there. @throws {DatabaseDamaged} */
export async function openWatchedSqlite(
  path: string,
  { waitAtMostMs, wrap = (dialect: Dialect) => dialect }: OpenOptions = {},
): Promise<{ db: Kysely<Schema>; watch: () => ImageChanges }> {
  const database = await openFile(path, { check: true })
  const db = new Kysely<Schema>({ dialect: wrap(sqliteDialect(database, path, waitAtMostMs)) })
  return { db, watch: () => watchImages(database) }
}

/** Runs `use` in one read transaction of a connection of its own: writers go on beside it, unseen. */
export async function readSqliteSnapshot<T>(path: string, use: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  const db = new Kysely<Schema>({ dialect: sqliteDialect(await openFile(path, { check: false }), path) })
  try {
    return await db.transaction().setAccessMode('read only').execute(use)
  } finally {
    await db.destroy()
  }
}

async function openFile(path: string, { check }: { check: boolean }): Promise<Database> {
  const DatabaseSync = await loadDriver()
  const database = new DatabaseSync(path)
  try {
    database.exec(`PRAGMA busy_timeout = ${openTimeoutMs}`)
    database.exec('PRAGMA journal_mode = WAL')
    database.exec('PRAGMA synchronous = FULL')
    database.exec('PRAGMA foreign_keys = ON')
    if (check && (await stat(path)).size <= checkedUpToBytes) refuseDamage(database, path)
    // From here on the driver waits, and the process goes on.
    database.exec('PRAGMA busy_timeout = 0')
    // SQLite's own knows ASCII only: what is compared without case must be so on both databases.
    database.function('lower', { deterministic: true }, (text) =>
      typeof text === 'string' ? text.toLowerCase() : text,
    )
    return database
  } catch (error) {
    database.close()
    throw explained(error, path)
  }
}

/** A damaged page found by a visitor later is too late: by then the backups are of the damaged file. */
function refuseDamage(database: Database, path: string): void {
  const [first] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[]
  if (first && first.quick_check !== 'ok') throw new DatabaseDamaged(path, first.quick_check.replace(/\s+/g, ' '))
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
