// Complete and valid data that is small as a file and large as an image, produced without holding the image in memory.
import { constants, deflateRawSync } from 'node:zlib'
import { jpegSegment, png, rowsBytes } from '../server/imaging/testing/hand-made-images.ts'

const MiB = 2 ** 20

/** Ends on a byte boundary without back references, so that it can be repeated: a mebibyte of zeros in a kilobyte. */
const mebibyteOfZeros = deflateRawSync(Buffer.alloc(MiB), { finishFlush: constants.Z_FULL_FLUSH })

/** `count` zeros as zlib data. The checksum of zeros is their count (RFC 1950 section 9). */
export function deflatedZeros(count: number): Buffer {
  const checksum = Buffer.alloc(4)
  checksum.writeUInt16BE(count % 65_521, 0)
  checksum.writeUInt16BE(1, 2)
  const whole = Array.from({ length: Math.floor(count / MiB) }, () => mebibyteOfZeros)
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...whole, deflateRawSync(Buffer.alloc(count % MiB)), checksum])
}

export interface BlackPng {
  widthPx: number
  heightPx: number
  bitDepth?: 8 | 16
  isInterlaced?: boolean
  /** Chunks between header and image data. */
  before?: Buffer[]
}

/** A complete PNG of black pixels. */
export function blackPng(options: BlackPng): Buffer {
  const { widthPx, heightPx, bitDepth = 8, isInterlaced = false, before = [] } = options
  const bytes = rowsBytes(widthPx, heightPx, 4 * bitDepth, isInterlaced)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(widthPx, 0)
  header.writeUInt32BE(heightPx, 4)
  // Colour with alpha.
  header.set([bitDepth, 6, 0, 0, isInterlaced ? 1 : 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, png('IHDR', header), ...before, png('IDAT', deflatedZeros(bytes)), png('IEND')])
}

/** Spectral band and successive approximation of a scan: first and last coefficient, previous and current bit. */
export type Band = readonly [first: number, last: number, before: number, sent: number]

/** All coefficients one by one and bit by bit: the maximum number of scans that the standard allows, 882. */
export const everyBit: readonly Band[] = Array.from({ length: 63 }, (_, k) =>
  Array.from({ length: 14 }, (_, bit): Band => [k + 1, k + 1, bit === 0 ? 0 : 14 - bit, 13 - bit]),
).flat()

export interface GreyJpeg {
  widthPx: number
  heightPx: number
  /** 1 is grey; 3 is colour in 4:4:4. */
  components?: 1 | 3
  /** Scans after the first, which sets the mean of every block; each covers the whole image. */
  bands?: readonly Band[]
}

/**
 * A progressive JPEG of uniform grey. A scan encodes up to 32,767 unchanged blocks in 15 bits (end-of-band run, T.81 section
 * G.1.2.2): thousands of scans over a large image are a small file, and hours of work.
 */
export function greyJpeg({ widthPx, heightPx, components = 1, bands = [] }: GreyJpeg): Buffer {
  const blocks = Math.ceil(widthPx / 8) * Math.ceil(heightPx / 8)
  const ids = Array.from({ length: components }, (_, i) => i + 1)
  const frame = Buffer.from([8, 0, 0, 0, 0, components, ...ids.flatMap((id) => [id, 0x11, 0])])
  frame.writeUInt16BE(heightPx, 1)
  frame.writeUInt16BE(widthPx, 3)
  // Every difference has category 0, whose code is the single bit '0': the bits are zeros.
  const means = Buffer.alloc(Math.ceil((blocks * components) / 8))
  const nothing = emptyBand(blocks)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 8)])),
    jpegSegment(0xc2, frame),
    jpegSegment(0xc4, oneCode(0x00, 0x00)),
    jpegSegment(0xda, Buffer.from([components, ...ids.flatMap((id) => [id, 0x00]), 0, 0, 0])),
    means,
    jpegSegment(0xc4, oneCode(0x10, 0xe0)),
    ...bands.flatMap(([first, last, before, sent], i) => [
      jpegSegment(0xda, Buffer.from([1, ids[i % components] ?? 1, 0x00, first, last, (before << 4) | sent])),
      nothing,
    ]),
    Buffer.from([0xff, 0xd9]),
  ])
}

/** A Huffman table of one symbol with a one-bit code. */
const oneCode = (table: number, symbol: number) =>
  Buffer.concat([Buffer.from([table, 1]), Buffer.alloc(15), Buffer.from([symbol])])

/** Runs of up to 2^14 + (2^14 - 1) blocks without a coefficient: the code '0', then 14 bits. */
function emptyBand(blocks: number): Buffer {
  let bits = ''
  for (let left = blocks; left > 0;) {
    const run = Math.min(left, 32_767)
    // A shorter run would need another code; decoders accept one that extends beyond the image.
    bits += `0${Math.max(0, run - 16_384)
      .toString(2)
      .padStart(14, '0')}`
    left -= Math.max(run, 16_384)
  }
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) => parseInt(byte.padEnd(8, '1'), 2))
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])))
}
