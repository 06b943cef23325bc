// Writes a backup archive: a consistent snapshot of all rows, then the bytes of their images, each
// verified while copied.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import tar from 'tar-stream'
import { BlobDamaged, BlobMissing } from '../../blobs/blob-store.ts'
import { migrationNames } from '../../db/migrate.ts'
import type { BackupsTable, ImagesTable } from '../../db/schema.ts'
import { productVersion } from '../../installation.ts'
import type { Deps } from '../shared/deps.ts'
import { addEntry } from '../shared/tar-entry.ts'
import { ahead } from '../../concurrency/map-ahead.ts'
import {
  type ArchivedFile,
  fileLine,
  type Manifest,
  manifestHead,
  manifestName,
  manifestTail,
  originalEntry,
  tableEntry,
} from './archive-format.ts'
import { createNdjsonFile, type NdjsonFile, readLines } from './ndjson-file.ts'
import { readRows } from './table-rows.ts'
import { backedUpTables } from './table-list.ts'

export interface ArchiveOptions {
  /** Who takes the backup. */
  by: BackupsTable['taken_by']
  signal?: AbortSignal | undefined
  /** Called after every file and every batch of rows. @param done fraction of 1 */
  onProgress?: (done: number, bytes: number) => void
  /** Where the originals are kept, when not in the archive. */
  apart?: OriginalsApart | undefined
}

export interface OriginalsApart {
  has: (imageId: string) => boolean
  /** @param bytes match the size and the checksum of the row */
  put: (imageId: string, bytes: Buffer) => Promise<void>
  /** Called for each that is kept, in the order of the rows. */
  kept: (imageId: string) => Promise<void>
}

/** For an archive of rows: something else keeps the originals. */
export const keptElsewhere: OriginalsApart = { has: () => true, put: async () => {}, kept: async () => {} }

type Image = Pick<ImagesTable, 'id' | 'bytes' | 'sha256'>

/** Images that are read ahead: sufficient for a remote store, at most 40 MB. */
const readAhead = 4

/** Prefixes of the working folders in the temporary folder. A start of the server removes those of the server. */
export const backupWorkPrefix = { server: 'backup-', cli: 'command-backup-' }

/**
 * Writes an archive to `path`, readable by its owner only. It is complete when this resolves, but
 * not yet synced to disk.
 * @returns its manifest
 */
export async function writeArchive(deps: Deps, path: string, options: ArchiveOptions): Promise<Manifest> {
  options.signal?.throwIfAborted()
  await mkdir(deps.tempDir, { recursive: true })
  const work = await mkdtemp(join(deps.tempDir, backupWorkPrefix[options.by]))
  const archive = await openTar(path, join(work, 'files')).catch(async (error: unknown) => {
    await rm(work, { recursive: true, force: true })
    throw error
  })
  try {
    const created = new Date(deps.now()).toISOString()
    const rows = await dumpTables(deps, work, archive.files, options)
    const total = rows.images.bytes + Object.values(rows.dumped).reduce((sum, { size }) => sum + size, 0)
    let done = 0
    const progress = (bytes: number) => {
      done += bytes
      options.onProgress?.(done / Math.max(1, total), archive.bytes())
    }

    for (const [table, file] of Object.entries(rows.dumped)) {
      await archive.addFile(tableEntry(table), join(work, table), file.size)
      progress(file.size)
    }
    const originals = { count: 0, bytes: 0 }
    const leftOut: Manifest['left_out'] = []
    const { apart } = options
    const images = ahead(imagesIn(join(work, 'images')), readAhead, (image) =>
      apart ? storeApart(deps, image, apart) : readImage(deps, image),
    )
    for await (const { image, bytes, why } of images) {
      options.signal?.throwIfAborted()
      if (why) leftOut.push({ id: image.id, why })
      else await apart?.kept(image.id)
      if (bytes) {
        await archive.add({ name: originalEntry(image.id), size: bytes.length, sha256: image.sha256 }, bytes)
        originals.count++
        originals.bytes += bytes.length
      }
      progress(image.bytes)
    }
    const manifest: Manifest = {
      format: 'image-host-backup',
      version: 1,
      created_at: created,
      app: productVersion(),
      database: deps.config.DATABASE_URL === undefined ? 'sqlite' : 'postgres',
      schema: migrationNames.at(-1) ?? '',
      tables: Object.fromEntries(Object.entries(rows.dumped).map(([table, { lines }]) => [table, { rows: lines }])),
      originals,
      ...(apart && { rows_only: true }),
      left_out: leftOut,
    }
    await archive.close(manifest, join(work, 'manifest'))
    return manifest
  } finally {
    await archive.discard()
    await rm(work, { recursive: true, force: true })
  }
}

interface Dump {
  dumped: Record<string, { size: number; lines: number; sha256: string }>
  images: { bytes: number }
}

