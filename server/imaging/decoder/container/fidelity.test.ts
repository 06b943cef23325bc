// Every pixel of an upload is preserved: each kind of file that the available encoders can write, through the real ingest,
// compared in 16 bits without conversion.

import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { decoded } from '../../testing/decoded.ts'
import { openFolder } from '../../testing/folder.ts'
import {
  animation,
  gifExtension,
  gifFrame,
  handGif,
  handJpeg,
  handWebp,
  insertAt,
  photo,
  png,
  rowsBytes,
  webpAnim,
  webpBitstream,
  webpFrame,
} from '../../testing/hand-made-images.ts'

const folder = await openFolder()
afterAll(() => folder.close())

const [widthPx, heightPx] = [37, 23] // no multiple of a block, a pass or a byte

/** Every PNG variant: noise in each colour type, depth and interlacing, with a different filter per row. */
function everyPng(): [string, Buffer][] {
  const depths: Record<number, number[]> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] }
  const samples: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
  return Object.entries(depths).flatMap(([type, ofType]) =>
    ofType.flatMap((depth) =>
      [false, true].map((isInterlaced): [string, Buffer] => {
        const colourType = Number(type)
        const bits = depth * (samples[colourType] ?? 1)
        const header = Buffer.alloc(13)
        header.writeUInt32BE(widthPx, 0)
        header.writeUInt32BE(heightPx, 4)
        header.set([depth, colourType, 0, 0, isInterlaced ? 1 : 0], 8)
        const file = Buffer.concat([
          Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
          png('IHDR', header),
          ...(colourType === 3 ? [png('PLTE', noise(3 * 2 ** depth)), png('tRNS', noise(2 ** depth))] : []),
          ...inPieces(deflateSync(rowsOf(bits, isInterlaced))),
          png('IEND'),
        ])
        return [`PNG, colour type ${type}, ${depth} bits${isInterlaced ? ', interlaced' : ''}`, file]
      }),
    ),
  )
}

const inPieces = (data: Buffer) =>
  Array.from({ length: Math.ceil(data.length / 100) }, (_, i) => png('IDAT', data.subarray(i * 100, i * 100 + 100)))

function noise(bytes: number): Buffer {
  let state = bytes
  return Buffer.from(
    Array.from({ length: bytes }, () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 24),
  )
}

/** Noise with the filters 0 to 4 in rotation; interlaced ones black, since their rows differ in length: sharp writes those. */
function rowsOf(bits: number, isInterlaced: boolean): Buffer {
  if (isInterlaced) return Buffer.alloc(rowsBytes(widthPx, heightPx, bits, true))
  const rowBytes = Math.ceil((widthPx * bits) / 8)
  const rows = Array.from({ length: heightPx }, (_, y) => Buffer.concat([Buffer.from([y % 5]), noise(rowBytes)]))
  return Buffer.concat(rows)
}

