// From which folder a file was dropped or chosen.

export interface Folder {
  id: string
  name: string
}

const folders = new WeakMap<File, Folder>()

/** The folder as the user dropped it, not one inside it. */
export const folderOf = (file: File): Folder | undefined => folders.get(file)

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

export function rememberFolder(files: readonly File[], folder: Folder): void {
  for (const file of files) folders.set(file, folder)
}
