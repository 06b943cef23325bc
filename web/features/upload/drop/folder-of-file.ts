// From which folder a file was dropped or chosen.
import { randomUuid } from '../../../model/uuid.ts'

export interface Folder {
  id: string
  name: string
}

const folders = new WeakMap<File, Folder>()

/** The folder as the user dropped it; those inside only where it contains nothing else. */
export const folderOfFile = (file: File): Folder | undefined => folders.get(file)

const { compare } = new Intl.Collator('en', { numeric: true })

/**
 * In the order of a file manager, folder by folder: a browser lists a folder in that of the disk.
 * @param pathOf such as `Holiday/day 2/beach.jpg`
 */
export const inOrder = <T>(found: readonly T[], pathOf: (one: T) => string): T[] =>
  found.toSorted((a, b) => comparePaths(pathOf(a).split('/'), pathOf(b).split('/')))

function comparePaths(one: readonly string[], other: readonly string[]): number {
  for (const [at, name] of one.entries()) {
    const order = compare(name, other[at] ?? '')
    if (order !== 0) return order
  }
  return 0
}

export interface FoundFile {
  file: File
  /** From the dropped folder on, such as `Holiday/day 2/beach.jpg`. */
  path: string
}

/** @param found the files of one folder */
export function rememberFolders(found: readonly FoundFile[]): void {
  // Screenshots/Games and Screenshots/Work are two folders, unless Screenshots has images of its own.
  const level = found
    .filter(({ file }) => file.type.startsWith('image/'))
    .reduce((least, { path }) => Math.min(least, foldersIn(path).length), Infinity)
  const known = new Map<string, Folder>()
  for (const { file, path } of found) {
    const names = foldersIn(path).slice(0, level)
    const name = names.at(-1)
    if (name === undefined) continue
    const folder = known.get(names.join('/')) ?? { id: randomUuid(), name }
    known.set(names.join('/'), folder)
    folders.set(file, folder)
  }
}

const foldersIn = (path: string) => path.split('/').slice(0, -1)
