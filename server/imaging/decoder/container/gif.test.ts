import { describe, expect, it } from 'vitest'
import sharp, { type Sharp } from 'sharp'
import type { ImageRefused } from '../../refusal.ts'
import { decoded } from '../../testing/decoded.ts'
import { animation, gifExtension, gifFrame, handGif, insertAt, photo, secret } from '../../testing/hand-made-images.ts'
import { rewriteGif } from './gif.ts'

const afterScreen = 19
/** Compresses badly: every palette colour at every pixel. */
function noise(width: number, height: number): Sharp {
  const data = Buffer.alloc(width * height * 3)
  let state = 1
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    data[at] = state >>> 16
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
}
const loop = (count: number) => gifExtension(0xff, 'NETSCAPE2.0', Buffer.from([1, count, 0]))
const control = (delay: number) => gifExtension(0xf9, Buffer.from([4, delay, 0, 0]))

describe('pixels are preserved', () => {
  const sources: Record<string, () => Promise<Buffer> | Buffer> = {
    still: () => photo().gif().toBuffer(),
    transparent: () => photo(120, 80, 4).gif().toBuffer(),
    'animated, delays and loop': () => animation('gif'),
    'without trailer': () => handGif(1, 1, 1).subarray(0, -1),
    'loop block behind a frame': () => insertAt(handGif(1, 1, 2), afterScreen, control(7), gifFrame(), loop(2)),
  }
  it.each(Object.entries(sources))('%s', async (_name, make) => {
    const source = await make()
    const { bytes } = rewriteGif(source)
    expect(await decoded(bytes)).toEqual(await decoded(source))
  })

  it('a file without metadata is copied byte for byte', async () => {
    const source = insertAt(handGif(1, 1, 2), afterScreen, loop(3), control(9))
    expect(rewriteGif(source).bytes.equals(source)).toBe(true)
  })
})

describe('metadata is removed', () => {
  it('of every kind, between frames and after the trailer', async () => {
    const noise = [
      gifExtension(0xfe, secret, secret),
      gifExtension(0xff, 'XMP DataXMP', secret),
      gifExtension(0xff, 'NETSCAPE2.0', Buffer.from([2, 0, 0, 0, 0]), secret),
      control(5),
      gifExtension(0x01, Buffer.alloc(12), secret),
      gifExtension(0x77, secret),
    ]
    const source = insertAt(handGif(1, 1, 2), afterScreen, ...noise, control(9), gifFrame(), ...noise)
    const { bytes, frames } = rewriteGif(Buffer.concat([source, Buffer.from(secret)]))
    expect(bytes.includes('SECRET')).toBe(false)
    expect(frames).toBe(3)
    expect(bytes).toEqual(insertAt(handGif(1, 1, 2), afterScreen, control(9), gifFrame()))
  })
})

describe('a global colour table', () => {
  const hiding = Buffer.from(handGif(2, 1, 0))
  hiding.write('SECRET', 13, 'latin1')
  hiding.writeUInt8(1, 11) // the background is the second colour
  const own = gifFrame()
  own.writeUInt8(0x80, 9)
  const withOwn = insertAt(own, 10, Buffer.from([1, 2, 3, 4, 5, 6]))

  it('that no frame uses is blanked except for the background', async () => {
    const source = insertAt(hiding, afterScreen, withOwn)
    const { bytes } = rewriteGif(source)
    expect(bytes.toString('latin1', 13, afterScreen)).toBe('\0\0\0RET')
    expect(bytes.length).toBe(source.length)
    expect(await decoded(bytes)).toEqual(await decoded(source))
  })

  it('preserves its first colour when the background is not in it, since decoders then use that', () => {
    const outside = Buffer.from(insertAt(hiding, afterScreen, withOwn))
    outside.writeUInt8(200, 11)
    expect(rewriteGif(outside).bytes.toString('latin1', 13, afterScreen)).toBe('SEC\0\0\0')
  })

  it('that any frame uses is preserved', () => {
    const source = insertAt(hiding, afterScreen, withOwn, gifFrame())
    expect(rewriteGif(source).bytes.equals(source)).toBe(true)
  })
})

