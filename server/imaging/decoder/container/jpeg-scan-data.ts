// How each kind of scan codes its blocks (ITU-T T.81 Annexes F and G): followed by the lengths of codes, never by their values. Where
// libjpeg goes on without a complaint, this goes on in the same way.

import type { ScanBits } from './jpeg-bits.ts'
import type { Codes } from './jpeg-codes.ts'

/** Which coefficients of a component's blocks are not zero: two words for each block, a bit for each coefficient in its order. */
export type NonZero = Int32Array

/** Passes so many units of a scan: MCUs, or blocks where a scan has one component. Stops where the data does. */
export type Pass = (bits: ScanBits, count: number) => void

/** Sequential: the blocks of an MCU, one after the other, with all their coefficients. */
export const sequential =
  (blocks: readonly { dc: Codes; ac: Codes }[]): Pass =>
  (bits, count) => {
    for (let mcu = 0; mcu < count && !bits.isOver; mcu++) {
      for (const { dc, ac } of blocks) {
        bits.symbolAndValue(dc)
        for (let k = 1; k < 64;) {
          const symbol = bits.symbolAndValue(ac)
          // A run and its coefficient; sixteen zeros; or the end of the block.
          k += (symbol & 15) !== 0 || symbol === 0xf0 ? (symbol >> 4) + 1 : 64
        }
      }
    }
  }

/** The first bits of each block's mean. */
export const dcFirst =
  (blocks: readonly Codes[]): Pass =>
  (bits, count) => {
    for (let mcu = 0; mcu < count && !bits.isOver; mcu++) for (const dc of blocks) bits.symbolAndValue(dc)
  }

/** One bit more of each. */
export const dcRefined =
  (blocksInMcu: number): Pass =>
  (bits, count) => {
    for (let mcu = 0; mcu < count && !bits.isOver; mcu++) bits.skip(blocksInMcu)
  }

export interface Band {
  codes: Codes
  nonZero: NonZero
  /** The coefficients `first` to `last`, from 1 to 63, and the bits that are left to later scans. */
  first: number
  last: number
  leftBits: number
}

/** Where a scan of one band is: its block, and how many blocks follow that have nothing more in it. */
export interface BandPlace {
  block: number
  empty: number
}

/** The first bits of a band. */
export const acFirst =
  ({ codes, nonZero, first, last, leftBits }: Band, place: BandPlace): Pass =>
  (bits, count) => {
    const end = place.block + count
    while (place.block < end && !bits.isOver) {
      const passed = Math.min(place.empty, end - place.block)
      place.block += passed
      place.empty -= passed
      if (place.block === end) return
      for (let k = first; k <= last; k++) {
        const symbol = bits.symbol(codes)
        const run = symbol >> 4
        const size = symbol & 15
        if (size === 0 && run < 15) {
          place.empty = (1 << run) + bits.take(run) - 1
          break
        }
        k += run
        if (size > 0 && survives(bits.take(size), size, leftBits)) mark(nonZero, place.block, k)
      }
      place.block++
    }
  }

/** A value that is moved up by more bits than a coefficient has is none: only a hostile file has those. */
function survives(value: number, size: number, leftBits: number): boolean {
  const signed = value < 1 << (size - 1) ? value - (1 << size) + 1 : value
  return ((signed << leftBits) & 0xffff) !== 0
}

/** One bit more of a band: a bit for each coefficient that is there, and codes for those that come to them. */
export const acRefined =
  ({ codes, nonZero, first, last }: Band, place: BandPlace): Pass =>
  (bits, count) => {
    for (const end = place.block + count; place.block < end && !bits.isOver; place.block++) {
      let k = first
      for (; place.empty === 0 && k <= last; k++) {
        const symbol = bits.symbol(codes)
        const run = symbol >> 4
        const size = symbol & 15
        if (size === 0 && run < 15) {
          place.empty = (1 << run) + bits.take(run)
          break
        }
        const from = k
        k = zeroBehind(nonZero, place.block, from, last, run)
        // A sign, and the bit of each coefficient on the way.
        bits.skip((size > 0 ? 1 : 0) + marked(nonZero, place.block, from, k - 1))
        if (size > 0) mark(nonZero, place.block, k)
      }
      if (place.empty === 0) continue
      bits.skip(marked(nonZero, place.block, k, last))
      place.empty--
    }
  }

/** The place of the zero that stands behind `run` zeros, or behind the band when it has not so many. */
function zeroBehind(nonZero: NonZero, block: number, from: number, last: number, run: number): number {
  let left = run
  for (let word = 0; word < 2; word++) {
    let zeros = ~(nonZero[2 * block + word] as number) & between(from - 32 * word, last - 32 * word)
    for (; zeros !== 0; zeros &= zeros - 1) if (left-- === 0) return 32 * word + 31 - Math.clz32(zeros & -zeros)
  }
  return last + 1
}

/** A run that leads out of the block ends at its last coefficient. */
function mark(nonZero: NonZero, block: number, k: number): void {
  const at = Math.min(k, 63)
  const word = 2 * block + (at >> 5)
  nonZero[word] = (nonZero[word] as number) | (1 << (at & 31))
}

/** How many of the coefficients `from` to `to` are there. */
const marked = (nonZero: NonZero, block: number, from: number, to: number) =>
  ones((nonZero[2 * block] as number) & between(from, to)) +
  ones((nonZero[2 * block + 1] as number) & between(from - 32, to - 32))

/** A word with its bits `from` to `to` set, as far as it has them. */
const between = (from: number, to: number) =>
  to < 0 || from > 31 ? 0 : (-1 << Math.max(from, 0)) & (-1 >>> (31 - Math.min(to, 31)))

/** Counted for pairs of bits, for fours, for bytes, and summed up in the highest byte. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}
