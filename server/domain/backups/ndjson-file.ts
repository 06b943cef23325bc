// NDJSON files, written and read as streams in constant memory.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { CommandRefused } from './command-refused.ts'

const flushBytes = 64 * 1024
/** The longest row is a document of 1 MB, as JSON inside JSON. */
const maxLineBytes = 16 * 1024 * 1024

/** To be closed, or discarded: also when adding a line failed. */
export interface NdjsonFile {
  add(line: string): Promise<void>
  /** @returns bytes, lines, and the SHA-256 of the file in hex */
  close(): Promise<{ size: number; lines: number; sha256: string }>
  /** Closes the file without the lines that are not written yet. Does nothing after a close. */
  discard(): Promise<void>
}

export async function createNdjsonFile(path: string): Promise<NdjsonFile> {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let waiting = ''
  let size = 0
  let lines = 0
  let isOpen = true
  const discard = async () => {
    if (isOpen) await file.close()
    isOpen = false
  }
  const flush = async () => {
    const bytes = Buffer.from(waiting)
    waiting = ''
    size += bytes.length
    hash.update(bytes)
    await file.writeFile(bytes)
  }
  return {
    async add(line) {
      waiting += `${line}\n`
      lines++
      if (waiting.length >= flushBytes) await flush()
    },
    async close() {
      try {
        await flush()
      } finally {
        await discard()
      }
      return { size, lines, sha256: hash.digest('hex') }
    },
    discard,
  }
}

/** @NOTE node:readline also ends a line at U+2028 and U+2029, which JSON may contain. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: flushBytes }) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      yield bytes.toString('utf8', start, end)
      start = end + 1
    }
    rest = bytes.subarray(start)
    if (rest.length > maxLineBytes) throw new CommandRefused(`${path} has a line of more than ${maxLineBytes} bytes`)
  }
  if (rest.length > 0) yield rest.toString('utf8')
}
