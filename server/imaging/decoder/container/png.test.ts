import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { ImageRefused } from '../../refusal.ts'
import { decoded } from '../../testing/decoded.ts'
import {
  afterIhdr,
  handPng,
  iccProfile,
  insertAt,
  photo,
  png,
  pngTypes,
  secret,
  tiffWithSecrets,
} from '../../testing/hand-made-images.ts'
import { rewritePng } from './png.ts'

const palette = png('PLTE', Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255]))
const iccp = (profile: Buffer, name = 'whatever') =>
  png('iCCP', Buffer.concat([Buffer.from(`${name}\0\0`, 'latin1'), deflateSync(profile)]))

describe('pixels are preserved', () => {
  const sources: Record<string, () => Promise<Buffer> | Buffer> = {
    colour: () => photo().png().toBuffer(),
    'colour and alpha': () => photo(120, 80, 4).png().toBuffer(),
    interlaced: () => photo().png({ progressive: true }).toBuffer(),
    palette: () => photo().png({ palette: true, colours: 16 }).toBuffer(),
    'palette with transparency': () => photo(120, 80, 4).png({ palette: true, colours: 16 }).toBuffer(),
    '16 bit': () => photo().toColourspace('rgb16').png().toBuffer(),
    grey: () => photo().greyscale().png().toBuffer(),
    'grey and alpha': () => photo(120, 80, 4).greyscale().png().toBuffer(),
    'one bit': () =>
      handPng({ widthPx: 16, heightPx: 4, bitDepth: 1, rows: Buffer.from([0, 170, 85, 0, 1, 2, 0, 3, 4, 0, 5, 6]) }),
    'grey with a transparent shade': () =>
      handPng({ widthPx: 2, heightPx: 1, before: [png('tRNS', Buffer.from([0, 7]))], rows: Buffer.from([0, 7, 8]) }),
    gamma: () =>
      handPng({
        widthPx: 2,
        heightPx: 1,
        before: [png('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]))],
        rows: Buffer.from([0, 7, 8]),
      }),
  }
  it.each(Object.entries(sources))('%s', async (_name, make) => {
    const source = await make()
    const { bytes } = rewritePng(source)
    expect(await decoded(bytes)).toEqual(await decoded(source))
  })
})

describe('metadata is removed', () => {
  it('of every kind, before and after the image data, with the animation', async () => {
    const frame = Buffer.alloc(26)
    const extras = [
      png('tEXt', `Comment\0${secret}`),
      png('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.from(secret))])),
      png('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${secret}`),
      png('tIME', Buffer.from([7, 234, 1, 1, 1, 1, 1])),
      png('eXIf', tiffWithSecrets(1)),
      png('prVt', secret),
    ]
    const before = [...extras, png('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])), png('fcTL', frame)]
    const rows = Buffer.from([0, 1, 2, 0, 3, 4])
    const source = handPng({ widthPx: 2, heightPx: 2, before, rows })
    const behind = insertAt(source, source.length - 12, png('fdAT', secret), ...extras)
    const { bytes, frames, orientation } = rewritePng(Buffer.concat([behind, Buffer.from(secret), source]))
    expect(pngTypes(bytes)).toEqual(['IHDR', 'IDAT', 'IEND'])
    expect({ frames, orientation }).toEqual({ frames: 1, orientation: 1 })
    expect(await decoded(bytes)).toEqual(await decoded(source))
  })

  it.each([2, 3, 4, 5, 6, 7, 8])('except orientation %i', async (orientation) => {
    const { bytes } = rewritePng(
      insertAt(await photo().png().toBuffer(), afterIhdr, png('eXIf', tiffWithSecrets(orientation))),
    )
    expect((await sharp(bytes).metadata()).orientation).toBe(orientation)
    expect(bytes.includes('SECRET')).toBe(false)
  })

  it('an orientation after the image data is ignored', () => {
    const source = handPng({ widthPx: 1, heightPx: 1 })
    expect(rewritePng(insertAt(source, source.length - 12, png('eXIf', tiffWithSecrets(6)))).orientation).toBe(1)
  })

  it('chunks that define how to read the pixels are preserved', () => {
    const kept = [
      png('gAMA', Buffer.alloc(4, 1)),
      png('cHRM', Buffer.alloc(32, 1)),
      png('sBIT', Buffer.from([8, 8, 8])),
      palette,
      png('tRNS', Buffer.from([0])),
      png('bKGD', Buffer.from([0])),
      png('pHYs', Buffer.alloc(9)),
    ]
    const source = handPng({ widthPx: 1, heightPx: 1, colourType: 3, before: kept })
    expect(rewritePng(source).bytes.equals(source)).toBe(true)
  })

  it('ancillary chunks with a wrong length or CRC, and repeated ones, are removed', () => {
    const damaged = png('gAMA', Buffer.alloc(4))
    damaged.writeUInt32BE(1, damaged.length - 4)
    const before = [
      png('gAMA', `${secret}`),
      png('cHRM', ''),
      damaged,
      png('pHYs', Buffer.alloc(9)),
      png('pHYs', Buffer.alloc(9)),
    ]
    const { bytes } = rewritePng(handPng({ widthPx: 1, heightPx: 1, before }))
    expect(pngTypes(bytes)).toEqual(['IHDR', 'pHYs', 'IDAT', 'IEND'])
  })

  it('a valid colour profile is preserved, without its name and trailing data', async () => {
    const profile = await iccProfile()
    const plain = await photo().png().toBuffer()
    const kept = async (chunk: Buffer) =>
      (await sharp(rewritePng(insertAt(plain, afterIhdr, chunk)).bytes).metadata()).icc
    expect(await kept(iccp(Buffer.concat([profile, Buffer.from(secret)])))).toEqual(profile)
    expect(await kept(iccp(Buffer.from(secret.repeat(20))))).toBeUndefined()
    expect(await kept(iccp(Buffer.concat([profile, Buffer.alloc(20 * 2 ** 20)])))).toBeUndefined() // a bomb
    expect(rewritePng(insertAt(plain, afterIhdr, iccp(profile, secret))).bytes.includes('SECRET')).toBe(false)
  })

  it('only the first profile is inflated: an upload can hold thousands of a megabyte each', async () => {
    const profile = await iccProfile()
    const types = (...before: Buffer[]) => pngTypes(rewritePng(handPng({ widthPx: 1, heightPx: 1, before })).bytes)
    const none = iccp(Buffer.alloc(2 ** 20 - 1))
    const damaged = iccp(profile)
    damaged.writeUInt32BE(1, damaged.length - 4)
    expect(types(iccp(profile), none)).toContain('iCCP')
    expect(types(none, iccp(profile))).not.toContain('iCCP')
    expect(types(damaged, iccp(profile))).toContain('iCCP') // removed because of its CRC, without inflating
  })

  it('zTXt bombs never reach the decoder', () => {
    const bomb = png('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(7 * 2 ** 20))]))
    const source = handPng({ widthPx: 1, heightPx: 1, before: Array.from({ length: 40 }, () => bomb) })
    expect(rewritePng(source).bytes.length).toBeLessThan(100)
  })
})

describe('refuses', () => {
  const good = () => handPng({ widthPx: 1, heightPx: 1 })
  const damaged = (type: string) => {
    const file = handPng({ widthPx: 1, heightPx: 1, colourType: 3, before: [palette] })
    const at = file.indexOf(type) + 4
    file.writeUInt8(file.readUInt8(at) ^ 1, at)
    return file
  }
  const cases: [string, ImageRefused['reason'], () => Buffer][] = [
    ['100000 x 100000 pixels', 'over_limit', () => handPng({ widthPx: 100_000, heightPx: 100_000 })],
    ['more than 50 megapixels', 'over_limit', () => handPng({ widthPx: 10_000, heightPx: 5001 })],
    [
      '49 megapixels interlaced in 16 bits',
      'over_limit',
      () => handPng({ widthPx: 7000, heightPx: 7000, bitDepth: 16, colourType: 6, interlace: 1 }),
    ],
    ['no width', 'broken', () => handPng({ widthPx: 0, heightPx: 1 })],
    ['an impossible colour type', 'broken', () => handPng({ widthPx: 1, heightPx: 1, colourType: 5 })],
    ['an impossible bit depth', 'broken', () => handPng({ widthPx: 1, heightPx: 1, colourType: 3, bitDepth: 16 })],
    ['an unknown interlace method', 'broken', () => handPng({ widthPx: 1, heightPx: 1, interlace: 2 })],
    ['no palette', 'broken', () => handPng({ widthPx: 1, heightPx: 1, colourType: 3 })],
    ['another first chunk', 'broken', () => insertAt(good(), 8, png('gAMA', Buffer.alloc(4)))],
    ['Apple’s own PNG', 'unsupported', () => insertAt(good(), 8, png('CgBI', Buffer.alloc(4)))],
    ['two headers', 'broken', () => insertAt(good(), afterIhdr, png('IHDR', Buffer.alloc(13)))],
    ['an unknown critical chunk', 'unsupported', () => insertAt(good(), afterIhdr, png('ABCD'))],
    ['a damaged header', 'broken', () => damaged('IHDR')],
    ['a damaged palette', 'broken', () => damaged('PLTE')],
    ['damaged picture data', 'broken', () => damaged('IDAT')],
    ['picture data in two places', 'broken', () => insertAt(good(), good().length - 12, png('tEXt'), png('IDAT', 'x'))],
    ['no picture data', 'broken', () => Buffer.concat([good().subarray(0, afterIhdr), png('IEND')])],
    ['no end', 'broken', () => good().subarray(0, -12)],
    [
      'a chunk longer than the file',
      'broken',
      () => insertAt(good(), afterIhdr, Buffer.from('\x7f\xff\xff\xfftEXt....', 'latin1')),
    ],
    ['a chunk without a name', 'broken', () => insertAt(good(), afterIhdr, png('a\0b1'))],
    [
      'more than 100,000 chunks',
      'broken',
      () => insertAt(good(), afterIhdr, Buffer.concat(Array.from({ length: 100_001 }, () => tiny))),
    ],
  ]
  const tiny = png('teXt')
  it.each<[string, () => Buffer]>([
    ['the image has no pixels', () => handPng({ widthPx: 0, heightPx: 1 })],
    [
      'the PNG has too many chunks',
      () => insertAt(good(), afterIhdr, Buffer.concat(Array.from({ length: 100_001 }, () => tiny))),
    ],
    ['the PNG has no image data', () => Buffer.concat([good().subarray(0, afterIhdr), png('IEND')])],
  ])('with the text "%s"', (message, make) => {
    const source = make()
    expect(() => rewritePng(source)).toThrow(message)
  })

  it.each(cases)('%s', (_name, reason, make) => {
    const source = make()
    expect(() => rewritePng(source)).toThrow(expect.objectContaining({ name: 'ImageRefused', reason }))
  })
})
