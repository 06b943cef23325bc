// PNG: copies only allow-listed chunks. An animated PNG is stored as its still image.

import { deflateSync, inflateSync } from 'node:zlib'
import { limits } from '../../../../contract/plain/limits.ts'
import { broken, unsupported } from '../../refusal.ts'
import { checkCanvas, checkDecodeMemory } from './size-limits.ts'
import { orientationTiff, readOrientation } from './exif.ts'
import { validIcc } from './icc.ts'
import { type Chunk, chunkOf, chunksFrom, hasRightCrc, pngSignatureBytes } from './png-chunks.ts'
import type { RewrittenImage } from './rewritten.ts'

const { maxIccBytes, maxIccInflatedBytes } = limits.image

const headerEnd = pngSignatureBytes + 25
/** Measured on 49 MP: libpng takes three times as long for the seven passes. */
const interlacedWork = 3

/** Samples per pixel by colour type; a palette index is one. */
const samples: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
/** Bytes of the transparent grey or colour; a palette has one per colour, alpha channels have none. */
const transparentBytes: Record<number, number> = { 0: 2, 2: 6 }

/** The chunks that are copied, with their allowed lengths; all belong before the image data. */
const copied: Record<string, (length: number, header: Header, colours: number) => boolean> = {
  // libpng ignores transparency for more colours than the palette has, and transparency before the palette.
  tRNS: (length, { colourType }, colours) =>
    colourType === 3 ? length >= 1 && length <= colours : length === transparentBytes[colourType],
  gAMA: (length) => length === 4,
  cHRM: (length) => length === 32,
  sRGB: (length) => length === 1,
  sBIT: (length, { colourType }) => length === (colourType === 3 ? 3 : samples[colourType]),
  bKGD: (length, { colourType }) => length === (colourType === 3 ? 1 : (colourType & 2) === 0 ? 2 : 6),
  pHYs: (length) => length === 9,
}

