// The compressed rows of a PNG. Behind the last row, and behind the end of the compressed data, a file can carry anything: no
// decoder looks there.

import { once } from 'node:events'
import { constants, createDeflate, createInflate, deflateSync, inflateSync } from 'node:zlib'
import { broken } from '../../refusal.ts'

/** Fewer turns of the event loop than with Node's 16 KiB; twice the window that zlib looks back over. */
const chunkSize = 2 ** 20

/** Columns and rows of each pass of Adam7: first column, first row, step across, step down (PNG third edition, §8.1). */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** What the rows of a picture take when they are inflated, each with the byte that names its filter. */
export function rowsBytes(widthPx: number, heightPx: number, bitsPerPixel: number, isInterlaced: boolean): number {
  const rows = (width: number, height: number) => (width > 0 ? height * (1 + Math.ceil((width * bitsPerPixel) / 8)) : 0)
  if (!isInterlaced) return rows(widthPx, heightPx)
  const stepped = (size: number, first: number, step: number) => Math.max(0, Math.ceil((size - first) / step))
  return passes.reduce(
    (sum, [x, y, across, down]) => sum + rows(stepped(widthPx, x, across), stepped(heightPx, y, down)),
    0,
  )
}

/**
 * Whether something stands behind the rows, inside of the compressed data or after it. Inflates once, beside other work and
 * without keeping anything; never more than the rows and a chunk. What is too short is for the decoder to refuse.
 * @throws ImageRefused when the compressed data is damaged or has no end: libpng looks no further than the last row
 */
export async function hidesBytes(data: Buffer, expectedBytes: number): Promise<boolean> {
  const inflate = createInflate({ chunkSize })
  let bytes = 0
  let isDamaged = false
  inflate.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > expectedBytes) inflate.destroy()
  })
  inflate.on('error', () => (isDamaged = true)) // zlib tells of a missing end in the same way
  const closed = new Promise((resolve) => inflate.once('close', resolve))
  inflate.end(data)
  await closed
  if (isDamaged) throw damagedRows()
  return bytes > expectedBytes || (bytes === expectedBytes && inflate.bytesWritten < data.length)
}

export const damagedRows = () => broken('the compressed rows of the PNG are damaged')

/** The rows alone, compressed anew. @throws what zlib throws; not after hidesBytes has said true */
export async function rowsAlone(data: Buffer, expectedBytes: number): Promise<Buffer> {
  const inflate = createInflate({ chunkSize })
  const deflate = createDeflate({ chunkSize, level: constants.Z_DEFAULT_COMPRESSION })
  const packed: Buffer[] = []
  deflate.on('data', (chunk: Buffer) => packed.push(chunk))
  inflate.end(data)
  let left = expectedBytes
  for await (const chunk of inflate as AsyncIterable<Buffer>) {
    if (!deflate.write(chunk.subarray(0, left))) await once(deflate, 'drain')
    left -= Math.min(left, chunk.length)
    if (left === 0) break
  }
  deflate.end()
  await once(deflate, 'end')
  return Buffer.concat(packed)
}

/**
 * Both of the above at once, for pictures small enough to be held: the rows alone if anything hid behind them, else undefined.
 * @throws ImageRefused for damaged data, and for more than a chunk behind the rows
 */
export function rowsAloneNow(data: Buffer, expectedBytes: number): Buffer | undefined {
  const { rows, readBytes } = inflatedNow(data, expectedBytes + chunkSize)
  if (rows.length < expectedBytes) throw damagedRows()
  if (rows.length === expectedBytes && readBytes === data.length) return undefined
  return deflateSync(rows.subarray(0, expectedBytes))
}

function inflatedNow(data: Buffer, maxOutputLength: number) {
  try {
    // Node answers an object when asked for info; its types do not say so.
    const answer = inflateSync(data, { chunkSize, maxOutputLength, info: true }) as unknown as Inflated
    return { rows: answer.buffer, readBytes: answer.engine.bytesWritten }
  } catch {
    throw damagedRows()
  }
}

interface Inflated {
  buffer: Buffer
  engine: { bytesWritten: number }
}
