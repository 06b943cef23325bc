// Reads files of the local disk into a buffer of known length, or as a stream.
import { closeSync, open as openByCallback, openSync, read, readSync, statSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ByteRange } from './blob-store.ts'

/** Up to this size a synchronous read takes a tenth of the time of the thread pool, if cached. */
const maxSyncBytes = 256 * 1024
/**
 * A synchronous call that blocks the event loop for longer than `maxMs` came from a slow disk or a
 * busy machine. Reads then use the thread pool for `pauseMs`, or for 100 times the duration of that
 * call, so that a disk that stays slow blocks the event loop for at most 1 % of the time.
 */
const syncReadBudget = { maxMs: 1, pauseMs: 1000, pauseFactor: 100 }
let syncPausedUntilMs = 0

const maySync = () => performance.now() >= syncPausedUntilMs

/**
 * Reads into a buffer of its own, which retains no other memory.
 * @param inBackground no client waits for it: always by the thread pool
 * @returns fewer bytes when the file ends before. @throws as node:fs, ENOENT among them
 */
export async function readRange(path: string, start: number, length: number, inBackground = false): Promise<Buffer> {
  // Before the time is taken: the garbage collector, which may run here, is not a slow disk.
  const buffer = Buffer.allocUnsafeSlow(length)
  const isSync = !inBackground && length <= maxSyncBytes && maySync()
  const bytes = isSync
    ? withinSyncBudget(() => readSynchronously(path, buffer, start))
    : await readByThreadPool(path, buffer, start)
  return bytes === length ? buffer : buffer.subarray(0, bytes)
}

/** Reads a file that was written just now. @throws as node:fs */
export const readWhole = async (path: string): Promise<Buffer> => readRange(path, 0, await sizeOf(path))

/** @returns bytes. @throws as node:fs */
export async function sizeOf(path: string): Promise<number> {
  return (maySync() ? withinSyncBudget(() => statSync(path)) : await stat(path)).size
}

function withinSyncBudget<T>(work: () => T): T {
  const startedAtMs = performance.now()
  try {
    return work()
  } finally {
    const endedAtMs = performance.now()
    const tookMs = endedAtMs - startedAtMs
    const { maxMs, pauseMs, pauseFactor } = syncReadBudget
    if (tookMs > maxMs) syncPausedUntilMs = endedAtMs + Math.max(pauseMs, tookMs * pauseFactor)
  }
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