const rasters: Record<string, () => Promise<Buffer> | Buffer> = {
  'PNG by sharp, interlaced colour': () => photo(widthPx, heightPx).png({ progressive: true }).toBuffer(),
  'PNG by sharp, interlaced 16 bits': () =>
    photo(widthPx, heightPx, 4).toColourspace('rgb16').png({ progressive: true }).toBuffer(),
  'PNG by sharp, interlaced palette': () =>
    photo(widthPx, heightPx, 4).png({ palette: true, colours: 8, progressive: true }).toBuffer(),
  ...Object.fromEntries(
    ['4:4:4', '4:2:0'].flatMap((chromaSubsampling) =>
      [false, true].flatMap((progressive) =>
        [30, 100].map((quality) => [
          `JPEG ${chromaSubsampling}${progressive ? ' progressive' : ''}, quality ${quality}`,
          () => photo(widthPx, heightPx).jpeg({ chromaSubsampling, progressive, quality }).toBuffer(),
        ]),
      ),
    ),
  ),
  'JPEG, optimised scans': () => photo(widthPx, heightPx).jpeg({ mozjpeg: true }).toBuffer(),
  'JPEG, trellis and its own tables': () =>
    photo(widthPx, heightPx)
      .jpeg({ trellisQuantisation: true, quantisationTable: 3, overshootDeringing: true })
      .toBuffer(),
  'JPEG, grey': () => photo(widthPx, heightPx).greyscale().jpeg().toBuffer(),
  'JPEG, grey progressive': () => photo(widthPx, heightPx).greyscale().jpeg({ progressive: true }).toBuffer(),
  'JPEG, CMYK': () => photo(widthPx, heightPx).toColourspace('cmyk').jpeg().toBuffer(),
  'JPEG, CMYK progressive': () => photo(widthPx, heightPx).toColourspace('cmyk').jpeg({ progressive: true }).toBuffer(),
  'JPEG, restart markers': () => handJpeg({ restartEvery: 3 }),
  'JPEG, with a profile': () => photo(widthPx, heightPx).withIccProfile('p3').jpeg().toBuffer(),
  ...Object.fromEntries(
    [3, 4].flatMap((channels) =>
      [{}, { lossless: true }, { nearLossless: true }, { quality: 20, alphaQuality: 40 }, { smartSubsample: true }].map(
        (options) => [
          `WebP ${JSON.stringify(options)}, ${channels} channels`,
          () =>
            photo(widthPx, heightPx, channels as 3 | 4)
              .webp(options)
              .toBuffer(),
        ],
      ),
    ),
  ),
  'WebP, animated': () => animation('webp'),
  'WebP, animated, frames that blend and are disposed of': async () => {
    const small = webpBitstream(await photo(16, 16, 4).webp({ lossless: true }).toBuffer())
    const frames = [0, 1, 2, 3].map((how) => {
      const frame = webpFrame(small, 16, 16, how * 4, how * 2)
      frame.writeUInt8(how, 8 + 15) // bit 0: dispose to background, bit 1: do not blend
      return frame
    })
    return handWebp(0x12, 40, 40, [webpAnim, ...frames])
  },
  'GIF, 256 colours': () => photo(widthPx, heightPx).gif().toBuffer(),
  'GIF, 2 colours': () => photo(widthPx, heightPx).gif({ colours: 2, dither: 0 }).toBuffer(),
  'GIF, interlaced': () => photo(widthPx, heightPx).gif({ progressive: true }).toBuffer(),
  'GIF, transparent': () => photo(widthPx, heightPx, 4).gif().toBuffer(),
  'GIF, animated with local palettes': () =>
    animationOf(6)
      .gif({ reuse: false, interPaletteMaxError: 0, delay: [10, 20, 30, 40, 50, 60] })
      .toBuffer(),
  'GIF, animated with frames that differ little': () =>
    animationOf(6).gif({ interFrameMaxError: 8, loop: 0 }).toBuffer(),
  'GIF, every disposal': () =>
    insertAt(
      handGif(8, 8, 1),
      19,
      ...[0, 1, 2, 3].flatMap((disposal) => [
        gifExtension(0xf9, Buffer.from([(disposal << 2) | 1, 9, 0, 1])),
        gifFrame(disposal, disposal),
      ]),
    ),
}

function animationOf(frames: number) {
  const side = 24
  const data = noise(side * side * 3 * frames)
  return sharp(data, { raw: { width: side, height: side * frames, channels: 3, pageHeight: side } })
}

describe('the stored original has the pixels of the uploaded file', () => {
  const cases: [string, () => Promise<Buffer> | Buffer][] = [
    ...everyPng().map(([name, file]): [string, () => Buffer] => [name, () => file]),
    ...Object.entries(rasters),
  ]
  it.each(cases)('%s', async (_, make) => {
    const file = await make()
    const { original, answer } = await folder.ingest(file)
    expect(await decoded(original)).toEqual(await decoded(file))
    const seen = await sharp(original).metadata()
    expect([answer.widthPx, answer.frames]).toEqual([seen.width, seen.pages ?? 1])
    expect(seen.icc).toEqual((await sharp(file).metadata()).icc)
  })
})
