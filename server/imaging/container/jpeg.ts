// JPEG: what a decoder needs, JFIF, Adobe and the colour profile; a fresh EXIF with the orientation, and nothing else.

import { limits } from '../../../contract/limits.ts'
import { broken, overLimit, unsupported } from '../refusal.ts'
import { checkCanvas, checkHeld } from './bounds.ts'
import { orientationExif, readOrientation } from './exif.ts'
import { validIcc } from './icc.ts'
import { segmentsOf } from './jpeg-segments.ts'
import { isTable, JpegTables, segment } from './jpeg-tables.ts'
import type { Rewritten } from './rewritten.ts'

const { maxJpegScans, maxIccInflatedBytes } = limits.image

const soi = Buffer.from([0xff, 0xd8])
const eoi = Buffer.from([0xff, 0xd9])
const frameMarkers = new Set([0xc0, 0xc1, 0xc2]) // baseline, extended sequential, progressive, all Huffman
const exifPrefix = 'Exif\0\0'
const iccPrefix = 'ICC_PROFILE\0'
const maxSegmentBody = 65_533
/** As encoders write progressive JPEGs. */
const usualScans = 10

/**
 * Restart markers, stuffed bytes and the tables that a scan uses are copied as they are. Of several pictures in one file
 * (MPF, thumbnails) the first remains.
 */
export function rewriteJpeg(source: Buffer): Rewritten {
  let frame: Frame | undefined
  let jfif: Buffer | undefined
  let adobe: Buffer | undefined
  let orientation = 1
  const profile: IccParts = { parts: [], total: 0, isWhole: true }
  const tables = new JpegTables()
  const picture: (Buffer | (() => Buffer | undefined))[] = []
  let scans = 0

  for (const { marker, body, whole } of segmentsOf(source)) {
    if (isTable(marker)) picture.push(tables.define(marker, body, whole))
    else if (frameMarkers.has(marker)) {
      if (frame) throw broken('the JPEG declares its size twice')
      frame = readFrame(marker, body)
      picture.push(whole)
    } else if (marker === 0xda) {
      if (!frame) throw broken('the JPEG has a scan before its size')
      if (++scans > maxJpegScans) throw overLimit(`the JPEG has more than ${maxJpegScans} scans`)
      if (scans === 1) checkHeldByDecoder(frame, body)
      tables.use(body, frame.isProgressive, frame.quantisation)
      picture.push(whole)
    } else if (marker >= 0xe0 && marker <= 0xef) {
      if (scans > 0) continue
      if (marker === 0xe0 && startsWith(body, 'JFIF\0') && body.length >= 14) jfif ??= body
      if (marker === 0xee && startsWith(body, 'Adobe') && body.length >= 12) adobe = body
      if (marker === 0xe2 && startsWith(body, iccPrefix)) addIcc(profile, body)
      if (marker === 0xe1 && orientation === 1 && startsWith(body, exifPrefix)) orientation = readOrientation(body)
    } else if (marker !== 0xfe) {
      throw unsupported('this kind of JPEG (lossless, arithmetic or hierarchical) is not supported')
    }
  }
  if (!frame || scans === 0) throw broken('the JPEG holds no picture')

  const bytes = Buffer.concat([
    soi,
    ...(jfif ? [plainJfif(jfif)] : []),
    ...(orientation > 1 ? [segment(0xe1, orientationExif(orientation))] : []),
    ...(adobe ? [segment(0xee, adobe.subarray(0, 12))] : []),
    ...iccSegments(profile),
    ...picture.flatMap((part) => (typeof part === 'function' ? (part() ?? []) : part)),
    eoi,
  ])
  const { widthPx, heightPx, isProgressive } = frame
  // Progressive ones cannot be decoded small; scans that add little are cheap, but not for nothing.
  const decodedPixels = widthPx * heightPx * (isProgressive ? Math.max(1, scans / usualScans) : 1)
  return { bytes, widthPx, heightPx, frames: 1, orientation, decodedPixels, isLossy: true }
}

