// Splits a JPEG into its segments and writes segments (ITU-T T.81 Annex B).

import { broken } from '../../refusal.ts'

export interface Segment {
  marker: number
  /** What follows the length field. */
  body: Buffer
  /** Marker, length, body and, for a scan, its entropy-coded data, byte for byte. */
  whole: Buffer
}

/** Real files have at most 100 scans with their tables and 255 segments of a colour profile. */
const maxSegments = 4096

/** The segments between SOI and EOI, in order. @throws {ImageRefused} broken: bytes that are no segment */
export function* segmentsOf(source: Buffer): Generator<Segment> {
  let at = 2
  for (let count = 0; count < maxSegments; count++) {
    at = skipFill(source, at)
    const marker = source.readUInt8(at + 1)
    if (marker === 0xd9) return
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) throw broken('the JPEG has a marker where none may be')
    const length = source.readUInt16BE(at + 2)
    let end = at + 2 + length
    if (length < 2 || end > source.length) throw broken('a segment of the JPEG is longer than the file')
    const body = source.subarray(at + 4, end)
    if (marker === 0xda) end = endOfScan(source, end)
    yield { marker, body, whole: source.subarray(at, end) }
    at = end
  }
  throw broken('the JPEG has too many segments')
}

/** Any number of fill bytes 0xff may precede a marker. */
function skipFill(source: Buffer, from: number): number {
  let at = from
  if (source.readUInt8(at) !== 0xff) throw broken('the JPEG has bytes between its segments')
  while (source.readUInt8(at + 1) === 0xff) at++
  return at
}

/** Stuffed bytes (ff 00) and restart markers belong to the scan; the next other marker ends it. */
function endOfScan(source: Buffer, from: number): number {
  for (let at = source.indexOf(0xff, from); at >= 0 && at + 1 < source.length;) {
    const next = source.readUInt8(at + 1)
    const isInScan = next === 0 || (next >= 0xd0 && next <= 0xd7)
    if (!isInScan && next !== 0xff) return at
    at = source.indexOf(0xff, isInScan ? at + 2 : at + 1)
  }
  throw broken('the JPEG ends before its last scan')
}

/** A segment with its marker and length. */
export function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
