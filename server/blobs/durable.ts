// What makes a file survive a power cut: its bytes synced before its name appears, then the folder that holds the name.
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Syncs `from` and moves it to `to` on the same file system, atomically and for good. Makes `to`'s folder when needed. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await syncFile(from)
  const folder = dirname(to)
  const made = await mkdir(folder, { recursive: true })
  if (made !== undefined) await syncFolder(dirname(made))
  await rename(from, to)
  await syncFolder(folder)
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

/** For a file that may be deleted while its folder is listed: not there any more is an answer then, no error. */
export function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
