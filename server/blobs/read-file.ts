// Reads files of the local disk into a buffer of known length, or as a stream.
import { closeSync, open as openByCallback, openSync, read, readSync, statSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { preferSync } from '../concurrency/prefer-sync.ts'
import type { ByteRange } from './blob-store.ts'

/** Up to this size a synchronous read takes a tenth of the time of the thread pool, if cached. */
const maxSyncBytes = 256 * 1024

/**
 * Reads into a buffer of its own, which retains no other memory.
 * @param inBackground no client waits for it: always by the thread pool
 * @returns fewer bytes when the file ends before. @throws as node:fs, ENOENT among them
 */
export async function readRange(path: string, start: number, length: number, inBackground = false): Promise<Buffer> {
  // Before the time is taken: the garbage collector, which may run here, is not a slow disk.
  const buffer = Buffer.allocUnsafeSlow(length)
  const inPool = () => readByThreadPool(path, buffer, start)
  const isLong = inBackground || length > maxSyncBytes
  const bytes = await (isLong ? inPool() : preferSync(() => readSynchronously(path, buffer, start), inPool))
  return bytes === length ? buffer : buffer.subarray(0, bytes)
}

/** Reads a file that was written just now. @throws as node:fs */
export const readWhole = async (path: string): Promise<Buffer> => readRange(path, 0, await sizeOf(path))

/** @returns bytes. @throws as node:fs */
export async function sizeOf(path: string): Promise<number> {
  const { size } = await preferSync(
    () => statSync(path),
    () => stat(path),
  )
  return size
}

function readSynchronously(path: string, buffer: Buffer, start: number): number {
  const file = openSync(path, 'r')
  try {
    return readSync(file, buffer, 0, buffer.length, start)
  } finally {
    closeSync(file)
  }
}

function readByThreadPool(path: string, buffer: Buffer, start: number): Promise<number> {
  // Callbacks: 30 µs of CPU for 20 kB, measured; 68 with a FileHandle.
  return new Promise((resolve, reject) => {
    openByCallback(path, 'r', (openError, file) => {
      if (openError) return reject(openError)
      read(file, buffer, 0, buffer.length, start, (readError, bytesRead) => {
        try {
          // Nothing was written, so close does not block.
          closeSync(file)
        } catch (closeError) {
          return reject(new Error(`${path} could not be closed`, { cause: closeError }))
        }
        if (readError) reject(readError)
        else resolve(bytesRead)
      })
    })
  })
}

/** Opens the file before it resolves: a later deletion or replacement has no effect on it. */
export async function openStream(
  path: string,
  { pieceBytes: highWaterMark, ...range }: ByteRange & { pieceBytes: number | undefined },
): Promise<Readable> {
  return (await open(path, 'r')).createReadStream({ ...range, ...(highWaterMark !== undefined && { highWaterMark }) })
}
