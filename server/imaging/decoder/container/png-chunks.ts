// A PNG file as a list of chunks (PNG third edition, section 5).

import { crc32 } from 'node:zlib'
import { broken } from '../../refusal.ts'

export const pngSignatureBytes = 8

/** Enough for 10 MB of image data in chunks of 100 bytes. */
const maxChunks = 100_000

export interface Chunk {
  type: string
  data: Buffer
  start: number
  end: number
}

/** The chunks from after IHDR to IEND, with lengths checked against the file. */
export function* chunksFrom(source: Buffer, from: number): Generator<Chunk> {
  let start = from
  for (let count = 0; count < maxChunks; count++) {
    if (start + 12 > source.length) throw broken('the PNG ends before its last chunk')
    const length = source.readUInt32BE(start)
    const end = start + 12 + length
    if (end > source.length) throw broken('a chunk of the PNG is longer than the file')
    const type = source.toString('latin1', start + 4, start + 8)
    if (!isChunkType(source, start + 4)) throw broken('the PNG has a chunk without a name')
    if (type === 'IEND') return
    yield { type, data: source.subarray(start + 8, start + 8 + length), start, end }
    start = end
  }
  throw broken('the PNG has too many chunks')
}

function isChunkType(source: Buffer, at: number): boolean {
  return source.subarray(at, at + 4).every((byte) => (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122))
}

/** The CRC covers type and data. */
export function hasRightCrc(source: Buffer, { data, start }: Pick<Chunk, 'data' | 'start'>): boolean {
  const dataEnd = start + 8 + data.length
  return crc32(source.subarray(start + 4, dataEnd)) === source.readUInt32BE(dataEnd)
}

/** Serializes a chunk with its length and CRC. */
export function chunkOf(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}
