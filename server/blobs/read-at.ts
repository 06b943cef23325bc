// Reads a file whose length is known: in one piece, with none of what an unknown length costs; or as a stream.
import { closeSync, open as openByCallback, openSync, read, readSync, statSync } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ByteRange, MayHold } from './blob-store.ts'

/** Up to here the system mostly answers from its memory, in a tenth of the time that it takes to ask another thread. */
const smallBytes = 256 * 1024
/**
 * A read that let everyone wait for longer than this, in milliseconds, came from the disk, or the machine is busy: for a while other
 * threads read. The slower it was the longer, so that no more than a hundredth of the time goes to a disk that stays slow.
 */
const patience = { readMs: 1, asideMs: 1000, timesItsTime: 100 }
let isSlowUntilMs = 0

/**
 * @param length bytes, into memory of their own: what is kept of them keeps nothing else
 * @param inBackground nobody waits for it: never in this thread
 * @returns fewer bytes when the file ends before. @throws as node:fs, ENOENT among them
 */
export async function readAt(path: string, start: number, length: number, inBackground = false): Promise<Buffer> {
  if (inBackground || length > smallBytes || performance.now() < isSlowUntilMs) return readAside(path, start, length)
  return patiently(() => readNow(path, start, length))
}

/** All of a file that was written just now. @throws as node:fs */
export async function readBack(path: string): Promise<Buffer> {
  if (performance.now() < isSlowUntilMs) return readFile(path)
  const { size } = patiently(() => statSync(path))
  return size > smallBytes ? readFile(path) : patiently(() => readNow(path, 0, size))
}

/** In this thread, which does nothing else meanwhile. */
function patiently<T>(work: () => T): T {
  const startedAtMs = performance.now()
  try {
    return work()
  } finally {
    const endedAtMs = performance.now()
    const tookMs = endedAtMs - startedAtMs
    if (tookMs > patience.readMs) isSlowUntilMs = endedAtMs + Math.max(patience.asideMs, tookMs * patience.timesItsTime)
  }
}

function readNow(path: string, start: number, length: number): Buffer {
  const room = Buffer.allocUnsafeSlow(length)
  const file = openSync(path, 'r')
  try {
    return within(room, readSync(file, room, 0, length, start))
  } finally {
    closeSync(file)
  }
}

function readAside(path: string, start: number, length: number): Promise<Buffer> {
  // By callbacks: a FileHandle costs as much as the reading (measured: 30 µs of CPU for 20 kB this way, 68 that way).
  return new Promise((resolve, reject) => {
    // Before anything is open: what has no room fails here, where the promise takes it.
    const room = Buffer.allocUnsafeSlow(length)
    openByCallback(path, 'r', (openError, file) => {
      if (openError) return reject(openError)
      read(file, room, 0, length, start, (readError, bytesRead) => {
        try {
          // Nothing was written: there is nothing that it could wait for.
          closeSync(file)
        } catch (closeError) {
          return reject(new Error(`${path} could not be closed`, { cause: closeError }))
        }
        if (readError) reject(readError)
        else resolve(within(room, bytesRead))
      })
    })
  })
}

const within = (room: Buffer, bytes: number) => (bytes === room.length ? room : room.subarray(0, bytes))

/** Bytes: what is read ahead of a client, and what is where thousands of them take nothing. */
const pieces = { usual: 64 * 1024, small: 16 * 1024 }

/** Opened now: it may be deleted or replaced before the first byte is asked for. The stream closes it. */
export async function streamOf(
  path: string,
  { mayHold, ...range }: ByteRange & { mayHold: MayHold },
): Promise<Readable> {
  // One piece waits in the stream, and one in the socket.
  const highWaterMark = mayHold(2 * pieces.usual) ? pieces.usual : pieces.small
  return (await open(path, 'r')).createReadStream({ ...range, highWaterMark })
}

/** The first `length` bytes; the stream closes the file. */
export const inSmallPieces = (file: FileHandle, length: number): Readable =>
  file.createReadStream({ start: 0, end: length - 1, highWaterMark: pieces.small })
