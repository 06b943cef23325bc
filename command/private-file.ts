// Files that only their owner may read.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolders } from '../server/make-folders.ts'

/** Replaces the file at once: a reader never sees a part of it. */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  await makeFolders(dirname(path), 0o700)
  const next = `${path}.${process.pid}.new`
  await writeFile(next, content, { mode: 0o600 })
  await rename(next, path)
}

/** @returns undefined when there is no such file */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
