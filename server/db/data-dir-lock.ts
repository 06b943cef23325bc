// Who owns a data folder: one server, or one command that must be alone, at a time.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { loadDriver } from './sqlite.ts'
import { sqliteErrorKind } from './sqlite-errors.ts'

/** Another process, or another app in this one, has the folder. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse'
}

/**
 * Makes the folder when needed and takes it. The lock is an open transaction on an SQLite file, which the system ends with its
 * process, however that dies: no lock is ever stale, and no number of a process that is another's by now can hold one.
 * @returns what gives it back
 * @throws {DataDirInUse} at once, when another has it
 */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const DatabaseSync = await loadDriver()
  const lock = new DatabaseSync(join(dataDir, 'server.lock'))
  try {
    // Who it is, for those that are refused: committed, so that they can read it beside the transaction that holds the lock.
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

/** Takes the folder while `work` runs. @throws {DataDirInUse} */
export async function withDataDirLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const giveBack = await lockDataDir(dataDir)
  try {
    return await work()
  } finally {
    giveBack()
  }
}

function ownerOf(lock: InstanceType<Awaited<ReturnType<typeof loadDriver>>>): number {
  // The owner may be committing its number right now.
  lock.exec('PRAGMA busy_timeout = 1000')
  return Number(lock.prepare('PRAGMA user_version').get()?.['user_version'])
}
