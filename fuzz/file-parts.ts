// Splits an image file into its parts, so that a mutation can apply to a whole one. Accepts broken
// files: what cannot be parsed is one last part.
import type { Kind } from './base-images.ts'

export interface FilePart {
  start: number
  end: number
}

interface LengthField {
  at: number
  width: 1 | 2 | 4
  little: boolean
}

/** The length field of a part: its offset, width and byte order. A format without one skips its mutations. */
export const lengthField: Partial<Record<Kind, LengthField>> = {
  png: { at: 0, width: 4, little: false },
  jpeg: { at: 2, width: 2, little: false },
  webp: { at: 4, width: 4, little: true },
  gif: { at: 2, width: 1, little: true },
}

/** A format without a reader is split into parts of equal size. */
const readers: Partial<Record<Kind, (file: Buffer, at: number) => number>> = {
  png: (file, at) => (at === 0 ? 8 : at + 12 + file.readUInt32BE(at)),
  jpeg: endOfSegment,
  webp: (file, at) => (at === 0 ? 12 : at + 8 + file.readUInt32LE(at + 4) + (file.readUInt32LE(at + 4) % 2)),
  gif: endOfBlock,
  svg: endOfTag,
}
/** Limit for files of very many tags; the rest is one part. */
const maxParts = 500

export function partsOf(file: Buffer, kind: Kind): FilePart[] {
  const parts: FilePart[] = []
  let start = 0
  while (start < file.length && parts.length < maxParts) {
    const end = endOfPart(file, kind, start)
    parts.push({ start, end })
    start = end
  }
  if (start < file.length) parts.push({ start, end: file.length })
  return parts
}

function endOfPart(file: Buffer, kind: Kind, at: number): number {
  try {
    return Math.min(file.length, Math.max(at + 1, (readers[kind] ?? equalPart)(file, at)))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return file.length // its header extends beyond the end
  }
}

const equalPart = (file: Buffer, at: number) => at + Math.ceil(file.length / 16)

/** Entropy-coded data belong to the preceding SOS. */
function endOfSegment(file: Buffer, at: number): number {
  const marker = file.readUInt8(at + 1)
  if (marker === 0xd8 || marker === 0xd9 || (marker >= 0xd0 && marker <= 0xd7)) return at + 2
  const end = at + 2 + file.readUInt16BE(at + 2)
  if (marker !== 0xda) return end
  for (let i = end; i + 1 < file.length; i++) {
    const next = file[i + 1] ?? 0
    if (file[i] === 0xff && next !== 0 && (next < 0xd0 || next > 0xd7)) return i
  }
  return file.length
}

function endOfBlock(file: Buffer, at: number): number {
  const tableOf = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  if (at === 0) return 13 + tableOf(file.readUInt8(10))
  const label = file.readUInt8(at)
  if (label === 0x2c) return endOfSubBlocks(file, at + 11 + tableOf(file.readUInt8(at + 9)))
  return label === 0x21 ? endOfSubBlocks(file, at + 2) : at + 1
}

function endOfSubBlocks(file: Buffer, at: number): number {
  let end = at
  while (file.readUInt8(end) !== 0) end += 1 + file.readUInt8(end)
  return end + 1
}

/** The end of a tag, or of the text before the next tag. */
function endOfTag(file: Buffer, at: number): number {
  const next = file.indexOf(file[at] === 0x3c ? '>' : '<', at + 1)
  if (next < 0) return file.length
  return file[at] === 0x3c ? next + 1 : next
}
