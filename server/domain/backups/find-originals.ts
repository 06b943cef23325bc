// Finds the originals of an archive of rows: in the store of the instance, or in the bucket of backups.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BlobDamaged, BlobMissing, type BlobStore } from '../../blobs/blob-store.ts'
import type { ImagesTable } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { ahead } from '../../concurrency/map-ahead.ts'
import { type Manifest, originalEntry, readEntryName } from './archive-format.ts'
import { readLines } from './ndjson-file.ts'
import type { Archive } from './read-archive.ts'
import { checksumOf } from './verify-store.ts'

export type LostOriginal = Manifest['left_out'][number]
type Image = Pick<ImagesTable, 'id' | 'bytes' | 'sha256'>

const readAhead = 4

interface Search {
  /** What the store of the instance has. */
  here: ReadonlySet<string>
  /** Has the others. */
  from: BlobStore | undefined
  /** For their files. */
  folder: string
  /** Collects those that are nowhere, or damaged. */
  lost: LostOriginal[]
}

/** Verifies those that are here, and yields those that are not, each in its own file, verified too. */
export async function* findOriginals(
  { blobs }: Pick<Deps, 'blobs'>,
  archive: Archive,
  { here, from, folder, lost }: Search,
): ReturnType<Archive['originals']> {
  const find = async (image: Image) => {
    const found = here.has(image.id) ? await checksumOf(blobs, image.id) : null
    if (found && isOf(image, found)) return null
    const path = join(folder, image.id)
    const copy = from ? await save(from, image.id, path) : null
    if (copy && isOf(image, copy)) return { imageId: image.id, path }
    await rm(path, { force: true })
    lost.push({ id: image.id, why: (found ?? copy) ? 'damaged' : 'missing' })
    return null
  }
  for await (const original of ahead(imagesOf(archive), readAhead, find)) if (original) yield original
}

const isOf = (image: Image, found: { sha256: string | undefined; size: number }) =>
  found.sha256 === image.sha256 && found.size === image.bytes

/** Like checksumOf, and writes the bytes to a file. */
async function save(from: BlobStore, id: string, path: string): ReturnType<typeof checksumOf> {
  const hash = createHash('sha256')
  let size = 0
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  try {
    const bytes = await from.read(id)
    await pipeline(
      Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes,
      count,
      createWriteStream(path, { mode: 0o600 }),
    )
  } catch (error) {
    if (error instanceof BlobMissing) return null
    if (error instanceof BlobDamaged) return { sha256: undefined, size }
    throw error
  }
  return { sha256: hash.digest('hex'), size }
}

/** The images of an archive whose bytes were there when it was written. @throws {CommandRefused} for an invalid id */
async function* imagesOf({ manifest, tablePath }: Archive): AsyncGenerator<Image> {
  if (!manifest.tables['images']) return
  const leftOut = new Set(manifest.left_out.map(({ id }) => id))
  for await (const line of readLines(tablePath('images'))) {
    const image = JSON.parse(line) as Image
    // An id becomes a path and a key, as the name of an entry does.
    readEntryName(originalEntry(String(image.id)))
    if (!leftOut.has(image.id)) yield image
  }
}

/** The bytes of the images of an archive that a store does not have. */
export async function bytesOutside(here: ReadonlySet<string>, archive: Archive): Promise<number> {
  let sum = 0
  for await (const { id, bytes } of imagesOf(archive)) if (!here.has(id)) sum += bytes
  return sum
}

export async function keysOf(store: BlobStore): Promise<Set<string>> {
  const keys = new Set<string>()
  for await (const { key } of store.list()) keys.add(key)
  return keys
}

export function describeLost(lost: LostOriginal[]): string {
  const named = lost.slice(0, 3).map(({ id, why }) => `${id} (${why})`)
  const others = lost.length > named.length ? ` and ${lost.length - named.length} more` : ''
  return (
    `Originals are missing or damaged: ${named.join(', ')}${others}. Nothing was restored. Copy them to the store of this ` +
    'instance first, or restore without these images: --partial'
  )
}
