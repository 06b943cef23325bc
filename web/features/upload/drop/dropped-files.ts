// Reads the files of a drop, including those in folders.
import { upload } from '../../../texts/messages.ts'
import { area } from '../../../texts/upload-messages.ts'
import { notify } from '../../../ui/toast/toast.ts'
import type { NewUpload } from '../engine/upload-engine.ts'
import { type FoundFile, inOrder, rememberFolders } from './folder-of-file.ts'
import { refusalOf, type UploadRules } from './accepted-files.ts'
import type { Dropped } from './use-drop.ts'

export async function filesOf({ files, entries }: Dropped): Promise<readonly File[]> {
  if (entries.length === 0) return files
  const found: FoundFile[][] = []
  for (const entry of entries) {
    const inside = await filesOfEntries([entry])
    if (entry.isDirectory) rememberFolders(inside)
    found.push(inside)
  }
  return found.flat().map(({ file }) => file)
}

/** The same, but says by a toast why there are none. */
export async function filesOrToast(dropped: Dropped): Promise<readonly File[]> {
  try {
    const files = await filesOf(dropped)
    if (files.length === 0) notify.error(area.nothingThere)
    return files
  } catch (error) {
    notify.failure(upload.dataFailed, error)
    return []
  }
}

/** The files for a queue, which lists those that are refused. None, and a toast that says why, where all of them are. */
export function uploadsOf(files: readonly File[], rules: UploadRules, album?: string): NewUpload[] {
  const uploads = files.map((file) => ({ file, refusal: refusalOf(file, rules), album }))
  if (uploads.some(({ refusal }) => refusal === undefined)) return uploads
  if (uploads[0]?.refusal !== undefined) notify.error(uploads[0].refusal)
  return []
}

/** Files that operating systems put into folders. */
export const isSystemFile = (name: string) => name.startsWith('.') || /^(thumbs\.db|desktop\.ini)$/i.test(name)

async function filesOfEntries(entries: readonly FileSystemEntry[]): Promise<FoundFile[]> {
  const found: FoundFile[][] = []
  // Sequential: in the order of the folders, and without thousands of open files at once.
  for (const entry of entries) {
    // The full path begins with a slash.
    if (isFile(entry)) found.push([{ file: await fileOf(entry), path: entry.fullPath.slice(1) }])
    else if (isFolder(entry)) found.push(await filesIn(entry))
  }
  return found.flat()
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<FoundFile[]> {
  const reader = folder.createReader()
  const entries: FileSystemEntry[] = []
  // readEntries returns at most 100 entries per call, and none at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) break
    entries.push(...batch.filter(({ name }) => !isSystemFile(name)))
  }
  return filesOfEntries(inOrder(entries, ({ name }) => name))
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject))
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