/** Dumps all tables in one snapshot, which is released as soon as the rows are written. */
async function dumpTables(deps: Deps, work: string, files: NdjsonFile, options: ArchiveOptions): Promise<Dump> {
  const dump: Dump = { dumped: {}, images: { bytes: 0 } }
  await deps.snapshot(async (db) => {
    for (const table of backedUpTables) {
      const file = await createNdjsonFile(join(work, table))
      try {
        for await (const rows of readRows(db, table)) {
          options.signal?.throwIfAborted()
          for (const row of rows) {
            if (table === 'images') dump.images.bytes += Number(row['bytes'])
            await file.add(JSON.stringify(row))
          }
          options.onProgress?.(0, 0)
        }
        dump.dumped[table] = await file.close()
      } finally {
        await file.discard()
      }
    }
  })
  for (const [table, { size, sha256 }] of Object.entries(dump.dumped)) {
    await files.add(fileLine({ name: tableEntry(table), size, sha256 }))
  }
  return dump
}

async function* imagesIn(path: string): AsyncGenerator<Image> {
  for await (const line of readLines(path)) yield JSON.parse(line) as Image
}

interface ReadImage {
  image: Image
  bytes?: Buffer
  /** Why there are no bytes. */
  why?: Manifest['left_out'][number]['why']
}

async function storeApart(deps: Deps, image: Image, apart: OriginalsApart): Promise<ReadImage> {
  if (apart.has(image.id)) return { image }
  const { bytes, ...read } = await readImage(deps, image)
  if (bytes) await apart.put(image.id, bytes)
  return read
}

async function readImage(deps: Deps, image: Image): Promise<ReadImage> {
  const bytes = await readBlob(deps, image)
  if (Buffer.isBuffer(bytes) && (await sha256Of(bytes)) === image.sha256) return { image, bytes }
  const row = await deps.db.selectFrom('images').select('id').where('id', '=', image.id).executeTakeFirst()
  if (!row) return { image, why: 'deleted' }
  return { image, why: bytes ? 'damaged' : 'missing' }
}

/** Reads the bytes, at most one chunk more than the row states; null when the blob is missing. */
async function readBlob(deps: Deps, { id, bytes: size }: Image): Promise<Buffer | 'damaged' | null> {
  try {
    const found = await deps.blobs.read(id, undefined, { inBackground: true })
    if (Buffer.isBuffer(found)) return found
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of found as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length > size) break
    }
    return Buffer.concat(chunks)
  } catch (error) {
    if (error instanceof BlobMissing) return null
    // Reported by the store itself. One damaged image must not prevent the backup.
    if (error instanceof BlobDamaged) return 'damaged'
    throw error
  }
}

/** Hashes in chunks: 10 MB at once would block every request for 20 ms. */
async function sha256Of(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256')
  const step = 1024 * 1024
  for (let at = 0; at < bytes.length; at += step) {
    if (at > 0) await setImmediate()
    hash.update(bytes.subarray(at, at + step))
  }
  return hash.digest('hex')
}

/** The tar file being written, with the list of its entries in a second file. */
async function openTar(path: string, listPath: string) {
  const files = await createNdjsonFile(listPath)
  const pack = tar.pack()
  const out = createWriteStream(path, { mode: 0o600, highWaterMark: 1024 * 1024 })
  const written = pipeline(pack, out)
  // The error is reported by the pending entry or by the end.
  written.catch(() => {})
  let bytes = 0

  const put = async (size: number, send: () => Promise<void>) => {
    try {
      await send()
      bytes += size
    } catch (error) {
      // The entry reports only that the archive broke; the file's error has the reason.
      await written
      throw error
    }
  }
  const addFile = (name: string, from: string, size: number) =>
    put(size, () => addEntry(pack, { name, size, mode: 0o600 }, () => createReadStream(from)))

  return {
    files,
    bytes: () => bytes,
    addFile,
    async add(file: ArchivedFile, content: Buffer) {
      await put(file.size, () => addEntry(pack, { name: file.name, mode: 0o600 }, content))
      await files.add(fileLine(file))
    },
    /** Adds the manifest and finishes the file. */
    async close(manifest: Manifest, manifestPath: string) {
      await files.close()
      await addFile(manifestName, manifestPath, await writeManifest(manifest, manifestPath, listPath))
      pack.finalize()
      await written
    },
    /** Closes open files; does nothing after a close. */
    async discard() {
      pack.destroy()
      await files.discard()
      await written.catch(() => {})
    },
  }
}

/** @returns its size in bytes */
async function writeManifest(manifest: Manifest, path: string, listPath: string): Promise<number> {
  const text = await createNdjsonFile(path)
  try {
    await text.add(manifestHead(manifest))
    let previous: string | undefined
    for await (const line of readLines(listPath)) {
      if (previous !== undefined) await text.add(`${previous},`)
      previous = line
    }
    if (previous !== undefined) await text.add(previous)
    await text.add(manifestTail)
    return (await text.close()).size
  } finally {
    await text.discard()
  }
}
