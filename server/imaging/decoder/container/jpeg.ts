// JPEG: what a decoder needs, JFIF, Adobe and the colour profile; a fresh EXIF with the orientation, and nothing else.

import { limits } from '../../../../contract/limits.ts'
import { broken, overLimit, unsupported } from '../../refusal.ts'
import { orientationExif, readOrientation } from './exif.ts'
import { checkHeldByDecoder, type Frame, hasManyScans, readFrame } from './jpeg-frame.ts'
import { addIcc, type IccParts, iccPrefix, iccSegments } from './jpeg-icc.ts'
import { readScanHeader } from './jpeg-scan-header.ts'
import { type Gaps, gapsIn, type Scan, withoutGaps } from './jpeg-scans.ts'
import { segmentsOf } from './jpeg-segments.ts'
import { isTable, JpegTables, segment } from './jpeg-tables.ts'
import type { Rewritten } from './rewritten.ts'
import { atOnce, inTurns } from './steps.ts'

const { maxJpegScans } = limits.image

const soi = Buffer.from([0xff, 0xd8])
const eoi = Buffer.from([0xff, 0xd9])
const frameMarkers = new Set([0xc0, 0xc1, 0xc2]) // baseline, extended sequential, progressive, all Huffman
const exifPrefix = 'Exif\0\0'
/** As encoders write progressive JPEGs. */
const usualScans = 10

/**
 * Restart markers, stuffed bytes and the tables that a scan uses are copied as they are. Of several pictures in one file
 * (MPF, thumbnails) the first remains, and of the scans those that libjpeg reads.
 */
export function rewriteJpeg(source: Buffer): Rewritten {
  let frame: Frame | undefined
  let jfif: Buffer | undefined
  let adobe: Buffer | undefined
  let orientation = 1
  const profile: IccParts = { parts: [], total: 0, isWhole: true }
  const tables = new JpegTables()
  const picture: ((gaps?: Map<Scan, Gaps>) => Buffer | undefined)[] = []
  const scans: Scan[] = []
  let scanCount = 0

  for (const { marker, start, end, body, whole } of segmentsOf(source)) {
    if (isTable(marker)) picture.push(tables.define(marker, body, whole))
    else if (frameMarkers.has(marker)) {
      if (frame) throw broken('the JPEG declares its size twice')
      frame = readFrame(marker, body)
      picture.push(() => whole)
    } else if (marker === 0xda) {
      if (!frame) throw broken('the JPEG has a scan before its size')
      if (++scanCount > maxJpegScans) throw overLimit(`the JPEG has more than ${maxJpegScans} scans`)
      if (scans[0] && !hasManyScans(frame, scans[0].header)) continue
      const header = readScanHeader(body)
      if (scanCount === 1) checkHeldByDecoder(frame, header)
      const scan = { header, tables: tables.use(header, frame), start, data: start + 4 + body.length, end }
      scans.push(scan)
      picture.push((gaps) => withoutGaps(source, scan, gaps?.get(scan)))
    } else if (marker >= 0xe0 && marker <= 0xef) {
      if (scanCount > 0) continue
      if (marker === 0xe0 && startsWith(body, 'JFIF\0') && body.length >= 14) jfif ??= body
      if (marker === 0xee && startsWith(body, 'Adobe') && body.length >= 12) adobe = body
      if (marker === 0xe2 && startsWith(body, iccPrefix)) addIcc(profile, body)
      if (marker === 0xe1 && orientation === 1 && startsWith(body, exifPrefix)) orientation = readOrientation(body)
    } else if (marker !== 0xfe) {
      throw unsupported('this kind of JPEG (lossless, arithmetic or hierarchical) is not supported')
    }
  }
  if (!frame || scanCount === 0) throw broken('the JPEG holds no picture')

  const before = [
    soi,
    ...(jfif ? [plainJfif(jfif)] : []),
    ...(orientation > 1 ? [segment(0xe1, orientationExif(orientation))] : []),
    ...(adobe ? [segment(0xee, adobe.subarray(0, 12))] : []),
    ...iccSegments(profile),
  ]
  const written = (gaps?: Map<Scan, Gaps>) =>
    Buffer.concat([...before, ...picture.flatMap((part) => part(gaps) ?? []), eoi])
  const { widthPx, heightPx } = frame
  // One after the other they cannot be decoded small; scans that add little are cheap, but not for nothing.
  const decodedPixels = widthPx * heightPx * Math.max(1, scans.length / usualScans)
  const plain = { bytes: written(), widthPx, heightPx, frames: 1, orientation, decodedPixels, isLossy: true }
  const without = (gaps: Map<Scan, Gaps>) => (gaps.size > 0 ? { ...plain, bytes: written(gaps) } : undefined)
  const walk = (mustBeWhole: boolean) => gapsIn(source, frame, scans, mustBeWhole)
  return {
    ...plain,
    withoutHidden: async (signal) => without(await inTurns(walk(false), signal)),
    withoutHiddenNow: () => without(atOnce(walk(true))),
  }
}

/** The density stays; the thumbnail, whose size stands in the last two bytes, goes; of strange versions libjpeg complains. */
function plainJfif(body: Buffer): Buffer {
  const plain = Buffer.from(body.subarray(0, 14))
  plain.writeUInt16BE(0x0102, 5)
  plain.writeUInt16BE(0, 12)
  return segment(0xe0, plain)
}

const startsWith = (body: Buffer, text: string) => body.toString('latin1', 0, text.length) === text
