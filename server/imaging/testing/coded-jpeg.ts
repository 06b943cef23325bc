// JPEGs coded by hand, of noise: in every sampling and order of blocks, with restart markers, and with bytes hidden behind any block
// that ends an interval. No encoder at hand writes those.

import { standardTables } from '../decoder/container/jpeg-standard-tables.ts'
import { jpegSegment } from './hand-made-images.ts'

export interface CodedJpeg {
  widthPx: number
  heightPx: number
  /** A byte of sampling factors for each component. */
  factors: readonly number[]
  /** In MCUs. */
  restartEvery?: number
  /** A scan for each component. */
  isSeparate?: boolean
  hasTables?: boolean
  /** What stands behind the last block of each interval, before the marker. */
  hidden?: Buffer
}

export function codedJpeg(options: CodedJpeg): Buffer {
  const { widthPx, heightPx, factors, isSeparate = false, hasTables = true, restartEvery = 0 } = options
  const size = Buffer.from([8, heightPx >> 8, heightPx & 255, widthPx >> 8, widthPx & 255, factors.length])
  const all = factors.map((_, i) => i)
  const random = randomFrom(widthPx * 7919 + heightPx)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 4)])),
    jpegSegment(0xc1, Buffer.concat([size, ...factors.map((byte, i) => Buffer.from([i + 1, byte, 0]))])),
    ...(hasTables ? [...standardTables.values()].map((table) => jpegSegment(0xc4, table)) : []),
    ...(restartEvery ? [jpegSegment(0xdd, Buffer.from([restartEvery >> 8, restartEvery & 255]))] : []),
    ...(isSeparate ? all.map((i) => scan(options, [i], random)) : [scan(options, all, random)]),
    Buffer.from([0xff, 0xd9]),
  ])
}

type Random = (below: number) => number

function randomFrom(seed: number): Random {
  let state = seed
  return (below) => ((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 8) % below
}

/** Components after the first are coded by the tables 1. */
function scan(options: CodedJpeg, components: readonly number[], random: Random): Buffer {
  const { factors, restartEvery = 0, hidden = Buffer.alloc(0) } = options
  const header = components.flatMap((i) => [i + 1, i === 0 ? 0 : 0x11])
  const blocks = components.flatMap((i) => Array<number>(components.length === 1 ? 1 : area(factors[i])).fill(i))
  const parts = [jpegSegment(0xda, Buffer.from([components.length, ...header, 0, 63, 0]))]
  const mcus = mcusOf(options, components)
  const interval = restartEvery || mcus
  for (let done = 0; done < mcus; done += interval) {
    if (done > 0) parts.push(Buffer.from([0xff, 0xd0 + ((done / interval - 1) & 7)]))
    let bits = ''
    for (let mcu = done; mcu < Math.min(done + interval, mcus); mcu++) {
      for (const i of blocks) bits += block(i === 0 ? 0 : 1, random)
    }
    parts.push(stuffed(bits), hidden)
  }
  return Buffer.concat(parts)
}

const area = (factor = 0) => (factor >> 4) * (factor & 15)

function mcusOf({ widthPx, heightPx, factors }: CodedJpeg, components: readonly number[]): number {
  const [h, v] = [Math.max(...factors.map((byte) => byte >> 4)), Math.max(...factors.map((byte) => byte & 15))]
  const own = components.length === 1 ? (factors[components[0] ?? 0] ?? 0x11) : 0x11
  const [across, down] = components.length === 1 ? [own >> 4, own & 15] : [1, 1]
  return Math.ceil((widthPx * across) / (8 * h)) * Math.ceil((heightPx * down) / (8 * v))
}

function block(table: number, random: Random): string {
  let bits = coded(`huffman ${table}`, random(4), random)
  let k = 1
  while (k < 64 && random(10) > 0) {
    const run = random(20) === 0 ? 15 : random(4)
    const size = run === 15 ? random(2) : 1 + random(10)
    if (k + run > 63) break
    bits += coded(`huffman ${16 + table}`, (run << 4) | size, random)
    k += run + 1
  }
  return k < 64 ? bits + coded(`huffman ${16 + table}`, 0, random) : bits
}

/** The code of a symbol, and a value of the bits that it announces. */
function coded(table: string, symbol: number, random: Random): string {
  const size = symbol & 15
  return (
    codeOf(table, symbol) +
    (size > 0
      ? random(1 << size)
          .toString(2)
          .padStart(size, '0')
      : '')
  )
}

function codeOf(name: string, symbol: number): string {
  const table = standardTables.get(name) ?? Buffer.alloc(17)
  const index = table.indexOf(symbol, 17) - 17
  let [code, first] = [0, 0]
  for (let length = 1; length <= 16; length++) {
    const count = table.readUInt8(length)
    if (index < first + count) return (code + index - first).toString(2).padStart(length, '0')
    first += count
    code = (code + count) << 1
  }
  throw new Error(`there is no code for ${symbol}`)
}

function stuffed(bits: string): Buffer {
  const bytes: number[] = []
  for (let i = 0; i < bits.length; i += 8) {
    const byte = parseInt(bits.slice(i, i + 8).padEnd(8, '1'), 2)
    bytes.push(byte, ...(byte === 0xff ? [0] : []))
  }
  return Buffer.from(bytes)
}
