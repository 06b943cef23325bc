// Reads a file whose length is known: in one piece, with none of what an unknown length costs; or as a stream.
import { closeSync, open as openByCallback, openSync, read, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ByteRange, MayHold } from './blob-store.ts'

/** Up to here the system mostly answers from its memory, in less time than it takes to ask another thread. */
const smallBytes = 256 * 1024
/** A disk that let everyone wait for longer than this is asked by other threads, for a while. In milliseconds. */
const patience = { readMs: 5, asideMs: 2000 }
let isSlowUntilMs = 0

/**
 * @param length bytes, into memory of their own: what is kept of them keeps nothing else
 * @returns fewer bytes when the file ends before. @throws as node:fs, ENOENT among them
 */
export async function readAt(path: string, start: number, length: number): Promise<Buffer> {
  const startedAtMs = performance.now()
  if (length > smallBytes || startedAtMs < isSlowUntilMs) return readAside(path, start, length)
  try {
    return readNow(path, start, length)
  } finally {
    const endedAtMs = performance.now()
    if (endedAtMs - startedAtMs > patience.readMs) isSlowUntilMs = endedAtMs + patience.asideMs
  }
}

/** In this thread, which does nothing else meanwhile. */
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
