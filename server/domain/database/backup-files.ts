// Where archives of backups stand, and whether there is room for one.
import { readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { nullWhenMissing } from '../../blobs/durable.ts'
import type { Deps } from '../deps.ts'
import { Failure } from '../failure.ts'

/** Free space that a backup leaves: for the rows, and so that the disk is not full afterwards. */
const spareBytes = 64 * 1024 * 1024

export const backupsFolder = (deps: Deps) => join(deps.config.DATA_DIR, 'backups')
/** Where deleted collections are kept. */
export const snapshotFolder = (deps: Deps) => join(backupsFolder(deps), 'collections')
/** Where the archive of a completed backup is. */
export const archivePath = (deps: Deps, id: string) => join(backupsFolder(deps), `${id}.tar`)
export const unfinishedPath = (deps: Deps, id: string) => `${archivePath(deps, id)}.part`

/**
 * A full disk stops uploads and the database: a backup must not be what fills it.
 * @param bytes of what is still to be written
 * @throws {Failure} no_space_for_backup
 */
export async function refuseWithoutSpace(deps: Deps, bytes: number): Promise<void> {
  const neededBytes = Math.ceil(bytes * 1.02) + spareBytes
  const disk = await statfs(backupsFolder(deps))
  const freeBytes = disk.bavail * disk.bsize
  if (freeBytes < neededBytes) throw new Failure('no_space_for_backup', { neededBytes, freeBytes })
}

/** Of a folder that may not be there. */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    return nullWhenMissing(error as NodeJS.ErrnoException) ?? []
  }
}
