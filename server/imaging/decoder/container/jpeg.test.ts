import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { ImageRefused } from '../../refusal.ts'
import { decoded } from '../../testing/decoded.ts'
import {
  handJpeg,
  iccProfile,
  insertAt,
  jpegSegment,
  photo,
  scanAt,
  secret,
  tiffWithSecrets,
} from '../../testing/hand-made-images.ts'
import { rewriteJpeg } from './jpeg.ts'
import { segmentsOf } from './jpeg-segments.ts'

const exif = (orientation: number) =>
  jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiffWithSecrets(orientation)]))
const iccSegment = (number: number, total: number, part: Buffer) =>
  jpegSegment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0', 'latin1'), Buffer.from([number, total]), part]))

describe('pixels stay as they are', () => {
  const sources: Record<string, () => Promise<Buffer> | Buffer> = {
    baseline: () => photo().jpeg().toBuffer(),
    'baseline 4:4:4': () => photo().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
    progressive: () => photo().jpeg({ progressive: true, mozjpeg: true }).toBuffer(),
    grey: () => photo().greyscale().jpeg().toBuffer(),
    'CMYK with Adobe marker': () => photo().toColourspace('cmyk').jpeg().toBuffer(),
    'restart markers': () => handJpeg({ restartEvery: 3 }),
    'stuffed bytes': () => photo(300, 300).jpeg({ quality: 100 }).toBuffer(),
    'fill bytes before markers': async () =>
      insertAt(await photo().jpeg().toBuffer(), 2, Buffer.from([0xff, 0xff, 0xff])),
  }
  it.each(Object.entries(sources))('%s', async (_name, make) => {
    const source = await make()
    const { bytes } = rewriteJpeg(source)
    expect(await decoded(bytes)).toEqual(await decoded(source))
  })

  it('restart markers and picture data are copied to the byte', () => {
    const source = handJpeg({ restartEvery: 3 })
    expect(rewriteJpeg(source).bytes.equals(source)).toBe(true)
  })
})

describe('metadata goes', () => {
  it('of every kind, before, between and behind the scans', async () => {
    const plain = await photo().jpeg({ progressive: true }).toBuffer()
    const noise = [jpegSegment(0xfe, secret), jpegSegment(0xe5, secret)]
    const between = insertAt(plain, scanAt(plain, 2), ...noise, exif(3))
    const before = insertAt(
      between,
      2,
      jpegSegment(0xe0, `JFIF\0\x01\x02\0\0\x48\0\x48\x02\x02${secret.slice(0, 12)}`),
      jpegSegment(0xe0, `JFXX\0\x10${secret}`),
      exif(1),
      jpegSegment(0xe1, `http://ns.adobe.com/xap/1.0/\0${secret}`),
      jpegSegment(0xe2, `MPF\0${secret}`),
      jpegSegment(0xed, `Photoshop 3.0\0${secret}`),
      jpegSegment(0xee, `Adobe\0\x64\0\0\0\0\x01${secret}`),
      ...noise,
    )
    const source = Buffer.concat([before, plain, Buffer.from(secret)])
    const { bytes, orientation } = rewriteJpeg(source)
    expect(bytes.includes('SECRET')).toBe(false)
    expect(orientation).toBe(1)
    expect(await sharp(bytes).metadata()).not.toMatchObject({ exif: expect.anything() })
    expect(await decoded(bytes)).toEqual(await decoded(source))
  })

  it.each([2, 3, 4, 5, 6, 7, 8])('but orientation %i stays, alone', async (orientation) => {
    const { bytes } = rewriteJpeg(insertAt(await photo().jpeg().toBuffer(), 2, exif(orientation)))
    const metadata = await sharp(bytes).metadata()
    expect(metadata.orientation).toBe(orientation)
    expect(metadata.exif).toHaveLength(32)
    expect(bytes.includes('SECRET')).toBe(false)
  })

  it('the colour profile stays when it is complete and in order', async () => {
    const profile = await iccProfile()
    const [first, second] = [profile.subarray(0, 200), profile.subarray(200)]
    const plain = await photo().jpeg().toBuffer()
    const kept = async (...parts: Buffer[]) =>
      (await sharp(rewriteJpeg(insertAt(plain, 2, ...parts)).bytes).metadata()).icc
    expect(await kept(iccSegment(1, 1, Buffer.concat([profile, Buffer.from(secret)])))).toEqual(profile)
    expect(await kept(iccSegment(1, 2, first), iccSegment(2, 2, second))).toEqual(profile)
    expect(await kept(iccSegment(2, 2, second), iccSegment(1, 2, first))).toBeUndefined()
    expect(await kept(iccSegment(1, 2, first))).toBeUndefined()
    expect(await kept(iccSegment(1, 1, Buffer.from(secret.repeat(20))))).toBeUndefined()
  })
})

