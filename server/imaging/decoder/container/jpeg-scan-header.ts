// The header of a JPEG's scan: what it codes, and with which tables (ITU-T T.81 B.2.3).

import { broken } from '../../refusal.ts'

export interface ScanHeader {
  /** By the names of the frame's components; the numbers of their Huffman tables. */
  components: { name: number; dc: number; ac: number }[]
  /** The coefficients that it codes. */
  first: number
  last: number
  /** Of a progressive scan: the place above which bits are known already, 0 when none are; and the bits left to later scans. */
  knownBits: number
  leftBits: number
}

/** @throws {ImageRefused} broken */
export function readScanHeader(body: Buffer): ScanHeader {
  const count = body.readUInt8(0)
  if (body.length !== 4 + 2 * count) throw broken('a scan of the JPEG has a header of a wrong length')
  const components = Array.from({ length: count }, (_, i) => {
    const tables = body.readUInt8(2 + 2 * i)
    return { name: body.readUInt8(1 + 2 * i), dc: tables >> 4, ac: tables & 15 }
  })
  const bits = body.readUInt8(3 + 2 * count)
  const [first, last] = [body.readUInt8(1 + 2 * count), body.readUInt8(2 + 2 * count)]
  return { components, first, last, knownBits: bits >> 4, leftBits: bits & 15 }
}
