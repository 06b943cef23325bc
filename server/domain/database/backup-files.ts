// Paths of backup archives, and the check for free space.
import { readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { nullWhenMissing } from '../../blobs/durable.ts'
import type { Deps } from '../deps.ts'
import { Failure } from '../failure.ts'

/** Free space that a backup leaves: for the rows, and so that the disk is not full afterwards. */
const spareBytes = 64 * 1024 * 1024

export const backupsFolder = (deps: Pick<Deps, 'config'>) => join(deps.config.DATA_DIR, 'backups')
/** The folder with the snapshots of deleted collections, in a folder for each user. */
export const snapshotFolder = (deps: Pick<Deps, 'config'>) => join(backupsFolder(deps), 'collections')
/** The archive of a completed backup. */
export const archivePath = (deps: Pick<Deps, 'config'>, id: string) => join(backupsFolder(deps), `${id}.tar`)
export const unfinishedPath = (deps: Pick<Deps, 'config'>, id: string) => `${archivePath(deps, id)}.part`

/**
 * A backup must not fill the disk, which would stop uploads and the database.
 * @param bytes still to be written
 * @throws {Failure} no_space_for_backup
 */
export async function refuseWithoutSpace(deps: Pick<Deps, 'config'>, bytes: number): Promise<void> {
  const neededBytes = Math.ceil(bytes * 1.02) + spareBytes
  const disk = await statfs(backupsFolder(deps))
  const freeBytes = disk.bavail * disk.bsize
  if (freeBytes < neededBytes) throw new Failure('no_space_for_backup', { neededBytes, freeBytes })
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
