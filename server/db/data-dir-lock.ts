// The exclusive lock on a data folder: one server, or one command that must run alone, at a time.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../make-folders.ts'
import { DatabaseFull } from './database-errors.ts'
import { loadDriver } from './sqlite.ts'
import { sqliteErrorKind } from './sqlite-errors.ts'

/** Another process, or another app in this process, holds the lock. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse'
}

type Lock = InstanceType<Awaited<ReturnType<typeof loadDriver>>>

/**
 * Creates the folder when needed and locks it. The lock is an open transaction on an SQLite file,
 * which the operating system ends with its process: it is never stale, and a reused process id
 * cannot hold it.
 * @param port where a server listens, for {@link findDataDirOwner}; 0: unknown
 * @returns a function that releases the lock
 * @throws {DataDirInUse} immediately, when another process holds it
 */
export async function lockDataDir(dataDir: string, port = 0): Promise<() => void> {
  await makeFolders(dataDir, 0o700)
  const DatabaseSync = await loadDriver()
  const lock = new DatabaseSync(lockFile(dataDir))
  try {
    lock.exec('BEGIN IMMEDIATE')
    nameOwner(lock, port)
    lock.exec('BEGIN IMMEDIATE')
    return () => lock.close()
  } catch (error) {
    const kind = sqliteErrorKind(error)
    const owner = kind === 'busy' ? ownerOf(lock).pid : undefined
    lock.close()
    if (owner === undefined) throw kind === 'full' ? new DatabaseFull(error) : error
    throw new DataDirInUse(`DATA_DIR ${dataDir} is in use by process ${owner}. Stop it, or set another DATA_DIR`, {
      cause: error,
    })
  }
}

/** The process that holds the lock, and the port of a server, or null. Creates nothing. */
export async function findDataDirOwner(dataDir: string): Promise<{ pid: number; port: number | null } | null> {
  if (!existsSync(lockFile(dataDir))) return null
  const DatabaseSync = await loadDriver()
  const lock = new DatabaseSync(lockFile(dataDir))
  try {
    lock.exec('BEGIN IMMEDIATE; ROLLBACK')
    return null
  } catch (error) {
    if (sqliteErrorKind(error) === 'busy') return ownerOf(lock)
    throw error
  } finally {
    lock.close()
  }
}

const lockFile = (dataDir: string) => join(dataDir, 'server.lock')

/** Runs `work` while holding the lock. @throws {DataDirInUse} */
export async function withDataDirLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const unlock = await lockDataDir(dataDir)
  try {
    return await work()
  } finally {
    unlock()
  }
}

/** Holds the lock while `work` runs, unless a server has it: one that starts meanwhile would empty tmp/. */
export async function withDataDirLockIfFree<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const unlock = await lockDataDir(dataDir).catch((error: unknown) => {
    if (error instanceof DataDirInUse) return () => {}
    throw error
  })
  try {
    return await work()
  } finally {
    unlock()
  }
}

/** Process id and port of the owner, committed so that other processes see them. A full disk does not take them. */
function nameOwner(lock: Lock, port: number): void {
  try {
    lock.exec(`PRAGMA user_version = ${process.pid}; PRAGMA application_id = ${port}; COMMIT`)
  } catch (error) {
    // The transaction has been rolled back then.
    if (sqliteErrorKind(error) !== 'full') throw error
  }
}

function ownerOf(lock: Lock): { pid: number; port: number | null } {
  // The owner may be committing its process id at this time.
  lock.exec('PRAGMA busy_timeout = 1000')
  const read = (name: string) => Number(lock.prepare(`PRAGMA ${name}`).get()?.[name])
  return { pid: read('user_version'), port: read('application_id') || null }
}
