// The compressed pixels of a GIF frame. A decoder stops at the last pixel or at the end code; what stands in the sub-blocks
// behind it is nobody's.

/** Codes have at most 12 bits (GIF89a specification, appendix F). */
const maxCodes = 4096

/**
 * The bytes of the LZW stream that are read until the frame is full and its end code has been seen. All of them where the
 * stream is not understood: the decoder will say what it thinks of it. Follows the lengths of strings, never their colours.
 */
export function usedBytes(data: Buffer, minCodeSize: number, pixels: number): number {
  if (minCodeSize < 1 || minCodeSize > 11) return data.length
  const clear = 1 << minCodeSize
  const end = clear + 1
  const lengths = new Uint32Array(maxCodes).fill(1, 0, clear)
  let next = end + 1
  let width = minCodeSize + 1
  let previous = -1
  let drawn = 0
  let bits = 0
  let held = 0
  let at = 0

  for (;;) {
    while (held < width) {
      if (at >= data.length) return data.length
      bits |= (data[at++] as number) << held
      held += 8
    }
    const code = bits & ((1 << width) - 1)
    bits >>>= width
    held -= width
    if (code === end) return at
    // Full, and no end code follows: this byte is the last that anybody looks at.
    if (drawn >= pixels) return at
    if (code === clear) {
      next = end + 1
      width = minCodeSize + 1
      previous = -1
      continue
    }
    if (code > next || (code === next && previous < 0)) return data.length
    const length = code === next ? (lengths[previous] as number) + 1 : (lengths[code] as number)
    drawn += length
    if (previous >= 0 && next < maxCodes) {
      lengths[next++] = (lengths[previous] as number) + 1
      if (next === 1 << width && width < 12) width++
    }
    previous = code
  }
}

/**
 * Sub-blocks as one stream, copied one by one: an object for each would be 100 bytes for a block that can hold one.
 * @param from the first of them. @param to behind their terminator
 */
export function joined(source: Buffer, from: number, to: number): Buffer {
  const data = Buffer.alloc(to - from)
  let length = 0
  for (let at = from; at < to - 1; at += 1 + source.readUInt8(at))
    length += source.copy(data, length, at + 1, at + 1 + source.readUInt8(at))
  return data.subarray(0, length)
}

/** A stream as sub-blocks of 255 bytes and a terminator. */
export function subBlocks(data: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255)
    parts.push(Buffer.from([part.length]), part)
  }
  return Buffer.concat([...parts, Buffer.from([0])])
}
