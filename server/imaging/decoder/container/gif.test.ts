import { describe, expect, it } from 'vitest'
import type { ImageRefused } from '../../refusal.ts'
import { decoded } from '../../testing/decoded.ts'
import { animation, gifExtension, gifFrame, handGif, insertAt, photo, secret } from '../../testing/hand-made-images.ts'
import { rewriteGif } from './gif.ts'

const afterScreen = 19
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
