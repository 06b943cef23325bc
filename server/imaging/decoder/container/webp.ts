// WebP: image data, alpha, animation and colour profile; a new EXIF with only the orientation (RFC 9649).

import { limits } from '../../../../contract/plain/limits.ts'
import type { Size } from '../../fit.ts'
import { broken, unsupported } from '../../refusal.ts'
import { checkCanvas, checkFrames } from './size-limits.ts'
import { orientationTiff, readOrientation } from './exif.ts'
import { validIcc } from './icc.ts'
import type { RewrittenImage } from './rewritten.ts'
import { chunkOf, chunksFrom, riff } from './webp-chunks.ts'

/** Measured: opening and decoding the smallest frame takes 0.6 ms, the time of 40,000 pixels of a large one. */
const frameWork = 40_000

const flag = { icc: 0x20, alpha: 0x10, exif: 0x08, animation: 0x02 }

export function rewriteWebp(source: Buffer): RewrittenImage {
  const end = 8 + source.readUInt32LE(4)
  if (end > source.length) throw broken('the WebP ends before its declared size')
  const found = readChunks(source.subarray(0, end), 12)
  return found.frames.length > 0 ? animation(found) : stillImage(found)
}

/** The orientation of an animation is removed: libvips cannot rotate animations, and all clients must show it alike. */
function animation({ canvas, animation, icc, frames }: Found): RewrittenImage {
  if (!canvas || !animation) throw broken('the WebP has frames but is no animation')
  // Opaque frames that do not cover the canvas make the animation transparent: the flag decides.
  const hasAlpha = canvas.hasAlpha || frames.some((frame) => frame.hasAlpha)
  const flags = flag.animation | (hasAlpha ? flag.alpha : 0) | (icc ? flag.icc : 0)
  const bytes = riff([
    extendedHeader(flags, canvas),
    ...(icc ? [chunkOf('ICCP', icc)] : []),
    chunkOf('ANIM', animation),
    ...frames.map((frame) => chunkOf('ANMF', frame.data)),
  ])
  const { widthPx, heightPx } = canvas
  const isLossy = frames.every((frame) => frame.isLossy)
  const decodedPixels = (widthPx * heightPx + frameWork) * frames.length
  const framesAlone = () => frames.map((frame) => riff(alone(frame)))
  return { bytes, widthPx, heightPx, frames: frames.length, orientation: 1, decodedPixels, isLossy, framesAlone }
}

/** A frame as a still image. */
const alone = (frame: Image) => [...(frame.alpha ? [extendedHeader(flag.alpha, frame)] : []), ...bitstream(frame)]

function stillImage({ canvas, still, icc, orientation }: Found): RewrittenImage {
  if (!still) throw broken('the WebP has no image data')
  const { widthPx, heightPx, isLossy } = still
  if (canvas && (canvas.widthPx !== widthPx || canvas.heightPx !== heightPx)) {
    throw broken('the picture of the WebP has another size than its canvas')
  }
  checkCanvas(widthPx, heightPx)
  const hasAlpha = still.hasAlpha || (canvas?.hasAlpha ?? false)
  const isTurned = orientation > 1
  const flags = (hasAlpha ? flag.alpha : 0) | (icc ? flag.icc : 0) | (isTurned ? flag.exif : 0)
  const bytes = riff([
    ...(flags !== 0 ? [extendedHeader(flags, still)] : []),
    ...(icc ? [chunkOf('ICCP', icc)] : []),
    ...bitstream(still),
    ...(isTurned ? [chunkOf('EXIF', orientationTiff(orientation))] : []),
  ])
  return { bytes, widthPx, heightPx, frames: 1, orientation, decodedPixels: widthPx * heightPx, isLossy }
}

interface Image extends Size {
  hasAlpha: boolean
  isLossy: boolean
  alpha?: Buffer | undefined
  coded: Buffer
}

interface Found {
  canvas?: Size & { hasAlpha: boolean }
  icc?: Buffer | undefined
  animation?: Buffer
  still?: Image
  frames: (Image & { data: Buffer })[]
  orientation: number
}

