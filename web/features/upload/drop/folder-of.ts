// From which folder a file was dropped or chosen.

export interface Folder {
  id: string
  name: string
}

const folders = new WeakMap<File, Folder>()

/** The folder as the user dropped it, not one inside it. */
export const folderOf = (file: File): Folder | undefined => folders.get(file)

export function rememberFolder(files: readonly File[], folder: Folder): void {
  for (const file of files) folders.set(file, folder)
}
