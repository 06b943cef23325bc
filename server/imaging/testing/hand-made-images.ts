// Generates images for the tests: valid ones with sharp, unusual and hostile ones byte by byte. No binary files.

import { deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { chunkOf as pngChunk } from '../decoder/container/png-chunks.ts'
import { chunkOf as webpChunk, riff } from '../decoder/container/webp-chunks.ts'

/** The token that must not survive in any output. */
export const secret = 'SECRET-GPS-52.5200N'

/** Smooth colours with some grain: compresses like a photograph. The upper left corner is red. */
export function photo(widthPx = 120, heightPx = 80, channels: 3 | 4 = 3): Sharp {
  const data = Buffer.alloc(widthPx * heightPx * channels)
  for (let at = 0, pixel = 0; at < data.length; at += channels, pixel++) {
    const [x, y] = [pixel % widthPx, Math.floor(pixel / widthPx)]
    const isCorner = x < widthPx / 3 && y < heightPx / 3
    const grain = (x * 7919 + y * 104_729 + x * y) % 16
    data[at] = isCorner ? 255 : 40 + grain
    data[at + 1] = isCorner ? 0 : Math.floor((x / widthPx) * 200) + grain
    data[at + 2] = isCorner ? 0 : Math.floor((y / heightPx) * 200) + grain
    if (channels === 4) data[at + 3] = isCorner ? 255 : Math.floor((x / widthPx) * 255)
  }
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels } })
}

/** An animation of moving squares, with different delays, looping three times. */
export async function animation(format: 'webp' | 'gif', frames = 5, sidePx = 40): Promise<Buffer> {
  const data = Buffer.alloc(sidePx * sidePx * 4 * frames)
  for (let frame = 0; frame < frames; frame++) {
    for (let y = 0; y < sidePx / 2; y++) {
      for (let x = 0; x < sidePx / 2; x++) {
        data.writeUInt32BE(0xff3366ff, ((frame * sidePx + y) * sidePx + ((x + frame) % sidePx)) * 4)
      }
    }
  }
  const roll = sharp(data, { raw: { width: sidePx, height: sidePx * frames, channels: 4, pageHeight: sidePx } })
  const options = { loop: 3, delay: Array.from({ length: frames }, (_, i) => 50 + 10 * i) }
  return format === 'webp' ? roll.webp({ ...options, lossless: true }).toBuffer() : roll.gif(options).toBuffer()
}

/** A valid profile, by lcms. */
export async function iccProfile(): Promise<Buffer> {
  const { icc } = await sharp(await photo(8, 8).withIccProfile('p3').png().toBuffer()).metadata()
  if (!icc) throw new Error('sharp attached no profile')
  return icc
}

// JPEG

export const jpegSegment = (marker: number, body: Buffer | string): Buffer => {
  const bytes = Buffer.from(body as string, 'latin1')
  return Buffer.concat([Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255]), bytes])
}

export const insertAt = (file: Buffer, at: number, ...parts: Buffer[]): Buffer =>
  Buffer.concat([file.subarray(0, at), ...parts, file.subarray(at)])

/** Where the n-th SOS of a JPEG made by sharp starts. */
export function scanAt(jpeg: Buffer, n: number): number {
  let at = -1
  for (let i = 0; i < n; i++) at = jpeg.indexOf(Buffer.from([0xff, 0xda, 0x00]), at + 1)
  return at
}

export interface HandJpeg {
  widthPx?: number
  heightPx?: number
  marker?: number
  precision?: number
  /** One byte of sampling factors for each. */
  components?: number[]
  restartEvery?: number
  scans?: number
  /** Bytes between the image data and EOI. */
  tail?: Buffer
}

/** A generated JPEG, grey by default: each block is a DC difference of four bits and an end-of-block. */
export function handJpeg(options: HandJpeg = {}): Buffer {
  const { widthPx = 64, heightPx = 64, marker = 0xc0, precision = 8, components = [0x11], scans = 1 } = options
  const { restartEvery = 0, tail = Buffer.alloc(0) } = options
  const size = Buffer.from([precision, heightPx >> 8, heightPx & 255, widthPx >> 8, widthPx & 255, components.length])
  const scan = Buffer.concat([
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    handScan(Math.ceil(widthPx / 8) * Math.ceil(heightPx / 8), restartEvery),
  ])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 8)])),
    jpegSegment(marker, Buffer.concat([size, ...components.map((factors, i) => Buffer.from([i + 1, factors, 0]))])),
    jpegSegment(0xc4, Buffer.concat([Buffer.from([0x00, 1, 1]), Buffer.alloc(14), Buffer.from([0, 4])])),
    jpegSegment(0xc4, Buffer.concat([Buffer.from([0x10, 1]), Buffer.alloc(15), Buffer.from([0])])),
    ...(restartEvery ? [jpegSegment(0xdd, Buffer.from([restartEvery >> 8, restartEvery & 255]))] : []),
    ...Array.from({ length: scans }, () => scan),
    tail,
    Buffer.from([0xff, 0xd9]),
  ])
}

function handScan(blocks: number, restartEvery: number): Buffer {
  const out: number[] = []
  let bits = ''
  const flush = () => {
    for (let i = 0; i < bits.length; i += 8) {
      const byte = parseInt(bits.slice(i, i + 8).padEnd(8, '1'), 2)
      out.push(byte, ...(byte === 0xff ? [0] : []))
    }
    bits = ''
  }
  for (let block = 0; block < blocks; block++) {
    if (restartEvery > 0 && block > 0 && block % restartEvery === 0) {
      flush()
      out.push(0xff, 0xd0 + ((block / restartEvery - 1) % 8))
    }
    bits += `10${(block % 2 ? 15 : 1).toString(2).padStart(4, '0')}0`
  }
  flush()
  return Buffer.from(out)
}

