// A file that is remembered by its length and, once it was read, by its hash: read whole or as a stream, and told from any other that
// took its name.
import { createHash } from 'node:crypto'
import { type FileHandle, readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { inSmallPieces, readAt } from './read-at.ts'

export interface KnownFile {
  bytes: number
  /** Once it was read: files are never written again in place. */
  sha256?: string
}

export interface Kept {
  bytes: Buffer
  /** SHA-256 of the bytes, base64url. */
  sha256: string
}

export interface Streamed extends Omit<Kept, 'bytes'> {
  body: Readable
  /** Bytes. */
  size: number
}

export const keptOf = (bytes: Buffer): Kept => ({
  bytes,
  sha256: createHash('sha256').update(bytes).digest('base64url'),
})

/** By the length that we remember; one byte more is asked for, which a file that is not the one we remember has. */
export async function readKnown(path: string, known: KnownFile): Promise<Kept> {
  const bytes = await readAt(path, 0, known.bytes + 1)
  if (bytes.length !== known.bytes) return keptOf(await readFile(path))
  if (known.sha256 !== undefined) return { bytes, sha256: known.sha256 }
  const kept = keptOf(bytes)
  known.sha256 = kept.sha256
  return kept
}

/** By one handle: it stays the same file, whatever takes its name meanwhile. @returns null: it is not the one we remember */
export async function streamKnown(file: FileHandle, known: KnownFile): Promise<Streamed | null> {
  try {
    const { size } = await file.stat()
    if (size !== known.bytes) {
      await file.close()
      return null
    }
    known.sha256 ??= await sha256Of(file)
    return { body: inSmallPieces(file, size), size, sha256: known.sha256 }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function sha256Of(file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of file.createReadStream({ start: 0, autoClose: false })) hash.update(piece as Buffer)
  return hash.digest('base64url')
}
