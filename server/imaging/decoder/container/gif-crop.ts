// Crops a frame of a GIF: its image data (LZW, GIF89a specification, appendix F) is decoded and encoded again.

import { broken } from '../../refusal.ts'

export interface GifFrame {
  /** Of the canvas. */
  left: number
  top: number
  widthPx: number
  heightPx: number
  flags: number
  /** Its own colour table; empty when it uses the global one. */
  table: Buffer
  /** Bits of a colour index, then sub-blocks. */
  data: Buffer
}

const [image, interlaced] = [0x2c, 0x40]
const maxCodes = 4096
const maxCodeBits = 12
const maxBlockBytes = 255

/**
 * Returns the frame reduced to `widthPx` x `heightPx` from its upper left corner, not interlaced.
 * Colours stay as they are. @throws {ImageRefused} broken
 */
export function cropFrame(frame: GifFrame, widthPx: number, heightPx: number): Buffer {
  const indexBits = frame.data.readUInt8(0)
  if (indexBits < 1 || indexBits > 8) throw broken('a frame of the GIF has invalid colour indices')
  const pixels = decodeLzw(joinBlocks(frame.data), indexBits, frame.widthPx * frame.heightPx)
  const cropped = new Uint8Array(widthPx * heightPx)
  for (const [stored, y] of rowsOf(frame)) {
    if (y >= heightPx) continue
    const from = stored * frame.widthPx
    cropped.set(pixels.subarray(from, from + widthPx), y * widthPx)
  }
  const head = Buffer.alloc(10)
  head.writeUInt8(image, 0)
  for (const [at, value] of [frame.left, frame.top, widthPx, heightPx].entries()) head.writeUInt16LE(value, 1 + 2 * at)
  head.writeUInt8(frame.flags & ~interlaced, 9)
  return Buffer.concat([head, frame.table, Buffer.from([indexBits]), ...splitBlocks(encodeLzw(cropped, indexBits))])
}

const onePass: [first: number, step: number][] = [[0, 1]]
const interlacedPasses: typeof onePass = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
]

/** Each row as stored, with its position in the image. */
function* rowsOf({ flags, heightPx }: GifFrame): Generator<[stored: number, y: number]> {
  let stored = 0
  for (const [first, step] of flags & interlaced ? interlacedPasses : onePass)
    for (let y = first; y < heightPx; y += step) yield [stored++, y]
}

function joinBlocks(data: Buffer): Buffer {
  const blocks: Buffer[] = []
  for (let at = 1; data.readUInt8(at) > 0; at += 1 + data.readUInt8(at)) {
    blocks.push(data.subarray(at + 1, at + 1 + data.readUInt8(at)))
  }
  return Buffer.concat(blocks)
}

function* splitBlocks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += maxBlockBytes) {
    const block = bytes.subarray(at, at + maxBlockBytes)
    yield Buffer.from([block.length])
    yield block
  }
  yield Buffer.from([0])
}

/** @param count of the pixels; further ones are ignored. @throws {ImageRefused} broken: too few */
function decodeLzw(data: Buffer, indexBits: number, count: number): Uint8Array {
  const clear = 1 << indexBits
  const end = clear + 1
  const prefixes = new Uint16Array(maxCodes)
  const suffixes = new Uint8Array(maxCodes)
  const reversed = new Uint8Array(maxCodes)
  const pixels = new Uint8Array(count)
  let [written, at, bits, bitCount] = [0, 0, 0, 0]
  let [codeBits, next, previous, first] = [indexBits + 1, end + 1, -1, 0]
  while (written < count) {
    while (bitCount < codeBits) {
      if (at >= data.length) throw broken('the GIF ends inside a frame')
      bits |= (data[at++] as number) << bitCount
      bitCount += 8
    }
    const code = bits & ((1 << codeBits) - 1)
    bits >>>= codeBits
    bitCount -= codeBits
    if (code === end) throw broken('the GIF ends inside a frame')
    if (code === clear) {
      codeBits = indexBits + 1
      next = end + 1
      previous = -1
      continue
    }
    if (code > next || (previous === -1 && code > clear)) throw broken('a frame of the GIF has invalid data')
    let length = 0
    let rest = code
    // The code that is being defined by this very occurrence.
    if (code === next) {
      reversed[length++] = first
      rest = previous
    }
    for (; rest > end; rest = prefixes[rest] as number) reversed[length++] = suffixes[rest] as number
    first = rest
    reversed[length++] = first
    if (previous !== -1 && next < maxCodes) {
      prefixes[next] = previous
      suffixes[next] = first
      next++
      if (next === 1 << codeBits && codeBits < maxCodeBits) codeBits++
    }
    previous = code
    while (length > 0 && written < count) pixels[written++] = reversed[--length] as number
  }
  return pixels
}

/** Larger than the number of codes, so that searches are short; a power of two. */
const tableSize = 16_384

function encodeLzw(pixels: Uint8Array, indexBits: number): Buffer {
  const clear = 1 << indexBits
  const end = clear + 1
  // At most one code per pixel, a clear code per table, and the first and the last.
  const bytes = Buffer.alloc(Math.ceil(((pixels.length + pixels.length / 2048 + 4) * maxCodeBits) / 8))
  // A hash table of strings: a code and the pixel after it, plus one, because 0 means empty.
  const keys = new Int32Array(tableSize)
  const codes = new Uint16Array(tableSize)
  let [length, bits, bitCount, codeBits, next] = [0, 0, 0, indexBits + 1, end + 1]
  const write = (code: number) => {
    bits |= code << bitCount
    for (bitCount += codeBits; bitCount >= 8; bitCount -= 8) {
      bytes[length++] = bits & 0xff
      bits >>>= 8
    }
  }
  write(clear)
  let current = pixels[0] as number
  for (let at = 1; at < pixels.length; at++) {
    const pixel = pixels[at] as number
    const key = ((current << 8) | pixel) + 1
    let slot = Math.imul(key, 0x9e3779b1) >>> 18
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) % tableSize
    if (keys[slot] === key) {
      current = codes[slot] as number
      continue
    }
    write(current)
    current = pixel
    if (next === maxCodes) {
      write(clear)
      keys.fill(0)
      codeBits = indexBits + 1
      next = end + 1
      continue
    }
    keys[slot] = key
    codes[slot] = next++
    // The decoder defines this code one code later.
    if (next > 1 << codeBits && codeBits < maxCodeBits) codeBits++
  }
  write(current)
  next++
  if (next > 1 << codeBits && codeBits < maxCodeBits) codeBits++
  write(end)
  if (bitCount > 0) bytes[length++] = bits & 0xff
  return bytes.subarray(0, length)
}
