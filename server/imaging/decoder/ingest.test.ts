import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { type PixelFormat, pixelFormats } from '../../../contract/plain/formats.ts'
import { ImageRefused } from '../pool/imaging.ts'
import { rewritePng } from './container/png.ts'
import { requireMatchingHeader } from './pixels.ts'
import { rowsInTurn } from '../../testing/short-run.ts'
import { everyFormat, openFolder } from '../testing/folder.ts'
import {
  afterIhdr,
  animation,
  gifExtension,
  handGif,
  handJpeg,
  handPng,
  handWebp,
  insertAt,
  jpegSegment,
  photo,
  png,
  scanAt,
  secret,
  tiffWithSecrets,
  webp,
  webpAnim,
  webpBitstream,
  webpFrame,
} from '../testing/hand-made-images.ts'

const folder = await openFolder()
afterAll(() => folder.close())

const { ingest } = folder
const refusal = (reason: ImageRefused['reason'], message: RegExp = /./) =>
  expect.objectContaining({ name: 'ImageRefused', reason, message: expect.stringMatching(message) })
const sizeOf = async (file: Buffer | null) => {
  if (!file) return null
  const { format, width, height, pages } = await sharp(file).metadata()
  return { format, width, height, pages }
}

describe('ingest', () => {
  it('returns the facts of the files that it wrote', async () => {
    const { answer, original, thumbnail, listThumbnail, intermediate } = await ingest(
      await photo(2000, 1000).jpeg().toBuffer(),
    )
    expect(answer).toEqual({
      format: 'jpeg',
      widthPx: 2000,
      heightPx: 1000,
      frames: 1,
      hasAlpha: false,
      bytes: original.length,
      sha256: createHash('sha256').update(original).digest('hex'),
      placeholder: expect.stringMatching(/^#[0-9a-f]{6}$/),
      blur: expect.stringMatching(/^UklGR[\w+/]{50,400}={0,2}$/),
      phashes: Array(8).fill(expect.stringMatching(/^[0-9a-f]{16}$/)),
      phashQuality: expect.any(Number),
      intermediate: { format: 'jpeg' },
    })
    expect(await sizeOf(thumbnail)).toEqual({ format: 'webp', width: 400, height: 200, pages: undefined })
    expect(await sizeOf(listThumbnail)).toEqual({ format: 'webp', width: 200, height: 100, pages: undefined })
    expect(await sizeOf(intermediate)).toMatchObject({ format: 'jpeg', width: 1600, height: 800 })
  })

  it('writes no intermediate for an image that is not larger', async () => {
    expect((await ingest(await photo(1600, 900).jpeg().toBuffer())).answer.intermediate).toBeNull()
    expect(await readdir(folder.folder)).not.toContain(expect.stringMatching(/intermediate/))
  })

  it.each([
    ['an opaque photograph in PNG', 'jpeg', () => photo(1700, 1000).png()],
    ['a picture with alpha', 'png', () => photo(1700, 1000, 4).png()],
    [
      'flat colours',
      'png',
      () => sharp({ create: { width: 1700, height: 90, channels: 3, background: '#369' } }).png(),
    ],
    ['a grey photograph', 'jpeg', () => photo(1700, 1000).greyscale().jpeg()],
    ['grey with alpha', 'png', () => photo(1700, 1000, 4).greyscale().png()],
    ['a lossy WebP', 'jpeg', () => photo(1700, 1000).webp()],
    ['a lossy WebP with alpha', 'png', () => photo(1700, 1000, 4).webp()],
  ] as const)('the intermediate of %s is a %s', async (_name, format, make) => {
    const { answer, intermediate } = await ingest(await make().toBuffer())
    expect(answer.intermediate).toEqual({ format })
    expect(await sizeOf(intermediate)).toMatchObject({ format, width: 1600 })
  })

  it('the intermediate and the thumbnail of an opaque alpha channel have none', async () => {
    const opaque = sharp({ create: { width: 1700, height: 90, channels: 4, background: '#369f' } })
    const { answer, thumbnail, intermediate } = await ingest(await opaque.png().toBuffer())
    expect(answer).toMatchObject({ hasAlpha: true, placeholder: '#336699', intermediate: { format: 'png' } })
    for (const file of [thumbnail, intermediate]) expect((await sharp(file ?? '').metadata()).hasAlpha).toBe(false)
  })

  it.each([
    ['16 bit', () => photo().toColourspace('rgb16').png().toBuffer(), false],
    ['grey', () => photo().greyscale().png().toBuffer(), false],
    ['grey with alpha', () => photo(120, 80, 4).greyscale().png().toBuffer(), true],
    ['palette', () => photo().png({ palette: true }).toBuffer(), false],
    ['CMYK', () => photo().toColourspace('cmyk').jpeg().toBuffer(), false],
    ['GIF', () => photo().gif().toBuffer(), false],
    ['transparent GIF', () => photo(120, 80, 4).gif().toBuffer(), true],
    ['WebP with alpha', () => photo(120, 80, 4).webp().toBuffer(), true],
  ])('%s', async (_name, make, hasAlpha) => {
    const { answer, thumbnail } = await ingest(await make())
    expect(answer).toMatchObject({ widthPx: 120, heightPx: 80, hasAlpha })
    expect(await sizeOf(thumbnail)).toMatchObject({ width: 120, height: 80 })
  })

  it.each([
    [1, 1, 1, 1],
    [16_383, 1, 400, 1],
    [1, 16_383, 1, 400],
  ])('a picture of %i x %i', async (width, height, thumbWidth, thumbHeight) => {
    const file = await sharp({ create: { width, height, channels: 3, background: '#369' } })
      .png()
      .toBuffer()
    const { answer, thumbnail } = await ingest(file)
    expect(answer).toMatchObject({ widthPx: width, heightPx: height, placeholder: '#336699' })
    expect(await sizeOf(thumbnail)).toMatchObject({ width: thumbWidth, height: thumbHeight })
  })

  it.each(['webp', 'gif'] as const)('an animated %s keeps its frames; its thumbnail is the first', async (format) => {
    const { answer, original, thumbnail } = await ingest(await animation(format))
    expect(answer).toMatchObject({ format, widthPx: 40, heightPx: 40, frames: 5, intermediate: null })
    expect(await sizeOf(original)).toMatchObject({ pages: 5 })
    expect(await sizeOf(thumbnail)).toMatchObject({ format: 'webp', pages: undefined })
  })
})

describe('the thumbnail is upright', () => {
  const orientations = [1, 2, 3, 4, 5, 6, 7, 8]
  const containers: Record<string, (file: Sharps, tiff: Buffer) => Promise<Buffer>> = {
    jpeg: async (file, tiff) =>
      insertAt(await file.jpeg().toBuffer(), 2, jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff]))),
    png: async (file, tiff) => insertAt(await file.png().toBuffer(), afterIhdr, png('eXIf', tiff)),
    webp: async (file, tiff) =>
      handWebp(8, 1800, 900, [webpBitstream(await file.webp().toBuffer()), webp('EXIF', tiff)]),
  }
  type Sharps = ReturnType<typeof photo>
  /** The displayed position of the red corner, which is stored at the upper left: [right, below]. */
  const corner = async (file: Buffer) => {
    const { data, info } = await sharp(file, { autoOrient: true })
      .resize(30, 30, { fit: 'fill' })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const isRed = (x: number, y: number) => (data[(y * 30 + x) * info.channels] ?? 0) > 180
    return [isRed(26, 3) || isRed(26, 26), isRed(3, 26) || isRed(26, 26)]
  }
  const expected = [
    [],
    [false, false],
    [true, false],
    [true, true],
    [false, true],
    [false, false],
    [true, false],
    [true, true],
    [false, true],
  ]

  it.each(
    Object.keys(containers).flatMap((format, n) =>
      rowsInTurn(orientations, n).map((orientation) => [format, orientation] as const),
    ),
  )('%s with orientation %i', async (format, orientation) => {
    const make = containers[format]
    const file = await make?.(photo(1800, 900), tiffWithSecrets(orientation))
    const { answer, original, thumbnail, intermediate } = await ingest(file ?? Buffer.alloc(0))
    const isOnItsSide = orientation >= 5
    expect(answer).toMatchObject(isOnItsSide ? { widthPx: 900, heightPx: 1800 } : { widthPx: 1800, heightPx: 900 })
    expect(await sizeOf(thumbnail)).toMatchObject(
      isOnItsSide ? { width: 200, height: 400 } : { width: 400, height: 200 },
    )
    for (const shown of [original, thumbnail, intermediate])
      expect(await corner(shown ?? original)).toEqual(expected[orientation])
    for (const variant of [thumbnail, intermediate])
      expect((await sharp(variant ?? original).metadata()).exif).toBeUndefined()
  })
})

