import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents one by one: where a file system says that a folder is missing whose parent exists, such
 * as /proc, Node's recursive mkdir never ends.
 * @returns the topmost folder that was created; undefined: the folder existed
 * @throws a system error with the path that cannot be created, or is a file
 */
export async function makeFolders(path: string, mode?: number): Promise<string | undefined> {
  const problem = await problemOfMaking(path, mode)
  if (!problem) return path
  if (problem.code === 'EEXIST' && (await stat(path)).isDirectory()) return undefined
  if (problem.code !== 'ENOENT' || dirname(path) === path) throw problem
  const topmost = await makeFolders(dirname(path), mode)
  const second = await problemOfMaking(path, mode)
  // Another process may have been faster.
  if (second && second.code !== 'EEXIST') throw second
  return topmost ?? (second ? undefined : path)
}

async function problemOfMaking(path: string, mode?: number): Promise<NodeJS.ErrnoException | null> {
  return mkdir(path, { mode }).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  )
}
