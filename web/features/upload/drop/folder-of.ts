// From which folder a file was dropped or chosen.

export interface Folder {
  id: string
  name: string
}

const folders = new WeakMap<File, Folder>()

/** The folder as the user dropped it, not one inside it. */
export const folderOf = (file: File): Folder | undefined => folders.get(file)

const { compare } = new Intl.Collator('en', { numeric: true })

/** In the order of a file manager, which numbers in names have too: a browser lists a folder in that of the disk. */
export const inOrder = <T>(found: readonly T[], nameOf: (one: T) => string): T[] =>
  found.toSorted((a, b) => compare(nameOf(a), nameOf(b)))

export function rememberFolder(files: readonly File[], folder: Folder): void {
  for (const file of files) folders.set(file, folder)
}