// PNG

export interface HandPng {
  widthPx: number
  heightPx: number
  bitDepth?: number
  colourType?: number
  interlace?: number
  /** Chunks between header and picture data. */
  before?: Buffer[]
  /** Unfiltered rows; by default almost empty. */
  rows?: Buffer
}

export const png = (type: string, data: Buffer | string = '') => pngChunk(type, Buffer.from(data as string, 'latin1'))

export function handPng(options: HandPng): Buffer {
  const { widthPx, heightPx, bitDepth = 8, colourType = 0, interlace = 0, before = [], rows } = options
  const header = Buffer.alloc(13)
  header.writeUInt32BE(widthPx, 0)
  header.writeUInt32BE(heightPx, 4)
  header.set([bitDepth, colourType, 0, 0, interlace], 8)
  const data = deflateSync(rows ?? Buffer.alloc(16))
  return Buffer.concat([pngSignature, png('IHDR', header), ...before, png('IDAT', data), png('IEND')])
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
export const afterIhdr = 33

/** The chunk names of a PNG, in order. */
export function pngTypes(file: Buffer): string[] {
  const types: string[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    types.push(file.toString('latin1', at + 4, at + 8))
  return types
}

/** Columns and rows of each pass of Adam7: first column, first row, step across, step down (PNG third edition, section 8.1). */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** The bytes of all rows uncompressed, each with the byte that names its filter. */
export function rowsBytes(widthPx: number, heightPx: number, bitsPerPixel: number, isInterlaced: boolean): number {
  const rows = (width: number, height: number) => (width > 0 ? height * (1 + Math.ceil((width * bitsPerPixel) / 8)) : 0)
  if (!isInterlaced) return rows(widthPx, heightPx)
  const stepped = (size: number, first: number, step: number) => Math.max(0, Math.ceil((size - first) / step))
  return passes.reduce(
    (sum, [x, y, across, down]) => sum + rows(stepped(widthPx, x, across), stepped(heightPx, y, down)),
    0,
  )
}

// WebP and GIF

/** A WebP with these chunks after its VP8X, unchecked. */
export function handWebp(flags: number, widthPx: number, heightPx: number, chunks: Buffer[]): Buffer {
  const header = Buffer.alloc(10)
  header.writeUInt8(flags, 0)
  header.writeUIntLE(widthPx - 1, 4, 3)
  header.writeUIntLE(heightPx - 1, 7, 3)
  return riff([webpChunk('VP8X', header), ...chunks])
}

/** The bitstream chunk of a plain WebP. */
export const webpBitstream = (file: Buffer) => file.subarray(12)

export function webpFrame(bitstream: Buffer, widthPx: number, heightPx: number, left = 0, top = 0): Buffer {
  const header = Buffer.alloc(16)
  header.writeUIntLE(left / 2, 0, 3)
  header.writeUIntLE(top / 2, 3, 3)
  header.writeUIntLE(widthPx - 1, 6, 3)
  header.writeUIntLE(heightPx - 1, 9, 3)
  header.writeUIntLE(100, 12, 3)
  return webpChunk('ANMF', Buffer.concat([header, bitstream]))
}

export const webp = (type: string, data: Buffer | string) => webpChunk(type, Buffer.from(data as string, 'latin1'))

export const webpAnim = webpChunk('ANIM', Buffer.alloc(6))

/** The chunk names of a WebP, in order. */
export function webpTypes(file: Buffer): string[] {
  const types: string[] = []
  for (let at = 12; at < file.length; at += 8 + file.readUInt32LE(at + 4) + (file.readUInt32LE(at + 4) % 2)) {
    types.push(file.toString('latin1', at, at + 4))
  }
  return types
}

/** A GIF of one-coloured frames of 1 x 1 on a canvas. */
export function handGif(widthPx: number, heightPx: number, frames: number, blocks: Buffer[] = []): Buffer {
  const screen = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  screen.writeUInt16LE(widthPx, 6)
  screen.writeUInt16LE(heightPx, 8)
  return Buffer.concat([screen, ...blocks, ...Array.from({ length: frames }, () => gifFrame()), Buffer.from([0x3b])])
}

export const gifFrame = (left = 0, top = 0, width = 1, height = 1) =>
  Buffer.from([0x2c, left, 0, top, 0, width, 0, height, 0, 0, 2, 2, 0x44, 1, 0])

export const gifExtension = (label: number, ...blocks: (Buffer | string)[]) =>
  Buffer.concat([
    Buffer.from([0x21, label]),
    ...blocks.flatMap((block) => [Buffer.from([block.length]), Buffer.from(block as string, 'latin1')]),
    Buffer.from([0]),
  ])

/** EXIF in TIFF form: orientation, a maker note and GPS-like text, little-endian. */
export function tiffWithSecrets(orientation: number): Buffer {
  const text = Buffer.from(`${secret}\0`, 'latin1')
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16LE(tag, 0)
    bytes.writeUInt16LE(type, 2)
    bytes.writeUInt32LE(count, 4)
    bytes.writeUInt32LE(value, 8)
    return bytes
  }
  const entries = [
    entry(0x010f, 2, text.length, 8 + 2 + 3 * 12 + 4),
    entry(0x0112, 3, 1, orientation),
    entry(0x927c, 7, text.length, 8 + 2 + 3 * 12 + 4),
  ]
  return Buffer.concat([Buffer.from('II*\0\x08\0\0\0\x03\0', 'latin1'), ...entries, Buffer.alloc(4), text])
}
