// The files of folders and ZIP archives, by their paths inside.
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import { CommandRefused } from '../domain/backups/command-refused.ts'
import { copyFrom, assertFits } from './copy-source-file.ts'

export interface FileEntry {
  /** With forward slashes, relative to the folder or archive. */
  path: string
  /** With the path of its folder or archive. */
  place: string
  bytes: number
  /** UTC milliseconds. */
  modifiedAt: number
  siblings: Map<string, FileEntry>
  open: () => Promise<Readable>
  /** @throws {SourceProblem} */
  save: (path: string, maxBytes: number) => Promise<void>
  /** Returns undefined when the file is too large, cannot be read or is no JSON. */
  readJson: () => Promise<unknown>
}

interface Archive {
  /** The path of the folder or archive. */
  file: string
  entries: Map<string, FileEntry>
  /** Why not all of its files are in `entries`. */
  damage?: string
  close: () => void
}

/** A list of 100,000 images has about 30 MB. */
const maxJsonBytes = 64 * 1024 ** 2

/** @throws {CommandRefused} when a path is neither a folder nor a ZIP archive */
export async function listFiles(paths: string[]): Promise<Archive[]> {
  const archives: Archive[] = []
  for (const path of paths)
    archives.push((await stat(path)).isDirectory() ? await listFolder(path) : await listZip(path))
  return archives
}

/** Files that systems put beside the user's. */
const isHidden = (path: string) => path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')

async function listFolder(folder: string): Promise<Archive> {
  const entries = new Map<string, FileEntry>()
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const full = join(file.parentPath, file.name)
    const path = relative(folder, full).split(sep).join('/')
    if (!file.isFile() || isHidden(path)) continue
    const { mtimeMs, size } = await stat(full)
    entries.set(path, {
      path,
      place: full,
      bytes: size,
      modifiedAt: Math.round(mtimeMs),
      siblings: entries,
      open: async () => createReadStream(full),
      save: (to, maxBytes) => copyFrom(folder, path, to, maxBytes),
      readJson: () => readJson(size, async () => createReadStream(full)),
    })
  }
  return { file: folder, entries, close: () => {} }
}

/** A damaged archive has the files that are listed before the damage; those of a cut one are unknown. */
async function listZip(file: string): Promise<Archive> {
  const entries = new Map<string, FileEntry>()
  const zip = await openZip(file).catch(async (error: Error) => {
    if (!(await beginsAsZip(file)))
      throw new CommandRefused(`${file} is neither a folder nor a ZIP archive`, { cause: error })
    return error
  })
  if (zip instanceof Error) return { file, entries, damage: zip.message, close: () => {} }
  const add = (entry: Entry) => {
    // PostgreSQL stores no NUL.
    const path = entry.fileName.replaceAll('\0', '')
    if (path.endsWith('/') || isHidden(path)) return
    const open = () =>
      new Promise<Readable>((resolve, reject) => {
        zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)))
      })
    entries.set(path, {
      path,
      place: join(file, path),
      bytes: entry.uncompressedSize,
      modifiedAt: entry.getLastModDate().getTime(),
      siblings: entries,
      open,
      async save(to, maxBytes) {
        assertFits(entry.uncompressedSize, maxBytes)
        await pipeline(await open(), createWriteStream(to))
      },
      readJson: () => readJson(entry.uncompressedSize, open),
    })
  }
  const damage = await new Promise<string | undefined>((resolve) => {
    zip.on('entry', (entry: Entry) => {
      add(entry)
      zip.readEntry()
    })
    zip.once('end', () => resolve(undefined)).once('error', ({ message }: Error) => resolve(message))
    zip.readEntry()
  })
  return { file, entries, ...(damage !== undefined && { damage }), close: () => zip.close() }
}

async function openZip(file: string): Promise<ZipFile> {
  const { open } = await import('yauzl')
  return new Promise((resolve, reject) => {
    open(file, { lazyEntries: true, autoClose: false }, (error, zip) => (error ? reject(error) : resolve(zip)))
  })
}

/** Whether its first bytes are those of a file in an archive, or of the end of an empty one. */
async function beginsAsZip(file: string): Promise<boolean> {
  return (await text(createReadStream(file, { end: 1 }))) === 'PK'
}

async function readJson(bytes: number, open: () => Promise<Readable>): Promise<unknown> {
  if (bytes > maxJsonBytes) return undefined
  try {
    const written = await text(await open())
    return JSON.parse(written.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
