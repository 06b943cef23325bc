// Makes files survive a power cut: syncs the bytes before the rename, and then the folder.
import { closeSync, fdatasync, fsync, open, openSync, renameSync } from 'node:fs'
import { mkdir, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { preferSync } from '../concurrency/prefer-sync.ts'
import { makeFolders } from '../make-folders.ts'

/** Syncs `from`, moves it to `to` on the same file system durably, and creates folders for it. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await syncFile(from)
  const folder = dirname(to)
  await makeFolder(folder)
  await moveFile(from, to)
  await syncFolder(folder)
}

/** Moves a file on the same file system. */
export const moveFile = async (from: string, to: string): Promise<void> =>
  preferSync(
    () => renameSync(from, to),
    () => rename(from, to),
  )

/** Folders whose name is durable, or is being synced. */
const durableNames = new Map<string, Promise<void>>()

/**
 * Creates a folder and its parents durably. The first call in a process syncs an existing folder as
 * well: a killed process may have created it without syncing.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const made = await make(path, mode)
  const syncing = made === undefined ? (durableNames.get(path) ?? syncExistingName(path)) : syncNames(path, made)
  durableNames.set(path, syncing)
  try {
    await syncing
  } catch (error) {
    durableNames.delete(path)
    throw error
  }
}

/** @returns the topmost folder that was created; undefined: the folder existed */
async function make(path: string, mode?: number): Promise<string | undefined> {
  try {
    await mkdir(path, { mode })
    return path
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return undefined
    if (code !== 'ENOENT') throw error
  }
  return makeFolders(path, mode)
}

/** Syncs the names of the folders from `top` down to `path`. */
async function syncNames(path: string, top: string): Promise<void> {
  for (let folder = path; folder.length >= top.length; folder = dirname(folder)) await syncFolder(dirname(folder))
}

/** Without permission to open the parent, it was the operator who created the folder earlier. */
async function syncExistingName(path: string): Promise<void> {
  try {
    await syncFolder(dirname(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
  }
}

export const syncFile = (path: string): Promise<void> => syncOpened(path, 'r+', promisify(fdatasync))

const syncFolder = (path: string): Promise<void> => syncOpened(path, 'r', promisify(fsync))

async function syncOpened(path: string, flags: string, sync: (file: number) => Promise<void>): Promise<void> {
  const file = await preferSync(
    () => openSync(path, flags),
    () => promisify(open)(path, flags),
  )
  try {
    await sync(file)
  } finally {
    // Nothing is left to write, so close does not block.
    closeSync(file)
  }
}

/** Deletes a file; a missing one is no error. One system call, where rm() takes two. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(nullWhenMissing)
}

/** Deletes a folder that is usually empty: listing it first, as rm() does, takes twice as long. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rmdir(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    await rm(path, { recursive: true, force: true })
  }
}

/** For files that may be deleted while their folder is listed: maps ENOENT to null. */
export function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