function readChunks(file: Buffer, from: number): Found {
  const found: Found = { frames: [], orientation: 1 }
  let alpha: Buffer | undefined
  for (const { type, data } of chunksFrom(file, from)) {
    if (type === 'VP8X') found.canvas ??= readCanvas(data)
    else if (type === 'ICCP') found.icc ??= validIcc(data, limits.image.maxIccBytes)
    else if (type === 'EXIF') found.orientation = readOrientation(data)
    else if (type === 'ANIM' && data.length >= 6) found.animation ??= data.subarray(0, 6)
    else if (type === 'ALPH') alpha ??= data
    else if (type === 'VP8 ' || type === 'VP8L') found.still ??= readImage(type, data, alpha)
    else if (type === 'ANMF') {
      if (!found.canvas) throw broken('the WebP has frames but no canvas')
      checkFrames(found.frames.length + 1, found.canvas.widthPx, found.canvas.heightPx)
      found.frames.push(readFrame(data, found.canvas))
    }
  }
  return found
}

function readCanvas(data: Buffer): Size & { hasAlpha: boolean } {
  if (data.length < 10) throw broken('the header of the WebP is too short')
  const canvas = { widthPx: data.readUIntLE(4, 3) + 1, heightPx: data.readUIntLE(7, 3) + 1 }
  checkCanvas(canvas.widthPx, canvas.heightPx)
  return { ...canvas, hasAlpha: (data.readUInt8(0) & flag.alpha) !== 0 }
}

/** The size in the bitstream header: RFC 6386 section 9.1 for VP8, RFC 9649 section 3.4 for VP8L. */
function readImage(type: string, coded: Buffer, alpha: Buffer | undefined): Image {
  if (type === 'VP8L') {
    if (coded.length < 5 || coded[0] !== 0x2f) throw broken('the WebP holds no lossless picture')
    const bits = coded.readUInt32LE(1)
    if (bits >>> 29 !== 0) throw unsupported('the WebP is of a version that is not known')
    const [widthPx, heightPx] = [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
    return { widthPx, heightPx, hasAlpha: ((bits >>> 28) & 1) === 1, isLossy: false, coded }
  }
  if (coded.length < 10 || coded.readUIntBE(3, 3) !== 0x9d012a || (coded.readUInt8(0) & 1) !== 0) {
    throw broken('the WebP holds no key frame')
  }
  if (10 + (coded.readUIntLE(0, 3) >>> 5) > coded.length) throw broken('the WebP ends inside its picture')
  const [widthPx, heightPx] = [coded.readUInt16LE(6) & 0x3fff, coded.readUInt16LE(8) & 0x3fff]
  return { widthPx, heightPx, hasAlpha: alpha !== undefined, isLossy: true, alpha, coded }
}

/** An ANMF chunk with only its header, alpha and bitstream. */
function readFrame(data: Buffer, canvas: Size): Image & { data: Buffer } {
  if (data.length < 16) throw broken('a frame of the WebP is too short')
  const [left, top] = [data.readUIntLE(0, 3) * 2, data.readUIntLE(3, 3) * 2]
  const [widthPx, heightPx] = [data.readUIntLE(6, 3) + 1, data.readUIntLE(9, 3) + 1]
  if (left + widthPx > canvas.widthPx || top + heightPx > canvas.heightPx) {
    throw broken('a frame of the WebP reaches outside the picture')
  }
  const image = readStill(data)
  if (!image) throw broken('a frame of the WebP is empty')
  if (image.widthPx !== widthPx || image.heightPx !== heightPx) throw broken('a frame of the WebP has two sizes')
  return { ...image, data: Buffer.concat([data.subarray(0, 16), ...bitstream(image)]) }
}

function readStill(frame: Buffer): Image | undefined {
  let alpha: Buffer | undefined
  for (const { type, data } of chunksFrom(frame, 16)) {
    if (type === 'ALPH') alpha ??= data
    else if (type === 'VP8 ' || type === 'VP8L') return readImage(type, data, alpha)
  }
  return undefined
}

function bitstream({ isLossy, alpha, coded }: Image): Buffer[] {
  return [...(alpha ? [chunkOf('ALPH', alpha)] : []), chunkOf(isLossy ? 'VP8 ' : 'VP8L', coded)]
}

/** The VP8X chunk, with flags that match the content. */
function extendedHeader(flags: number, { widthPx, heightPx }: Size): Buffer {
  const header = Buffer.alloc(10)
  header.writeUInt8(flags, 0)
  header.writeUIntLE(widthPx - 1, 4, 3)
  header.writeUIntLE(heightPx - 1, 7, 3)
  return chunkOf('VP8X', header)
}
