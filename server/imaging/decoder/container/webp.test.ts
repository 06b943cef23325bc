import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { ImageRefused } from '../../refusal.ts'
import { decoded } from '../../testing/decoded.ts'
import {
  animation,
  handWebp,
  iccProfile,
  photo,
  secret,
  tiffWithSecrets,
  webp,
  webpAnim,
  webpBitstream,
  webpFrame,
  webpTypes,
} from '../../testing/hand-made-images.ts'
import { rewriteWebp } from './webp.ts'

const flags = { icc: 0x20, alpha: 0x10, exif: 0x08, xmp: 0x04, animation: 0x02 }
const small = await photo(16, 16).webp().toBuffer()
const frame = webpFrame(webpBitstream(small), 16, 16)

describe('pixels are preserved', () => {
  const sources: Record<string, () => Promise<Buffer> | Buffer> = {
    lossy: () => photo().webp().toBuffer(),
    lossless: () => photo().webp({ lossless: true }).toBuffer(),
    'lossy with alpha': () => photo(120, 80, 4).webp().toBuffer(),
    'lossless with alpha': () => photo(120, 80, 4).webp({ lossless: true }).toBuffer(),
    animated: () => animation('webp'),
    'animated, opaque frames on a bare canvas': () =>
      handWebp(flags.animation | flags.alpha, 40, 40, [
        webpAnim,
        frame,
        webpFrame(webpBitstream(small), 16, 16, 20, 20),
      ]),
    'animated, one frame': () => handWebp(flags.animation, 16, 16, [webpAnim, frame]),
    'opaque but flagged as transparent': () => handWebp(flags.alpha, 16, 16, [webpBitstream(small)]),
  }
  it.each(Object.entries(sources))('%s', async (_name, make) => {
    const source = await make()
    const { bytes } = rewriteWebp(source)
    expect(await decoded(bytes)).toEqual(await decoded(source))
  })
})

describe('metadata is removed', () => {
  it('of every kind, around and inside frames', async () => {
    const noise = [webp('XMP ', secret), webp('prVt', secret), webp('EXIF', tiffWithSecrets(1))]
    const noisyFrame = webpFrame(Buffer.concat([webpBitstream(small), webp('prVt', secret)]), 16, 16)
    const still = handWebp(flags.xmp | flags.exif, 16, 16, [...noise, webpBitstream(small), ...noise])
    const animated = handWebp(flags.animation | flags.xmp, 16, 16, [webpAnim, ...noise, noisyFrame, ...noise])
    for (const source of [still, animated]) {
      const { bytes } = rewriteWebp(Buffer.concat([source, Buffer.from(secret)]))
      expect(bytes.includes('SECRET')).toBe(false)
      expect(await decoded(bytes)).toEqual(await decoded(source))
    }
    expect(webpTypes(rewriteWebp(still).bytes)).toEqual(['VP8 '])
    expect(webpTypes(rewriteWebp(animated).bytes)).toEqual(['VP8X', 'ANIM', 'ANMF'])
  })

  it.each([2, 3, 4, 5, 6, 7, 8])('except orientation %i', async (orientation) => {
    const source = handWebp(flags.exif, 16, 16, [webpBitstream(small), webp('EXIF', tiffWithSecrets(orientation))])
    const { bytes } = rewriteWebp(source)
    expect((await sharp(bytes).metadata()).orientation).toBe(orientation)
    expect(bytes.includes('SECRET')).toBe(false)
    expect(webpTypes(bytes)).toEqual(['VP8X', 'VP8 ', 'EXIF'])
  })

  it('the orientation of an animation is removed too', () => {
    const source = handWebp(flags.animation | flags.exif, 16, 16, [
      webpAnim,
      frame,
      frame,
      webp('EXIF', tiffWithSecrets(6)),
    ])
    expect(rewriteWebp(source)).toMatchObject({ orientation: 1, frames: 2 })
    expect(webpTypes(rewriteWebp(source).bytes)).toEqual(['VP8X', 'ANIM', 'ANMF', 'ANMF'])
  })

  it('a valid colour profile is preserved', async () => {
    const profile = await iccProfile()
    const kept = async (icc: Buffer) =>
      (
        await sharp(
          rewriteWebp(handWebp(flags.icc, 16, 16, [webp('ICCP', icc), webpBitstream(small)])).bytes,
        ).metadata()
      ).icc
    expect(await kept(Buffer.concat([profile, Buffer.from(secret)]))).toEqual(profile)
    expect(await kept(Buffer.from(secret.repeat(20)))).toBeUndefined()
    expect(await kept(Buffer.concat([profile, Buffer.alloc(70_000)]))).toEqual(profile)
  })
})

describe('framesAlone returns each frame as a file of its own', () => {
  it.each([
    ['lossy', 3, {}],
    ['lossy with alpha', 4, {}],
    ['lossless with alpha', 4, { lossless: true }],
  ] as const)('with the same pixels: %s', async (_name, channels, options) => {
    const still = await photo(120, 80, channels).webp(options).toBuffer()
    const frames = [frame, webpFrame(webpBitstream(still), 120, 80, 2, 4)]
    const file = handWebp(flags.animation | flags.alpha, 130, 90, [webpAnim, ...frames])
    const [first, second] = rewriteWebp(file).framesAlone?.() ?? []
    expect(await decoded(first as Buffer)).toEqual(await decoded(small))
    expect(await decoded(second as Buffer)).toEqual(await decoded(still))
  })
})

describe('refuses', () => {
  const many = (count: number) => Array.from({ length: count }, () => frame)
  const cases: [string, ImageRefused['reason'], () => Buffer][] = [
    ['5000 frames', 'over_limit', () => handWebp(flags.animation, 16, 16, [webpAnim, ...many(5000)])],
    ['100 megapixels in all frames', 'over_limit', () => handWebp(flags.animation, 7000, 7000, [webpAnim, ...many(3)])],
    ['a canvas over 16383', 'over_limit', () => handWebp(flags.animation, 16_384, 16, [webpAnim, frame])],
    [
      'a frame outside of the canvas',
      'broken',
      () => handWebp(flags.animation, 16, 16, [webpAnim, webpFrame(webpBitstream(small), 16, 16, 2, 0)]),
    ],
    [
      'a frame of two sizes',
      'broken',
      () => handWebp(flags.animation, 64, 64, [webpAnim, webpFrame(webpBitstream(small), 32, 32)]),
    ],
    [
      'an empty frame',
      'broken',
      () => handWebp(flags.animation, 16, 16, [webpAnim, webpFrame(Buffer.alloc(0), 16, 16)]),
    ],
    ['frames without ANIM', 'broken', () => handWebp(flags.animation, 16, 16, [frame])],
    ['frames without a canvas', 'broken', () => Buffer.concat([small.subarray(0, 12), frame])],
    ['another size than the canvas', 'broken', () => handWebp(0, 17, 16, [webpBitstream(small)])],
    ['no picture', 'broken', () => handWebp(0, 16, 16, [])],
    ['a declared size beyond the file', 'broken', () => small.subarray(0, -2)],
    ['a chunk beyond its list', 'broken', () => handWebp(0, 16, 16, [Buffer.from('VP8 \xff\xff\xff\0', 'latin1')])],
  ]
  it.each(cases)('%s', (_name, reason, make) => {
    const source = make()
    if (!source.includes('VP8X')) source.writeUInt32LE(Math.max(source.length - 8, source.readUInt32LE(4)), 4)
    expect(() => rewriteWebp(source)).toThrow(expect.objectContaining({ name: 'ImageRefused', reason }))
  })
})
