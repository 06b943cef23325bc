// SQLite behind Kysely, by node:sqlite or, where Node lacks it, a package with the same classes.
import { stat } from 'node:fs/promises'
import type { DatabaseSync as Database } from 'node:sqlite'
import { type Dialect, Kysely } from 'kysely'
import { type ImageChanges, watchImages } from './image-changes.ts'
import type { Schema } from './schema.ts'
import { sqliteDialect } from './sqlite-driver.ts'
import { DatabaseDamaged, DatabaseFull } from './database-errors.ts'
import { translateSqliteError } from './sqlite-errors.ts'

/** No request is served while the file opens, so SQLite's blocking wait is acceptable here. */
const openTimeoutMs = 5000
/** Files up to this size are checked at each start: about 0.6 s (measured: 1.1 s for 454 MB). */
const checkedUpToBytes = 256 * 1024 ** 2

interface OpenOptions {
  lockTimeoutMs?: number
  wrap?: (dialect: Dialect) => Dialect
}

/**
 * Opens or creates the database file. On a full disk an existing one is opened all the same, for this process alone until
 * something can be written again.
 * With synchronous=FULL and WAL a committed transaction is on disk when the call returns.
 * @param options.lockTimeoutMs time limit for another process's write lock
 * @param options.wrap decorates the dialect, for the fault harness
 * @returns the database, and a function that watches its table `images` once it exists
 * @throws {DatabaseDamaged}
 */
export async function openSqlite(
  path: string,
  { lockTimeoutMs, wrap = (dialect) => dialect }: OpenOptions = {},
): Promise<{ db: Kysely<Schema>; watch: () => ImageChanges }> {
  const { database, isAlone } = await openFile(path, { check: true }).then(
    (opened) => ({ database: opened, isAlone: false }),
    async (error: unknown) => {
      if (!(error instanceof DatabaseFull)) throw error
      return { database: await openFile(path, { check: true, alone: true }), isAlone: true }
    },
  )
  const db = new Kysely<Schema>({ dialect: wrap(sqliteDialect(database, path, { lockTimeoutMs, isAlone })) })
  return { db, watch: () => watchImages(database) }
}

/** Runs `use` in a read transaction on its own connection: concurrent writes are not visible. */
export async function readSqliteSnapshot<T>(path: string, use: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  const db = new Kysely<Schema>({ dialect: sqliteDialect(await openFile(path, { check: false }), path) })
  try {
    return await db.transaction().setAccessMode('read only').execute(use)
  } finally {
    await db.destroy()
  }
}

/** @param options.alone shares the file with no other connection, which needs no space on the disk */
async function openFile(
  path: string,
  { check, alone = false }: { check: boolean; alone?: boolean },
): Promise<Database> {
  const DatabaseSync = await loadDriver()
  const database = new DatabaseSync(path)
  try {
    database.exec(`PRAGMA busy_timeout = ${openTimeoutMs}`)
    if (alone) database.exec('PRAGMA locking_mode = EXCLUSIVE')
    database.exec('PRAGMA journal_mode = WAL')
    database.exec('PRAGMA synchronous = FULL')
    database.exec('PRAGMA foreign_keys = ON')
    if (check && (await stat(path)).size <= checkedUpToBytes) assertUndamaged(database, path)
    // From here on the driver retries asynchronously instead of blocking the process.
    database.exec('PRAGMA busy_timeout = 0')
    // SQLite's own `lower` handles ASCII only; case-insensitive comparison must match PostgreSQL's.
    database.function('lower', { deterministic: true }, (text) =>
      typeof text === 'string' ? text.toLowerCase() : text,
    )
    return database
  } catch (error) {
    database.close()
    throw translateSqliteError(error, path)
  }
}

/** Detects damage at the start, before backups are taken of the damaged file. */
function assertUndamaged(database: Database, path: string): void {
  const [first] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[]
  if (first && first.quick_check !== 'ok') throw new DatabaseDamaged(path, first.quick_check.replace(/\s+/g, ' '))
}

/** Returns the version of the SQLite engine in use. */
export async function sqliteVersion(): Promise<string> {
  const DatabaseSync = await loadDriver()
  const database = new DatabaseSync(':memory:')
  try {
    return (database.prepare('SELECT sqlite_version() AS version').get() as { version: string }).version
  } finally {
    database.close()
  }
}

type DatabaseClass = new (path: string, options?: { readOnly?: boolean }) => Database

/** Returns the `DatabaseSync` class. Node 20 has no node:sqlite: the package offers the same classes and errors. */
export async function loadDriver(): Promise<DatabaseClass> {
  const { DatabaseSync } = loadNodeSqlite() ?? (await import('@photostructure/sqlite'))
  return DatabaseSync as unknown as DatabaseClass
}

/** Without the warning of Node 22 that the module is experimental, which operators can do nothing about. */
function loadNodeSqlite(): { DatabaseSync: typeof Database } | undefined {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
