// The originals of a link as one ZIP file, which is made while it is sent. They are stored, not deflated: images do not get
// smaller, and so the size is known before the first byte.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import yazl from 'yazl'
import { cleanName } from '../../../contract/plain/clean-name.ts'
import { formats } from '../../../contract/plain/formats.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { ByteRange } from '../../blobs/blob-store.ts'
import type { ImagesTable, LinksTable } from '../../db/schema.ts'
import { type PlacedImage, placedImages } from '../images/sharing/link-targets.ts'
import type { Deps } from '../shared/deps.ts'
import { albumsInside } from './link-albums.ts'

type ArchivedRow = Pick<ImagesTable, 'id' | 'original_name' | 'format' | 'bytes' | 'created_at'> & {
  /** Titles of albums, outermost first. */
  folder: readonly string[]
}

/** A row without what an archive does not need: there may be thousands in memory. */
export const archivedRow = (row: ArchivedRow): ArchivedRow => ({
  id: row.id,
  original_name: row.original_name,
  format: row.format,
  bytes: row.bytes,
  created_at: row.created_at,
  folder: row.folder,
})

export interface Archive {
  /** Bytes of the whole file. */
  size: number
  /** Strong: of all that decides the bytes. */
  etag: string
  /** Ends early, and closes what it reads, when the client closes the connection. @throws when an image is gone meanwhile */
  chunks: () => AsyncGenerator<Uint8Array>
}

/** Only headers wait in memory: the originals are read one after another, as fast as the client reads. */
export const createArchive = ({ blobs }: Pick<Deps, 'blobs'>, rows: readonly ArchivedRow[]): Archive => ({
  // Nothing is opened for it.
  size: endZip(fillZip(rows, () => {})),
  etag: etagOf(rows),
  async *chunks() {
    let reading: Readable | undefined
    const fail = (error: unknown) => void output.destroy(error as Error)
    const filled = fillZip(rows, ({ id, bytes: wholeBytes }, add) => {
      blobs.read(id, undefined, { wholeBytes, inBackground: true }).then((found) => {
        reading = Buffer.isBuffer(found) ? Readable.from([found]) : found
        reading.once('error', fail)
        if (output.destroyed) reading.destroy()
        else add(null, reading)
      }, fail)
    })
    const output = filled.zip.outputStream as Readable
    filled.zip.on('error', fail)
    endZip(filled)
    try {
      for await (const chunk of output) yield chunk as Uint8Array
    } finally {
      output.destroy()
      reading?.destroy()
    }
  },
})

/** With the time zone, because entries have local dates. */
function etagOf(rows: readonly ArchivedRow[]): string {
  const hash = createHash('sha256')
  for (const { id, original_name: name, format, bytes, created_at: createdAt, folder } of rows) {
    const offset = new Date(createdAt).getTimezoneOffset()
    hash.update(JSON.stringify([id, name, format, bytes, createdAt, offset, folder]))
  }
  return `"${hash.digest('base64url')}"`
}

/** Yields the bytes of the range, and reads no further. */
export async function* partOf(
  chunks: AsyncIterable<Uint8Array>,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at))
    at += chunk.length
    if (part.length > 0) yield part
    if (at > end) return
  }
}

type Add = (error: unknown, stream: Readable) => void

interface Filled {
  zip: yazl.ZipFile
  isLarge: boolean
}

function fillZip(rows: readonly ArchivedRow[], open: (row: ArchivedRow, add: Add) => void): Filled {
  const zip = new yazl.ZipFile()
  const names = new UniqueNames()
  let directoryBytes = 0
  for (const row of rows) {
    const options = { size: row.bytes, compress: false, mtime: new Date(row.created_at) }
    const name = names.of(row)
    directoryBytes += directoryEntryBytes + Buffer.byteLength(name)
    zip.addReadStreamLazy(name, options, (add) => open(row, add))
  }
  return { zip, isLarge: directoryBytes >= largeDirectoryBytes }
}

/** In the directory at the end, besides the name. */
const directoryEntryBytes = 55
/**
 * For a directory from 65,535 bytes on (some 900 images), yazl 3.3 counts a ZIP64 end record in the size but does not write
 * it. ZIP64 is asked for a little earlier, so that both agree.
 */
const largeDirectoryBytes = 60_000

/** The types of the library lack the size. */
type End = (options: object, onSize: (bytes: number) => void) => void

/** @returns the bytes of the whole file */
function endZip({ zip, isLarge }: Filled): number {
  let size = -1
  const end: End = zip.end.bind(zip) as unknown as End
  end({ forceZip64Format: isLarge }, (bytes) => (size = bytes))
  if (size < 0) throw new Error('The size of the archive is unknown')
  return size
}

const longestName = /^.{0,120}/su

/** Names of devices on Windows, whatever their extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** Names that mean no other folder, in any system, and each once, whatever the case. */
class UniqueNames {
  readonly #taken = new Set<string>()
  readonly #counts = new Map<string, number>()

  of({ original_name: sent, format, folder }: ArchivedRow): string {
    const { extensions } = formats[format]
    const [extension] = extensions
    const base = [...folder.map((title) => safeName(title)), baseOf(sent, extensions)].join('/')
    let name = `${base}.${extension}`
    const key = name.toLowerCase()
    let count = this.#counts.get(key) ?? 1
    while (this.#taken.has(name.toLowerCase())) name = `${base} (${++count}).${extension}`
    this.#counts.set(key, count)
    this.#taken.add(name.toLowerCase())
    return name
  }
}

function baseOf(sent: string, extensions: readonly string[]): string {
  const found = extensions.find((extension) => sent.toLowerCase().endsWith(`.${extension}`))
  return safeName(found === undefined ? sent : sent.slice(0, -found.length - 1))
}

function safeName(text: string): string {
  const cleaned = cleanName(text).replace(/[\\/:*?"<>|]/g, '_')
  const name = (longestName.exec(cleaned)?.[0] ?? '').replace(/^[.\s]+|[.\s]+$/g, '')
  return name === '' || reserved.test(name) ? `image ${name}`.trim() : name
}

/** Yields the images of an open link for a ZIP file, in their order, each with the folder of its album. */
export async function* imagesOfLink(
  deps: Deps,
  link: LinksTable,
  albumId: string | null = link.album_id,
  path: readonly string[] = [],
): AsyncGenerator<ImagesTable & { folder: readonly string[] }> {
  let after: PlacedImage | undefined
  for (;;) {
    const rows = await placedImages(deps, link, { albumId, after, limit: batchSize })
    for (const row of rows) yield { ...row, folder: path }
    after = rows.at(-1)
    if (rows.length < batchSize) break
  }
  if (albumId === null || path.length > limits.albums.maxDepth) return
  for (const { id, title } of await albumsInside(deps, link, albumId)) {
    yield* imagesOfLink(deps, link, id, [...path, title])
  }
}

const batchSize = 500