export function rewritePng(source: Buffer): RewrittenImage {
  const header = readHeader(source)
  const kept = new Map<string, Buffer>()
  let hasProfile = false
  let orientation = 1
  let dataStart = -1
  let dataEnd = -1

  for (const chunk of chunksFrom(source, headerEnd)) {
    const { type, data, start, end } = chunk
    if (type === 'IDAT') {
      if (dataStart < 0) dataStart = start
      else if (start !== dataEnd) throw broken('the picture data of the PNG is not in one piece')
      if (!hasRightCrc(source, chunk)) throw broken('the picture data of the PNG is damaged')
      dataEnd = end
    } else if (type === 'eXIf') {
      // After the image data no reader uses it: neither Chromium 147 nor libvips 8.18.
      if (dataStart < 0) orientation = readOrientation(data)
    } else if (isCritical(type) && type !== 'PLTE') {
      throw type === 'IHDR'
        ? broken('the PNG has two headers')
        : unsupported(`the PNG needs an unknown extension (${type})`)
    } else if (dataStart < 0 && !kept.has(type) && isIntact(source, chunk)) {
      if (type === 'iCCP') {
        // Only the first profile, valid or not: each costs an inflate, and the file can hold thousands.
        if (!hasProfile) keep(kept, 'iCCP', plainProfile(data))
        hasProfile = true
      } else if (type === 'PLTE') keep(kept, 'PLTE', plainPalette(data, header))
      else if (copied[type]?.(data.length, header, coloursOf(kept.get('PLTE'))))
        keep(kept, type, source.subarray(start, end))
    }
  }
  if (dataStart < 0) throw broken('the PNG has no image data')
  if (header.colourType === 3 && !kept.has('PLTE')) throw broken('the PNG has no palette')
  checkHeldByDecoder(header, kept.has('tRNS'))

  const { widthPx, heightPx } = header
  const bytes = Buffer.concat([
    source.subarray(0, headerEnd),
    ...kept.values(),
    ...(orientation > 1 ? [chunkOf('eXIf', orientationTiff(orientation))] : []),
    source.subarray(dataStart, dataEnd),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
  const decodedPixels = widthPx * heightPx * (header.isInterlaced ? interlacedWork : 1)
  return { bytes, widthPx, heightPx, frames: 1, orientation, decodedPixels, isLossy: false }
}

interface Header {
  widthPx: number
  heightPx: number
  bitDepth: number
  colourType: number
  isInterlaced: boolean
}

/** Bit depths by colour type (PNG third edition, table 8). */
const depths: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

function readHeader(source: Buffer): Header {
  const start = pngSignatureBytes
  const data = source.subarray(start + 8, start + 21)
  if (source.readUInt32BE(start) !== 13 || source.toString('latin1', start + 4, start + 8) !== 'IHDR') {
    throw source.toString('latin1', start + 4, start + 8) === 'CgBI'
      ? unsupported('this is the PNG of an iPhone application, which only Apple reads')
      : broken('the PNG does not start with its header')
  }
  if (!hasRightCrc(source, { data, start })) throw broken('the header of the PNG is damaged')
  const [bitDepth, colourType] = [data.readUInt8(8), data.readUInt8(9)]
  if (!depths[colourType]?.includes(bitDepth)) throw broken(`the PNG has an impossible colour type`)
  if (data.readUInt16BE(10) !== 0 || data.readUInt8(12) > 1) throw broken('the PNG is compressed in an unknown way')
  checkCanvas(data.readUInt32BE(0), data.readUInt32BE(4))
  return {
    widthPx: data.readUInt32BE(0),
    heightPx: data.readUInt32BE(4),
    bitDepth,
    colourType,
    isInterlaced: data.readUInt8(12) === 1,
  }
}

/** libpng expands palettes and small depths to whole bytes, transparency to a sample of its own, and holds all passes in memory. */
function checkHeldByDecoder(
  { widthPx, heightPx, bitDepth, colourType, isInterlaced }: Header,
  hasTransparency: boolean,
): void {
  if (!isInterlaced) return
  const colours = colourType === 0 || colourType === 4 ? 1 : 3
  const samples = colours + (colourType >= 4 || hasTransparency ? 1 : 0)
  checkDecodeMemory(widthPx * heightPx * samples * Math.ceil(bitDepth / 8), 'an interlaced PNG')
}

/** Upper case first letter: a decoder that does not know the chunk cannot display the image. */
const isCritical = (type: string) => type.charCodeAt(0) < 97

/** A damaged ancillary chunk is removed; a damaged palette is an error. */
function isIntact(source: Buffer, chunk: Chunk): boolean {
  if (chunk.type !== 'iCCP' && chunk.type !== 'PLTE' && !(chunk.type in copied)) return false
  const isRight = hasRightCrc(source, chunk)
  if (!isRight && chunk.type === 'PLTE') throw broken('the palette of the PNG is damaged')
  return isRight
}

/** The number of colours an index can address. For other colour types a palette is only a suggestion: undefined. */
function plainPalette(data: Buffer, { colourType, bitDepth }: Header): Buffer | undefined {
  if (colourType !== 3) return undefined
  if (data.length === 0 || data.length > 768 || data.length % 3 !== 0) {
    throw broken('the palette of the PNG has an impossible length')
  }
  return chunkOf('PLTE', data.subarray(0, 3 * 2 ** bitDepth))
}

const coloursOf = (palette: Buffer | undefined) => (palette ? (palette.length - 12) / 3 : 0)

function keep(kept: Map<string, Buffer>, type: string, chunk: Buffer | undefined): void {
  if (chunk) kept.set(type, chunk)
}

/** The profile, inflated within limits, cut to its declared size and deflated under a fixed name; undefined when invalid. */
function plainProfile(data: Buffer): Buffer | undefined {
  const nameEnd = data.subarray(0, 80).indexOf(0)
  if (nameEnd < 1 || data[nameEnd + 1] !== 0 || data.length > maxIccBytes) return undefined
  const profile = inflated(data.subarray(nameEnd + 2))
  const valid = profile && validIcc(profile, maxIccInflatedBytes)
  return valid && chunkOf('iCCP', Buffer.concat([Buffer.from('ICC\0\0', 'latin1'), deflateSync(valid)]))
}

function inflated(data: Buffer): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: maxIccInflatedBytes })
  } catch {
    return undefined // not zlib data, or over the limit: the image is stored without the profile
  }
}
