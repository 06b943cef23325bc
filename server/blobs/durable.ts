// What makes a file survive a power cut: its bytes synced before its name appears, then the folder that holds the name.
import { mkdir, open, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Syncs `from` and moves it to `to` on the same file system, atomically and for good. Makes `to`'s folder when needed. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await syncFile(from)
  const folder = dirname(to)
  await makeFolder(folder)
  await rename(from, to)
  await syncFolder(folder)
}

/** Folders whose name is durable, or is just being made so. */
const named = new Map<string, Promise<void>>()

/**
 * Makes a folder, and those above it, for good. One that is there already may have been made a moment ago, by another call or
 * by a process that was killed before it synced: the first call in a process does not believe it.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const made = await make(path, mode)
  const syncing = made === undefined ? (named.get(path) ?? syncNameOfAnothers(path)) : syncNames(path, made)
  named.set(path, syncing)
  try {
    await syncing
  } catch (error) {
    named.delete(path)
    throw error
  }
}

/** @returns the topmost folder that had to be made; undefined: it was there */
async function make(path: string, mode?: number): Promise<string | undefined> {
  try {
    await mkdir(path, { mode })
    return path
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return undefined
    if (code !== 'ENOENT') throw error
  }
  // Not at once: Node 20 calls a full disk ENOENT here.
  return mkdir(path, { recursive: true, mode })
}

/** Of the folders from `top` down to `path`, in the folders that hold them. */
async function syncNames(path: string, top: string): Promise<void> {
  for (let folder = path; folder.length >= top.length; folder = dirname(folder)) await syncFolder(dirname(folder))
}

/** Who may not even look into the folder above did not make this one: its name is the operator's, and was there before us. */
async function syncNameOfAnothers(path: string): Promise<void> {
  try {
    await syncFolder(dirname(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
  }
}

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Deletes a file; one that is not there is no error. In one call: rm() looks at it first. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(nullWhenMissing)
}

/** Of a folder that is empty, as a rule: to look what is in it, as rm() does, takes as long as all the rest. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rmdir(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    await rm(path, { recursive: true, force: true })
  }
}

/** For a file that may be deleted while its folder is listed: not there any more is an answer then, no error. */
export function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
