// Corrects the checksums of a mutated file: otherwise it fails at the checksum and never reaches
// the code behind it.
import { crc32 } from 'node:zlib'
import type { Kind } from './base-images.ts'
import { partsOf } from './file-parts.ts'

export function fixChecksums(file: Buffer, kind: Kind): Buffer {
  const copy = Buffer.from(file)
  if (kind === 'webp' && copy.length >= 8) copy.writeUInt32LE(copy.length - 8, 4)
  if (kind !== 'png') return copy
  for (const { start, end } of partsOf(copy, kind).slice(1))
    if (end - start >= 12) copy.writeUInt32BE(crc32(copy.subarray(start + 4, end - 4)), end - 4)
  return copy
}
