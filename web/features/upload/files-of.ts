// The files in what was dropped, those in folders too.

/** Must be called while the drop is told: afterwards the browser has forgotten it. */
export function filesOf(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null)
  const files = [...transfer.files]
  // What a page has made up itself has files and no entries.
  return entries.length === 0 ? Promise.resolve(files) : flat(entries)
}

/** What systems put into folders for themselves. */
export const isClutter = (name: string) => name.startsWith('.') || /^(thumbs\.db|desktop\.ini)$/i.test(name)

async function flat(entries: readonly FileSystemEntry[]): Promise<File[]> {
  const found: File[] = []
  // One after another: as the folders show them, and without opening thousands at once.
  for (const entry of entries) {
    if (isFile(entry)) found.push(await fileOf(entry))
    else if (isFolder(entry)) found.push(...(await filesIn(entry)))
  }
  return found
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader()
  const found: File[] = []
  // A hundred at a time, until there are none.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return found
    found.push(...(await flat(batch.filter(({ name }) => !isClutter(name)))))
  }
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject))
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
