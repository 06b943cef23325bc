// What an earlier process has left in DATA_DIR. A start removes it before the database is opened, which on a full disk needs
// the room.
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nullWhenMissing } from './blobs/durable.ts'
import type { Config } from './config.ts'
import { listFolder, snapshotFolder, unfinished } from './domain/backups/backup-files.ts'
import { removeUnfinishedBackups } from './domain/backups/stalled-backups.ts'
import { databaseCopiesFolder } from './domain/backups/upgrade-database.ts'
import { backupWorkPrefix } from './domain/backups/write-archive.ts'
import { workspacesFolder } from './imaging/pool/workspace.ts'

/** A command that takes a backup needs its working folder. */
const maxBackupMs = 24 * 60 * 60 * 1000

/**
 * Call it with the lock of DATA_DIR: these could be files of a running server.
 * @param now UTC milliseconds
 * @returns the ids of the backups that the server did not complete
 */
export async function removeLeftovers(config: Config, now: number): Promise<string[]> {
  const tempDir = join(config.DATA_DIR, 'tmp')
  await rm(workspacesFolder(config.DATA_DIR), { recursive: true, force: true })
  for (const name of await listFolder(tempDir)) {
    const path = join(tempDir, name)
    const found = name.startsWith(backupWorkPrefix.cli) ? await stat(path).catch(nullWhenMissing) : null
    if (found && found.mtimeMs > now - maxBackupMs) continue
    await rm(path, { recursive: true, force: true })
  }
  await removeUnfinished(databaseCopiesFolder(config))
  for (const user of await listFolder(snapshotFolder({ config })))
    await removeUnfinished(join(snapshotFolder({ config }), user))
  return removeUnfinishedBackups({ config }, now)
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await listFolder(folder))
    if (name.endsWith(unfinished)) await rm(join(folder, name), { force: true })
}