describe('refuses', () => {
  const cases: [string, ImageRefused['reason'], () => Buffer | Promise<Buffer>][] = [
    ['more than 100 scans', 'over_limit', () => handJpeg({ scans: 3000, marker: 0xc2 })],
    ['sides over 16383', 'over_limit', () => handJpeg({ widthPx: 16_384 })],
    ['no width', 'broken', () => handJpeg({ widthPx: 0 })],
    ['no height (defined later by DNL)', 'broken', () => handJpeg({ heightPx: 0 })],
    ['lossless', 'unsupported', () => handJpeg({ marker: 0xc3 })],
    ['arithmetic coding', 'unsupported', () => handJpeg({ marker: 0xc9 })],
    ['12 bits', 'unsupported', () => handJpeg({ precision: 12 })],
    ['2 components', 'unsupported', () => handJpeg({ components: [0x11, 0x11] })],
    ['sampling factor 0', 'broken', () => handJpeg({ components: [0x01] })],
    [
      'two frame headers',
      'broken',
      () => insertAt(handJpeg(), 71, jpegSegment(0xc0, Buffer.from([8, 0, 8, 0, 8, 1, 1, 17, 0]))),
    ],
    ['no scan', 'broken', () => handJpeg({ scans: 0 })],
    ['no end', 'broken', () => handJpeg().subarray(0, -2)],
    ['bytes between segments', 'broken', () => insertAt(handJpeg(), 2, Buffer.from('abc'))],
    ['a segment longer than the file', 'broken', () => insertAt(handJpeg(), 2, Buffer.from([0xff, 0xe1, 0xff, 0xff]))],
    [
      'too many segments',
      'broken',
      () => insertAt(handJpeg(), 2, ...Array.from({ length: 5000 }, () => jpegSegment(0xfe, ''))),
    ],
  ]
  it.each(cases)('%s', async (_name, reason, make) => {
    const source = await make()
    expect(() => rewriteJpeg(source)).toThrow(expect.objectContaining({ name: 'ImageRefused', reason }))
  })

  it('what the decoder would have to hold whole above 256 MiB', () => {
    const large = (marker: number, components: number[]) => {
      const file = handJpeg({ marker, components, widthPx: 7000, heightPx: 8 })
      file.writeUInt16BE(7000, file.indexOf(Buffer.from([0xff, marker])) + 5) // only the header is large
      return () => rewriteJpeg(file)
    }
    expect(large(0xc2, [0x11, 0x11, 0x11])).toThrow('a progressive JPEG of this size needs more than 256 MiB')
    expect(large(0xc2, [0x22, 0x11, 0x11])).not.toThrow()
    // Sequential, but with a scan for each component: libjpeg holds it all the same.
    expect(large(0xc0, [0x11, 0x11, 0x11])).toThrow('256 MiB')
    expect(large(0xc0, [0x11])).not.toThrow()
  })
})

describe('decodedPixels', () => {
  it('counts every scan of a multi-scan JPEG, since libjpeg decodes each at full size', () => {
    expect(rewriteJpeg(handJpeg({ components: [0x11, 0x11, 0x11], scans: 93 })).decodedPixels).toBe(64 * 64 * 9.3)
  })

  it('counts one scan when the first has all components, and drops the others', () => {
    const { bytes, decodedPixels } = rewriteJpeg(handJpeg({ scans: 91 }))
    expect(decodedPixels).toBe(64 * 64)
    expect(bytes.equals(rewriteJpeg(handJpeg()).bytes)).toBe(true)
  })
})

describe('rewriteJpeg', () => {
  it('refuses more than 4,096 segments', () => {
    const comments = Array.from({ length: 4096 }, () => jpegSegment(0xfe, ''))
    expect(() => rewriteJpeg(insertAt(handJpeg(), 2, ...comments))).toThrow('the JPEG has too many segments')
  })

  it('drops scans behind the one that has the whole image, with their tables', async () => {
    const plain = await photo().jpeg().toBuffer()
    const more = [...segmentsOf(await photo(99, 99).jpeg({ quality: 10 }).toBuffer())]
      .filter(({ marker }) => marker === 0xc4 || marker === 0xda)
      .map(({ whole }) => whole)
    const file = insertAt(plain, plain.length - 2, ...more)
    expect(rewriteJpeg(file).bytes.equals(rewriteJpeg(plain).bytes)).toBe(true)
  })

  it('drops tables behind the last scan', async () => {
    const quantisation = jpegSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, secret)]))
    for (const progressive of [false, true]) {
      const plain = await photo().jpeg({ progressive }).toBuffer()
      const file = insertAt(plain, plain.length - 2, quantisation)
      expect(rewriteJpeg(file).bytes.equals(rewriteJpeg(plain).bytes)).toBe(true)
    }
  })

  it.each([
    ['baseline', () => photo(121, 83).jpeg().toBuffer()],
    ['with its own tables', () => photo(121, 83).jpeg({ optimiseCoding: true }).toBuffer()],
    ['progressive, with a table for each scan', () => photo(121, 83).jpeg({ mozjpeg: true }).toBuffer()],
    ['with restart markers', () => handJpeg({ restartEvery: 3 })],
  ])('copies tables and scans to the byte: %s', async (_, make) => {
    const file = await make()
    const image = (of: Buffer) => of.subarray(of.indexOf(Buffer.from([0xff, 0xdb])))
    expect(image(rewriteJpeg(file).bytes).equals(image(file))).toBe(true)
  })

  it('keeps the pixels of a JPEG whose components all have one name', async () => {
    const file = await photo().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()
    const plain = await decoded(file)
    const [frame, scan] = [file.indexOf(Buffer.from([0xff, 0xc0])), file.indexOf(Buffer.from([0xff, 0xda]))]
    for (const i of [0, 1, 2]) {
      file.writeUInt8(1, frame + 10 + 3 * i)
      file.writeUInt8(1, scan + 5 + 2 * i)
    }
    expect(await decoded(file)).toEqual(plain)
    expect(await decoded(rewriteJpeg(file).bytes)).toEqual(plain)
  })
})
