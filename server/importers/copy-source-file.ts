// Copies a picture from the folder of another host, within that folder and the size that uploads may have.
import { constants } from 'node:fs'
import { copyFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { SourceProblem } from './source-types.ts'

/**
 * Copies a file of a folder. @throws {SourceProblem} missing, empty, too large, or outside of the folder
 * @param name relative, as a database names it
 */
export async function copyFrom(folder: string, name: string, to: string, maxBytes: number): Promise<void> {
  const root = await realpath(folder)
  const path = await realpath(join(root, name)).catch(() => undefined)
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined)
  if (path === undefined || found?.isFile() !== true) throw new SourceProblem(`there is no file ${name}`)
  if (!path.startsWith(root.endsWith(sep) ? root : root + sep))
    throw new SourceProblem(`${name} is outside of ${folder}`)
  assertFits(found.size, maxBytes)
  await copyFile(path, to, constants.COPYFILE_FICLONE).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') throw new SourceProblem(`${name} cannot be read`, { cause: error })
    throw error
  })
}

/** @throws {SourceProblem} */
export function assertFits(bytes: number, maxBytes: number): void {
  if (bytes === 0) throw new SourceProblem('it is empty')
  if (bytes > maxBytes) throw new SourceProblem(`it has ${bytes} bytes, and USER_MAX_BYTES allows ${maxBytes}`)
}