describe('ingest removes private metadata', () => {
  const tiff = tiffWithSecrets(6)
  const cases: Record<PixelFormat, () => Promise<Buffer>> = {
    jpeg: async () => {
      const plain = await photo(1700, 900).jpeg({ progressive: true }).toBuffer()
      const noise = [
        jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff])),
        jpegSegment(0xe1, `http://ns.adobe.com/xap/1.0/\0${secret}`),
        jpegSegment(0xed, secret),
        jpegSegment(0xfe, secret),
      ]
      return Buffer.concat([
        insertAt(insertAt(plain, scanAt(plain, 2), ...noise), 2, ...noise),
        Buffer.from(secret),
        plain,
      ])
    },
    png: async () => {
      const plain = await photo(1700, 900).png().toBuffer()
      const noise = [png('eXIf', tiff), png('tEXt', secret), png('iTXt', secret), png('prVt', secret)]
      const behind = insertAt(insertAt(plain, plain.length - 12, ...noise), afterIhdr, ...noise)
      return Buffer.concat([behind, Buffer.from(secret)])
    },
    webp: async () => {
      const noise = [webp('EXIF', tiff), webp('XMP ', secret), webp('prVt', secret)]
      const picture = webpBitstream(await photo(1700, 900).webp().toBuffer())
      return Buffer.concat([handWebp(0x0c, 1700, 900, [picture, ...noise]), Buffer.from(secret)])
    },
    gif: async () => {
      const plain = await photo(1700, 900).gif({ effort: 1, colours: 8, dither: 0 }).toBuffer()
      const noise = [gifExtension(0xfe, secret), gifExtension(0xff, 'XMP DataXMP', secret)]
      return Buffer.concat([insertAt(plain, plain.length - 1, ...noise), Buffer.from(secret)])
    },
  }
  it.each(pixelFormats)('in %s', async (format) => {
    const file = await cases[format]()
    expect(file.includes('SECRET')).toBe(true)
    const { original, thumbnail, intermediate } = await ingest(file)
    for (const output of [original, thumbnail, intermediate]) {
      expect(output?.includes('SECRET')).toBe(false)
      expect(output?.includes('xap')).toBe(false)
    }
  })
})

