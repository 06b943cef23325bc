// A WebP file as its RIFF chunks (RFC 9649 section 2.3, section 2.4).

import { broken } from '../../refusal.ts'

export interface Chunk {
  type: string
  data: Buffer
}

/** The chunks of a RIFF list, with lengths checked against it. The last pad byte may be missing. */
export function* chunksFrom(file: Buffer, from: number): Generator<Chunk> {
  for (let at = from; at < file.length;) {
    if (at + 8 > file.length) throw broken('the WebP ends inside a chunk')
    const length = file.readUInt32LE(at + 4)
    const end = at + 8 + length
    if (end > file.length) throw broken('a chunk of the WebP is longer than the file')
    yield { type: file.toString('latin1', at, at + 4), data: file.subarray(at + 8, end) }
    at = end + (length % 2)
  }
}

/** Serializes a chunk, padded to an even length. */
export function chunkOf(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** Serializes the file header and its chunks. */
export function riff(chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks])
  const head = Buffer.alloc(8)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}
