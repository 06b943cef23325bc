// The exclusive lock on a data folder: one server, or one command that must run alone, at a time.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { loadDriver } from './sqlite.ts'
import { sqliteErrorKind } from './sqlite-errors.ts'

/** Another process, or another app in this process, holds the lock. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse'
}

/**
 * Creates the folder when needed and locks it. The lock is an open transaction on an SQLite file,
 * which the operating system ends with its process: it is never stale, and a reused process id
 * cannot hold it.
 * @returns a function that releases the lock
 * @throws {DataDirInUse} immediately, when another process holds it
 */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const DatabaseSync = await loadDriver()
  const lock = new DatabaseSync(join(dataDir, 'server.lock'))
  try {
    // The owner's process id for the error message, committed so that other processes see it.
    lock.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${process.pid}; COMMIT; BEGIN IMMEDIATE`)
    return () => lock.close()
  } catch (error) {
    const owner = sqliteErrorKind(error) === 'busy' ? ownerOf(lock) : undefined
    lock.close()
    if (owner === undefined) throw error
    throw new DataDirInUse(`DATA_DIR ${dataDir} is in use by process ${owner}. Stop it, or set another DATA_DIR`, {
      cause: error,
    })
  }
}

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
export async function withDataDirIfFree<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
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

function ownerOf(lock: InstanceType<Awaited<ReturnType<typeof loadDriver>>>): number {
  // The owner may be committing its process id at this time.
  lock.exec('PRAGMA busy_timeout = 1000')
  return Number(lock.prepare('PRAGMA user_version').get()?.['user_version'])
}