interface Frame {
  isProgressive: boolean
  widthPx: number
  heightPx: number
  components: number
  /** Samples of all components for one pixel: 3 for 4:4:4, 1.5 for 4:2:0. */
  samplesPerPixel: number
  /** The number of each component's quantisation table, by the component's name. */
  quantisation: ReadonlyMap<number, number>
}

function readFrame(marker: number, body: Buffer): Frame {
  const precision = body.readUInt8(0)
  const heightPx = body.readUInt16BE(1)
  const widthPx = body.readUInt16BE(3)
  const components = body.readUInt8(5)
  if (precision !== 8) throw unsupported(`a JPEG of ${precision} bits a sample is not supported`)
  if (components !== 1 && components !== 3 && components !== 4) {
    throw unsupported(`a JPEG of ${components} colour components is not supported`)
  }
  if (body.length !== 6 + 3 * components) throw broken('the frame header of the JPEG has a wrong length')
  checkCanvas(widthPx, heightPx)
  const factors = Array.from({ length: components }, (_, i) => {
    const factor = body.readUInt8(7 + 3 * i)
    return { h: factor >> 4, v: factor & 15 }
  })
  if (factors.some(({ h, v }) => h < 1 || h > 4 || v < 1 || v > 4))
    throw broken('the JPEG has impossible sampling factors')
  const largest = Math.max(...factors.map(({ h }) => h)) * Math.max(...factors.map(({ v }) => v))
  const samplesPerPixel = factors.reduce((sum, { h, v }) => sum + h * v, 0) / largest
  const quantisation = new Map(factors.map((_, i) => [body.readUInt8(6 + 3 * i), body.readUInt8(8 + 3 * i)]))
  return { isProgressive: marker === 0xc2, widthPx, heightPx, components, samplesPerPixel, quantisation }
}

/** libjpeg holds all coefficients, two bytes each, when a picture is progressive or its first scan lacks a component. */
function checkHeldByDecoder(frame: Frame, scanHeader: Buffer): void {
  if (!frame.isProgressive && scanHeader.readUInt8(0) >= frame.components) return
  checkHeld(frame.widthPx * frame.heightPx * frame.samplesPerPixel * 2, 'a progressive JPEG')
}

interface IccParts {
  parts: Buffer[]
  total: number
  isWhole: boolean
}

/** Parts are numbered from 1 and must come in order (ICC.1:2022 Annex B.4); otherwise the profile is dropped. */
function addIcc(profile: IccParts, body: Buffer): void {
  const number = body[iccPrefix.length]
  const total = body[iccPrefix.length + 1]
  if (profile.parts.length === 0) profile.total = total ?? 0
  profile.isWhole &&= number === profile.parts.length + 1 && total === profile.total
  if (profile.isWhole) profile.parts.push(body.subarray(iccPrefix.length + 2))
}

function iccSegments({ parts, total, isWhole }: IccParts): Buffer[] {
  if (!isWhole || parts.length === 0 || parts.length !== total) return []
  const profile = validIcc(Buffer.concat(parts), maxIccInflatedBytes)
  if (!profile) return []
  const room = maxSegmentBody - iccPrefix.length - 2
  const count = Math.ceil(profile.length / room)
  return Array.from({ length: count }, (_, i) =>
    segment(
      0xe2,
      Buffer.concat([
        Buffer.from(iccPrefix, 'latin1'),
        Buffer.from([i + 1, count]),
        profile.subarray(i * room, (i + 1) * room),
      ]),
    ),
  )
}

/** The density stays; the thumbnail, whose size stands in the last two bytes, goes; of strange versions libjpeg complains. */
function plainJfif(body: Buffer): Buffer {
  const plain = Buffer.from(body.subarray(0, 14))
  plain.writeUInt16BE(0x0102, 5)
  plain.writeUInt16BE(0, 12)
  return segment(0xe0, plain)
}

const startsWith = (body: Buffer, text: string) => body.toString('latin1', 0, text.length) === text
