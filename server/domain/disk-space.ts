// The disk reserve: new data are refused before the disk is full, so that everything else continues
// to work.
import { statfs } from 'node:fs/promises'
import { Failure } from './failure.ts'

/**
 * Disk space reserved for the database, deletions and variants, whichever is less. Hundreds of
 * concurrent requests use about 1,000 files.
 */
const reserve = { share: 0.05, bytes: 1024 ** 3, files: 1000 }

/** Refuses also when inodes are about to run out. @throws {Failure} storage_full */
export async function refuseWhenFull(tempDir: string): Promise<void> {
  const disk = await statfs(tempDir)
  const hasSpace = disk.bavail * disk.bsize >= Math.min(disk.blocks * disk.bsize * reserve.share, reserve.bytes)
  const hasInodes = disk.ffree >= Math.min(disk.files * reserve.share, reserve.files)
  if (!hasSpace || !hasInodes) throw new Failure('storage_full')
}
