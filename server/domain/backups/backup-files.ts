// Paths of backup archives, and the check for free space.
import { open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { nullWhenMissing } from '../../blobs/durable.ts'
import type { BackupsTable } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'

/** Free space that a backup leaves: for the rows, and so that the disk is not full afterwards. */
const spareBytes = 64 * 1024 * 1024

export const backupsFolder = (deps: Pick<Deps, 'config'>) => join(deps.config.DATA_DIR, 'backups')
/** The folder with the snapshots of deleted collections, in a folder for each user. */
export const snapshotFolder = (deps: Pick<Deps, 'config'>) => join(backupsFolder(deps), 'collections')
/** The archive of a completed backup. */
export const archivePath = (deps: Pick<Deps, 'config'>, id: string) => join(backupsFolder(deps), `${id}.tar`)

/**
 * While it is written. A start of the server removes those of the server, of which it is the only one; a command may write
 * its own at the same time.
 */
export const unfinishedPath = (deps: Pick<Deps, 'config'>, id: string, by: BackupsTable['taken_by']) =>
  join(backupsFolder(deps), `${id}${by === 'cli' ? ofCommand : '.tar'}${unfinished}`)
const ofCommand = '.command.tar'
export const isOfCommand = (name: string) => name.endsWith(ofCommand + unfinished)
/** The end of the names of files that are not complete. */
export const unfinished = '.part'

/**
 * A backup must not fill the disk, which would stop uploads and the database.
 * @param folder on the disk that takes it
 * @param bytes still to be written
 * @throws {Failure} no_space_for_backup
 */
export async function assertBackupSpace(folder: string, bytes: number): Promise<void> {
  const { neededBytes, freeBytes } = await spaceFor(folder, bytes)
  if (freeBytes < neededBytes) throw new Failure('no_space_for_backup', { neededBytes, freeBytes })
}

/** The space that files of so many bytes need in a folder, with what the disk should have left, and the space that it has. */
export async function spaceFor(folder: string, bytes: number): Promise<{ neededBytes: number; freeBytes: number }> {
  const disk = await statfs(folder)
  return { neededBytes: Math.ceil(bytes * 1.02) + spareBytes, freeBytes: disk.bavail * disk.bsize }
}

/** Longer than a command writes nothing to its archive. */
const abandonedMs = 60 * 60_000

/** Deletes archives in a folder of the operator that a backup has left when it was killed. @param now UTC milliseconds */
export async function removeAbandonedArchives(folder: string, now: number): Promise<void> {
  for (const name of await listFolder(folder)) {
    if (!name.endsWith(unfinished)) continue
    const path = join(folder, name)
    try {
      const found = await stat(path)
      if (found.isFile() && found.mtimeMs < now - abandonedMs && (await isArchive(path)))
        await rm(path, { force: true })
    } catch (error) {
      // Gone meanwhile, or the file of another user, such as root.
      if (!['ENOENT', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
}

/** Whether a file begins as every backup does: with the entry of a table. */
async function isArchive(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512)
    return /^tables\/[a-z_]+\.ndjson\0/.test(buffer.toString('latin1', 0, bytesRead))
  } finally {
    await file.close()
  }
}

/** Lists a folder that may not exist. */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return []
    return nullWhenMissing(error as NodeJS.ErrnoException) ?? []
  }
}
