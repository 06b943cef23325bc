import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { frameRanges, joinRanges } from './frame-ranges.ts'
import type { RenderJob } from '../protocol.ts'
import { render } from './render.ts'
import { decoded } from '../testing/decoded.ts'
import { handWebp, photo, webpAnim, webpBitstream, webpFrame } from '../testing/hand-made-images.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frame-ranges-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it.each([
  [7, 10, 1000, [7]],
  [7, 10, 70, [7]],
  [7, 10, 69, [4, 3]],
  [7, 10, 50, [3, 3, 1]],
  [7, 10, 5, [2, 2, 2, 1]],
  [20, 10, 5, [5, 5, 5, 5]],
  [500, 447 * 447, 35_000_000, [167, 167, 166]],
  [1, 10, 5, [1]],
  [6, 10, Infinity, [6]],
])('%i frames of %i pixels, %d at once', (frames, framePixels, maxPixels, expected) => {
  const ranges = frameRanges(frames, framePixels, maxPixels)
  expect(ranges.map(({ used }) => used)).toEqual(expected)
  const shown = ranges.flatMap(({ page, usedFrom, used }) =>
    Array.from({ length: used }, (_, i) => page + usedFrom + i),
  )
  expect(shown).toEqual(Array.from({ length: frames }, (_, i) => i))
  for (const { page, pages, usedFrom, used } of ranges) {
    expect(page + usedFrom - 1).toBe(page + usedFrom === 0 ? -1 : page)
    expect(page + pages).toBe(Math.min(frames, page + usedFrom + used + 1))
  }
})

const frames = 7
const [widthPx, heightPx] = [90, 60]

/** Light and dark frames alternate, so that a pixel mixed with a neighbour frame is visible; with alpha, moving transparent areas. */
function drawn(hasAlpha: boolean): Sharp {
  const channels = hasAlpha ? 4 : 3
  const data = Buffer.alloc(widthPx * heightPx * frames * channels)
  for (let at = 0, pixel = 0; at < data.length; at += channels, pixel++) {
    const [x, y] = [pixel % widthPx, Math.floor(pixel / widthPx) % heightPx]
    const frame = Math.floor(pixel / (widthPx * heightPx))
    data[at] = frame % 2 ? 255 - x : x
    data[at + 1] = frame % 2 ? 255 : 0
    data[at + 2] = (x * 7 + y * 13 + frame * 40) % 256
    if (hasAlpha) data[at + 3] = (x + frame * 11) % 30 < 8 ? 0 : (y * 4) % 256
  }
  return sharp(data, { raw: { width: widthPx, height: heightPx * frames, channels, pageHeight: heightPx } })
}

const timing = { delay: [40, 60_000, 120, 100, 60, 50, 80], loop: 3 }
const sources = {
  'a lossless WebP with alpha': () =>
    drawn(true)
      .webp({ ...timing, lossless: true, exact: true })
      .toBuffer(),
  'an opaque WebP': () =>
    drawn(false)
      .webp({ ...timing, quality: 80 })
      .toBuffer(),
  'a GIF': () => drawn(true).gif(timing).toBuffer(),
  'a WebP of parts': partsOfFrames,
}

/** Small frames on a canvas that is not cleared between them: each frame depends on all earlier ones. */
async function partsOfFrames(): Promise<Buffer> {
  const bitstream = webpBitstream(await photo(20, 16, 4).webp({ lossless: true }).toBuffer())
  const parts = Array.from({ length: frames }, (_, i) => webpFrame(bitstream, 20, 16, 10 * i, 6 * i))
  return handWebp(0x12, widthPx, heightPx, [webpAnim, ...parts])
}

async function rendered(file: Buffer, job: Partial<RenderJob>, unpackedPixels: number): Promise<Buffer> {
  const sourcePath = join(folder, 'source')
  const outPath = join(folder, 'out')
  await writeFile(sourcePath, file)
  const whole: RenderJob = { sourcePath, outPath, format: 'webp', fit: 'inside', quality: 80, animated: true, ...job }
  expect(await render(whole, true, unpackedPixels)).toMatchObject({ frames })
  return readFile(outPath)
}

it.each(Object.keys(sources) as (keyof typeof sources)[])('%s is the same in ranges as at once', async (name) => {
  const file = await sources[name]()
  for (const job of [
    { width: 40 },
    { width: 31, quality: 100 },
    { width: 20 },
    {},
    { width: 50, height: 20, fit: 'cover' },
    { width: 20, height: 50, fit: 'cover' },
    { width: 50, height: 20, fit: 'contain' },
    { width: 20, height: 50, fit: 'contain' },
    { width: 40, format: 'gif' },
  ] as const) {
    const atOnce = await rendered(file, job, Infinity)
    for (const framesAtOnce of [3, 4, 5]) {
      const inRanges = await rendered(file, job, framesAtOnce * widthPx * heightPx)
      expect(await decoded(inRanges)).toEqual(await decoded(atOnce))
      expect(inRanges.equals(atOnce)).toBe(true)
    }
  }
})

it('a delay of more than 65.535 s is shortened to the longest that can be written', async () => {
  const images = Array.from({ length: frames }, (_, i) =>
    photo(20, 16 + i)
      .webp()
      .toBuffer(),
  )
  const parts = (await Promise.all(images)).map((file, i) => webpFrame(webpBitstream(file), 20, 16 + i))
  for (const part of parts) part.writeUIntLE(70_000, 8 + 12, 3)
  const file = await rendered(handWebp(2, 40, 40, [webpAnim, ...parts]), { width: 30 }, 5 * 1600)
  const { delay = [] } = await sharp(file).metadata()
  expect(delay[0]).toBe(65_535)
})

it('ranges that do not fill the whole image are an error', async () => {
  const sizes = [8, 4]
  const uneven = () => {
    const side = sizes.shift() ?? 0
    return sharp({ create: { width: side, height: side, channels: 3, background: 'red' } })
  }
  const ranges = [0, 1].map((page) => ({ page, pages: 1, usedFrom: 0, used: 1 }))
  await expect(joinRanges(ranges, uneven)).rejects.toThrow('do not fill the whole image')
})
