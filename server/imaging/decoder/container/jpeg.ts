// Rewrites a JPEG from the segments that a decoder needs: tables, frame, scans, JFIF, Adobe and the colour profile, and a new EXIF
// segment that holds nothing but the orientation.

import { limits } from '../../../../contract/plain/limits.ts'
import { broken, overLimit, unsupported } from '../../refusal.ts'
import { orientationExif, readOrientation } from './exif.ts'
import { checkHeldByDecoder, type Frame, hasManyScans, readFrame, scanComponents } from './jpeg-frame.ts'
import { addIcc, type IccParts, iccPrefix, iccSegments } from './jpeg-icc.ts'
import { segment, segmentsOf } from './jpeg-segments.ts'
import type { RewrittenImage } from './rewritten.ts'

const { maxJpegScans } = limits.image

const soi = Buffer.from([0xff, 0xd8])
const eoi = Buffer.from([0xff, 0xd9])
const sos = 0xda
const frameMarkers = new Set([0xc0, 0xc1, 0xc2]) // baseline, extended sequential, progressive, all Huffman
const tableMarkers = new Set([0xc4, 0xdb, 0xdd]) // DHT, DQT, DRI
const exifPrefix = 'Exif\0\0'
/** The number of scans that encoders commonly write into a progressive JPEG. */
const usualScans = 10

/**
 * Copies tables and scans byte for byte, restart markers and stuffed bytes included (docs/decisions/0026). Of several images in
 * one file (MPF, thumbnails) the first remains, and of the scans those that libjpeg reads.
 */
export function rewriteJpeg(source: Buffer): RewrittenImage {
  let frame: Frame | undefined
  let jfif: Buffer | undefined
  let adobe: Buffer | undefined
  let orientation = 1
  const profile: IccParts = { parts: [], total: 0, isWhole: true }
  const image: Buffer[] = []
  /** Tables that no scan has followed yet: behind the last scan they are dropped. */
  let tables: Buffer[] = []
  let scans = 0
  let decodedScans = 0
  let isMultiScan = false

  for (const { marker, body, whole } of segmentsOf(source)) {
    if (tableMarkers.has(marker)) tables.push(whole)
    else if (frameMarkers.has(marker)) {
      if (frame) throw broken('the JPEG declares its size twice')
      frame = readFrame(marker, body)
      image.push(...tables, whole)
      tables = []
    } else if (marker === sos) {
      if (!frame) throw broken('the JPEG has a scan before its size')
      if (++scans > maxJpegScans) throw overLimit(`the JPEG has more than ${maxJpegScans} scans`)
      const components = scanComponents(body)
      if (scans === 1) {
        isMultiScan = hasManyScans(frame, components)
        if (isMultiScan) checkHeldByDecoder(frame)
      } else if (!isMultiScan) continue
      decodedScans++
      image.push(...tables, whole)
      tables = []
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
  if (!frame || scans === 0) throw broken('the JPEG has no image data')

  const bytes = Buffer.concat([
    soi,
    ...(jfif ? [plainJfif(jfif)] : []),
    ...(orientation > 1 ? [segment(0xe1, orientationExif(orientation))] : []),
    ...(adobe ? [segment(0xee, adobe.subarray(0, 12))] : []),
    ...iccSegments(profile),
    ...image,
    eoi,
  ])
  const { widthPx, heightPx } = frame
  // libjpeg decodes every scan of a multi-scan JPEG at full size, whatever size is asked for.
  const decodedPixels = widthPx * heightPx * Math.max(1, decodedScans / usualScans)
  return { bytes, widthPx, heightPx, frames: 1, orientation, decodedPixels, isLossy: true }
}

/** Keeps the density, drops the thumbnail (its size is in the last two bytes) and sets version 1.2: libjpeg warns about others. */
function plainJfif(body: Buffer): Buffer {
  const plain = Buffer.from(body.subarray(0, 14))
  plain.writeUInt16BE(0x0102, 5)
  plain.writeUInt16BE(0, 12)
  return segment(0xe0, plain)
}

const startsWith = (body: Buffer, text: string) => body.toString('latin1', 0, text.length) === text
