// The disk reserve: new data are refused before the disk is full, so that everything else continues
// to work.
import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { Failure } from './failure.ts'

export interface Amount {
  images: number
  bytes: number
}

/**
 * Disk space reserved for the database, deletions and variants, whichever is less. Hundreds of
 * concurrent requests use about 1,000 files.
 */
const reserve = { share: 0.05, bytes: 1024 ** 3, files: 1000 }

/** The folder of an upload holds the received file, its rewritten form, thumbnail and intermediate. */
const perUpload = { copies: 2, derivedBytes: 512 * 1024, files: 5 }

export type DiskSpace = Pick<StatsFs, 'bavail' | 'bsize' | 'blocks' | 'ffree' | 'files'>

/** Free bytes without which uploads are refused. */
export const reservedBytes = (disk: DiskSpace) => Math.min(disk.blocks * disk.bsize * reserve.share, reserve.bytes)

/** Whether the reserve remains when `uploads` are complete, in bytes and in files (inodes). */
export function hasSpaceFor(disk: DiskSpace, uploads: Amount): boolean {
  const neededBytes = perUpload.copies * uploads.bytes + perUpload.derivedBytes * uploads.images
  const neededFiles = perUpload.files * uploads.images
  const reservedFiles = Math.min(disk.files * reserve.share, reserve.files)
  return disk.bavail * disk.bsize - neededBytes >= reservedBytes(disk) && disk.ffree - neededFiles >= reservedFiles
}

/**
 * @param uploads in flight: what they have already written counts twice, on the safe side
 * @throws {Failure} storage_full
 */
export async function assertDiskSpace(tempDir: string, uploads: Amount = { images: 0, bytes: 0 }): Promise<void> {
  if (!hasSpaceFor(await statfs(tempDir), uploads)) throw new Failure('storage_full')
}

/** Whether the next upload would be refused, however small it is. */
export const isDiskNearlyFull = async (tempDir: string): Promise<boolean> =>
  !hasSpaceFor(await statfs(tempDir), { images: 1, bytes: 0 })

/** The disk of a folder became full during work of the operator. The message names the folder. */
export class DiskFull extends Error {
  override name = 'DiskFull'
  /** As of the system, so that it is handled alike. */
  readonly code = 'ENOSPC'
}

/** Whether a file or the database could not be written because the disk or its quota is full. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String((Object(error) as { code?: unknown }).code))