describe('ingest refuses', () => {
  const repeated = <T>(count: number, make: () => T) => Array.from({ length: count }, make)
  const hostile: [string, ImageRefused['reason'], () => Buffer | Promise<Buffer>][] = [
    ['text', 'unsupported', () => Buffer.from('GIF, says the name; but this is text')],
    ['nothing', 'unsupported', () => Buffer.alloc(0)],
    ['SVG', 'unsupported', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['TIFF', 'unsupported', () => photo().tiff().toBuffer()],
    ['AVIF', 'unsupported', () => photo().avif({ effort: 0 }).toBuffer()],
    ['BMP', 'unsupported', () => Buffer.from(`BM${'\0'.repeat(100)}`, 'latin1')],
    ['a JPEG of 3000 scans', 'over_limit', () => handJpeg({ scans: 3000, marker: 0xc2 })],
    ['a PNG header of 100000 x 100000', 'over_limit', () => handPng({ widthPx: 100_000, heightPx: 100_000 })],
    ['a PNG of 16383 x 16383', 'over_limit', () => handPng({ widthPx: 16_383, heightPx: 16_383, colourType: 6 })],
    [
      'a PNG of 49 MP, interlaced, 16 bit',
      'over_limit',
      () => handPng({ widthPx: 7000, heightPx: 7000, bitDepth: 16, colourType: 6, interlace: 1 }),
    ],
    ['a GIF of 10000 frames', 'over_limit', () => handGif(16, 16, 10_000)],
    ['a GIF screen of 65535 x 65535', 'over_limit', () => handGif(65_535, 65_535, 1)],
    [
      'a WebP of 5000 frames',
      'over_limit',
      async () => {
        const frame = webpFrame(webpBitstream(await photo(13, 16).webp().toBuffer()), 13, 16)
        return handWebp(2, 13, 16, [webpAnim, ...repeated(5000, () => frame)])
      },
    ],
    ['a PNG header with next to no data', 'broken', () => handPng({ widthPx: 4000, heightPx: 4000, colourType: 2 })],
    ['a JPEG header with next to no data', 'broken', () => largeHeader(handJpeg({ widthPx: 96, heightPx: 64 }))],
    [
      'a WebP whose last frame is cut off',
      'broken',
      async () => {
        const still = await photo(64, 64).webp({ lossless: true }).toBuffer()
        const coded = webpBitstream(still).subarray(8)
        const frames = [coded, coded, coded.subarray(0, coded.length / 2)].map((data) => webp('VP8L', data))
        return handWebp(2, 64, 64, [webpAnim, ...frames.map((data) => webpFrame(data, 64, 64))])
      },
    ],
    ['a JPEG that is cut and closed again', 'broken', async () => closed(await photo(400, 400).jpeg().toBuffer())],
  ]
  const largeHeader = (file: Buffer) => {
    file.writeUInt32BE(0x0fa0_0fa0, file.indexOf(Buffer.from([0xff, 0xc0])) + 5)
    return file
  }
  const closed = (file: Buffer) => Buffer.concat([file.subarray(0, file.length / 2), Buffer.from([0xff, 0xd9])])

  it.each(hostile)('%s', async (_name, reason, make) => {
    const file = await make()
    const before = folder.imaging.stats().ingest
    await expect(ingest(file)).rejects.toEqual(refusal(reason))
    // The decoder rejects it by its content and is not killed at its time or memory limit.
    const { kills, deaths } = folder.imaging.stats().ingest
    expect([kills, deaths]).toEqual([before.kills, before.deaths])
  })

  it('a format that the job does not allow', async () => {
    await expect(ingest(await animation('gif'), ['jpeg', 'png', 'webp'])).rejects.toEqual(refusal('unsupported', /gif/))
  })

  it('and leaves no files', async () => {
    const before = await readdir(folder.folder)
    await expect(ingest(handPng({ widthPx: 4000, heightPx: 4000 }))).rejects.toEqual(refusal('broken'))
    const left = (await readdir(folder.folder)).filter((name) => !before.includes(name))
    expect(left).toEqual([expect.stringMatching(/\.source$/)])
  })

  it('a missing source is a system error with its code, not a refusal', async () => {
    const job = {
      sourcePath: '/nowhere',
      allow: everyFormat,
      originalPath: '/nowhere.o',
      thumbnailPath: '/nowhere.t',
      listThumbnailPath: '/nowhere.l',
      intermediatePath: '/nowhere.i',
    }
    await expect(folder.imaging.ingest(job)).rejects.toMatchObject({ name: 'Error', code: 'ENOENT' })
  })
})

it('an image is refused when the decoder reads another size than the container declares', async () => {
  const image = rewritePng(handPng({ widthPx: 2, heightPx: 1 }))
  await expect(requireMatchingHeader(image)).resolves.toEqual({ hasAlpha: false })
  await expect(requireMatchingHeader({ ...image, widthPx: 1 })).rejects.toThrow('the file declares two different sizes')
})

describe('ingest tolerates', () => {
  it('bytes between the image data of a camera and the end marker, by removing them', async () => {
    const plain = await photo(200, 200).jpeg({ progressive: true }).toBuffer()
    const { original } = await ingest(insertAt(plain, plain.length - 2, Buffer.alloc(5000, secret)))
    const rest = original.length - plain.length
    expect(rest).toBeGreaterThanOrEqual(0)
    expect(rest).toBeLessThan(16)
    const pixels = (file: Buffer) => sharp(file).raw().toBuffer()
    expect((await pixels(original)).equals(await pixels(plain))).toBe(true)
  })

  it('but no other warning', async () => {
    const plain = await photo(200, 200).jpeg({ progressive: true }).toBuffer()
    await expect(ingest(insertAt(plain, scanAt(plain, 3), Buffer.alloc(50, 7)))).rejects.toEqual(refusal('broken'))
  })
})

describe('ingest always settles', () => {
  const sources = [
    photo(64, 48).jpeg(),
    photo(64, 48).jpeg({ progressive: true }),
    photo(64, 48, 4).png(),
    photo(64, 48).png({ palette: true, progressive: true }),
    photo(64, 48, 4).webp(),
    photo(64, 48).webp({ lossless: true }),
  ].map((picture) => picture.toBuffer())
  const files = Promise.all([...sources, animation('gif', 3), animation('webp', 3)])
  const outcome = async (file: Buffer) => {
    try {
      const { original } = await ingest(file)
      await folder.render(original, { format: 'jpeg', width: 32 })
      return 'ok'
    } catch (error) {
      return error instanceof ImageRefused ? 'refused' : error
    }
  }

  it('truncated anywhere: refused', async () => {
    for (const file of await files) {
      for (let cut = 1; cut <= 20; cut++) {
        const part = file.subarray(0, Math.floor((file.length * cut) / 21))
        expect([cut, await outcome(part)]).toEqual([cut, 'refused'])
      }
    }
  })

  it(
    'with bytes changed: accepted or refused, and every accepted one can be rendered',
    { timeout: 30_000 },
    async () => {
      let state = 42
      const random = (below: number) => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return state % below
      }
      const counts: Record<string, number> = {}
      for (const file of await files) {
        for (let round = 0; round < 40; round++) {
          const mutated = Buffer.from(file)
          for (let i = 0; i <= round % 4; i++) mutated.writeUInt8(random(256), random(mutated.length))
          const name = String(await outcome(mutated))
          counts[name] = (counts[name] ?? 0) + 1
        }
      }
      expect(Object.keys(counts).toSorted()).toEqual(['ok', 'refused'])
      expect(folder.imaging.stats().ingest).toMatchObject({ kills: 0, deaths: 0 })
    },
  )

  it('PNG with valid CRCs and damaged data inside', async () => {
    const rows = Buffer.from('not rows at all')
    for (const data of [rows, deflateSync(rows).subarray(0, -4), deflateSync(Buffer.alloc(10_000_000))]) {
      const file = handPng({ widthPx: 200, heightPx: 200 })
      const idat = file.indexOf('IDAT') - 4
      expect(await outcome(Buffer.concat([file.subarray(0, idat), png('IDAT', data), png('IEND')]))).toBeTypeOf(
        'string',
      )
    }
  })
})
