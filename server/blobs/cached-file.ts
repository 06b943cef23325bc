// A file of the variant cache with its size and digest.
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { BlobMissing } from './blob-store.ts'
import { readRange, sizeOf } from './read-file.ts'

/** Access to one version of a file: other bytes than those of the digest are never returned. */
export interface CachedFile {
  /** Bytes. */
  size: number
  /** SHA-256 of the bytes, base64url. */
  sha256: string
  /** False when the bytes are only in memory, because they could not be cached. */
  isOnDisk: boolean
  /** @throws {BlobMissing} the file was evicted or replaced */
  read(): Promise<Buffer>
  /** @param pieceBytes buffered by the stream. @throws {BlobMissing} also when only in memory */
  open(pieceBytes: number): Promise<Readable>
}

type FileVersion = Pick<CachedFile, 'size' | 'sha256'>

/** What the cache records of a file. */
export interface CachedFileEntry {
  bytes: number
  /** Set once it was computed: files are replaced, never written in place. */
  sha256?: string
}

/** Up to this size a file is hashed from a buffer, which its first read takes. */
const maxBufferedBytes = 64 * 1024

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url')

/** A file whose bytes are in memory only. */
export const cachedFileOf = (bytes: Buffer): CachedFile => ({
  size: bytes.length,
  sha256: sha256Of(bytes),
  isOnDisk: false,
  read: async () => bytes,
  open: async () => {
    throw new BlobMissing('of a rendered file')
  },
})

/**
 * Looks at the file at `path`. Its digest is computed unless `entry` has it; computed ones are
 * stored in `entry`.
 * @param isCurrent whether the cache still holds this version
 * @throws as node:fs, ENOENT among them
 */
export async function openCachedFile(
  path: string,
  entry: CachedFileEntry | undefined,
  isCurrent: (version: FileVersion) => boolean,
): Promise<CachedFile> {
  // No system call for the size where one read shows whether it is still the recorded one.
  const isUnread = entry !== undefined && entry.sha256 === undefined && entry.bytes <= maxBufferedBytes
  const bytes = isUnread ? await readSized(path, entry.bytes) : null
  const size = bytes?.length ?? (await sizeOf(path))
  const isAsRecorded = entry?.bytes === size
  const recorded = isAsRecorded ? entry.sha256 : undefined
  const sha256 = recorded ?? (bytes ? sha256Of(bytes) : await hashFile(path))
  if (isAsRecorded) entry.sha256 = sha256
  const version = { size, sha256 }
  return cachedFile(path, version, () => isCurrent(version), bytes ?? undefined)
}

/** @param bytes taken by the first read, after which the result retains none */
export function cachedFile(
  path: string,
  { size, sha256 }: FileVersion,
  isCurrent: () => boolean,
  bytes?: Buffer,
): CachedFile {
  let initial = bytes
  const missing = (cause?: unknown) => new BlobMissing(path, { cause })
  const current = async <T>(load: () => Promise<T>): Promise<T> => {
    if (!isCurrent()) throw missing()
    return load().catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? missing(error) : error
    })
  }
  return {
    size,
    sha256,
    isOnDisk: true,
    async read() {
      const loaded = initial ?? (await current(() => readSized(path, size)))
      initial = undefined
      if (!loaded) throw missing()
      return loaded
    },
    async open(pieceBytes) {
      const handle = await current(() => open(path, 'r'))
      try {
        if ((await handle.stat()).size !== size) throw missing()
        return handle.createReadStream({ start: 0, end: size - 1, highWaterMark: pieceBytes })
      } catch (error) {
        await handle.close()
        throw error
      }
    },
  }
}

/** Requests one byte more, which a longer file has. @returns null when the size differs */
async function readSized(path: string, size: number): Promise<Buffer | null> {
  const bytes = await readRange(path, 0, size + 1)
  return bytes.length === size ? bytes : null
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of (await open(path, 'r')).createReadStream()) hash.update(piece as Buffer)
  return hash.digest('base64url')
}