describe('a frame that reaches outside of the canvas', () => {
  /** Reduces the canvas of a GIF, or moves its only frame. */
  const changed = (gif: Buffer, { canvas, offset }: { canvas?: [number, number]; offset?: [number, number] }) => {
    const copy = Buffer.from(gif)
    const tableBytes = 3 * 2 ** ((copy.readUInt8(10) & 7) + 1)
    const frameAt = copy.indexOf(Buffer.from([0x2c, 0, 0, 0, 0]), 13 + (copy.readUInt8(10) & 0x80 ? tableBytes : 0))
    for (const [at, value] of (canvas ?? []).entries()) copy.writeUInt16LE(value, 6 + 2 * at)
    for (const [at, value] of (offset ?? []).entries()) copy.writeUInt16LE(value, frameAt + 1 + 2 * at)
    return copy
  }
  const pixelsOf = (file: Buffer, left: number, top: number, width: number, height: number) =>
    sharp(file).extract({ left, top, width, height }).ensureAlpha().raw().toBuffer()

  it.each<[string, () => Promise<Buffer>, [number, number]]>([
    ['a photograph', () => photo(300, 200).gif().toBuffer(), [211, 97]],
    ['an interlaced photograph', () => photo(300, 200).gif({ progressive: true }).toBuffer(), [211, 97]],
    ['two colours', () => photo(300, 200).gif({ colours: 2 }).toBuffer(), [299, 200]],
    ['an image of one pixel', () => photo(64, 64).gif().toBuffer(), [1, 1]],
    ['noise that fills the code table many times', () => noise(400, 300).gif().toBuffer(), [399, 299]],
  ])('is cropped to the pixels inside: %s', async (_, make, [width, height]) => {
    const source = await make()
    const { bytes, ...rewritten } = rewriteGif(changed(source, { canvas: [width, height] }))
    expect(rewritten).toMatchObject({ widthPx: width, heightPx: height, frames: 1 })
    expect((await pixelsOf(bytes, 0, 0, width, height)).equals(await pixelsOf(source, 0, 0, width, height))).toBe(true)
    expect(rewriteGif(bytes).bytes.equals(bytes)).toBe(true)
  })

  it('keeps its place when it does not begin at the corner', async () => {
    const source = await photo(80, 60).gif().toBuffer()
    const { bytes } = rewriteGif(changed(source, { offset: [30, 20] }))
    expect((await pixelsOf(bytes, 30, 20, 50, 40)).equals(await pixelsOf(source, 0, 0, 50, 40))).toBe(true)
  })

  it('is accepted as a later frame of an animation', async () => {
    const source = Buffer.concat([handGif(4, 4, 1).subarray(0, -1), gifFrame(3, 3, 2, 1), Buffer.from([0x3b])])
    // Two pixels of colour 0: clear, 0, 0, end in codes of three bits.
    source.set([2, 2, 0b00000100, 0b00001010], source.length - 6)
    const { bytes, frames } = rewriteGif(source)
    expect(frames).toBe(2)
    expect(await decoded(bytes)).toMatchObject({ widthPx: 4, heightPx: 8, pages: 2 })
  })

  it.each<[string, number[]]>([
    ['too few pixels', [2, 1, 0x2c, 0]],
    ['no code table', [9, 1, 0, 0]],
    ['a code that is not defined', [2, 1, 0b00111100, 0]],
    ['no data', [2, 0]],
  ])('is refused with %s', (_, data) => {
    const frame = Buffer.concat([gifFrame(0, 0, 9, 9).subarray(0, 10), Buffer.from(data)])
    const source = handGif(2, 2, 0, [frame])
    expect(() => rewriteGif(source)).toThrow(expect.objectContaining({ name: 'ImageRefused', reason: 'broken' }))
  })

  it('is over the limit with more than 50 megapixels, before its data are decoded', () => {
    const frame = gifFrame()
    frame.writeUInt16LE(16_001, 5)
    frame.writeUInt16LE(3126, 7)
    expect(() => rewriteGif(handGif(2, 2, 0, [frame]))).toThrow(expect.objectContaining({ reason: 'over_limit' }))
  })
})

describe('refuses', () => {
  const cases: [string, ImageRefused['reason'], () => Buffer][] = [
    ['5000 frames', 'over_limit', () => handGif(16, 16, 5000)],
    ['100 megapixels in all frames', 'over_limit', () => handGif(7000, 7000, 3)],
    ['a screen of 65535 x 65535 around one pixel', 'over_limit', () => handGif(65_535, 65_535, 1)],
    ['no width', 'broken', () => handGif(0, 1, 1)],
    ['no frame', 'broken', () => handGif(1, 1, 0)],
    ['an empty frame', 'broken', () => handGif(1, 1, 0, [gifFrame(0, 0, 0, 1)])],
    ['a frame outside of the screen', 'broken', () => handGif(2, 2, 0, [gifFrame(2, 0)])],
    ['an animation without trailer', 'broken', () => handGif(1, 1, 2).subarray(0, -1)],
    ['a loop without trailer', 'broken', () => handGif(1, 1, 1, [loop(0)]).subarray(0, -1)],
    ['a block of no kind', 'broken', () => handGif(1, 1, 1, [Buffer.from([0x99])])],
    ['a block without end', 'broken', () => handGif(1, 1, 1).subarray(0, -2)],
    ['a colour table without end', 'broken', () => handGif(1, 1, 1).subarray(0, 15)],
  ]
  it.each(cases)('%s', (_name, reason, make) => {
    const source = make()
    expect(() => rewriteGif(source)).toThrow(expect.objectContaining({ name: 'ImageRefused', reason }))
  })
})
