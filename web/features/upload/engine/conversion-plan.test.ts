import { expect, test } from 'vitest'
import type { ImageFormat } from '../../../../contract/plain/formats.ts'
import { fitWithin, planOf, webpName } from './conversion-plan.ts'

const text = (value: string) => Array.from(value, (letter) => letter.charCodeAt(0))
const u32 = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255)
const le32 = (value: number) => u32(value).toReversed()
const le24 = (value: number) => le32(value).slice(0, 3)

const pngChunk = (type: string, length: number) => [...u32(length), ...text(type), ...new Uint8Array(length), ...u32(0)]
const png = (...chunks: number[][]) => [0x89, ...text('PNG'), 13, 10, 26, 10, ...pngChunk('IHDR', 13), ...chunks.flat()]

const webpChunk = (type: string, data: number[]) => [
  ...text(type),
  ...le32(data.length),
  ...data,
  ...(data.length % 2 === 1 ? [0] : []),
]
const webp = (...chunks: number[][]) => {
  const body = [...text('WEBP'), ...chunks.flat()]
  return [...text('RIFF'), ...le32(body.length), ...body]
}
const extended = (flags: number, width: number, height: number) =>
  webpChunk('VP8X', [flags, 0, 0, 0, ...le24(width - 1), ...le24(height - 1)])
const lossy = (width: number, height: number) =>
  webpChunk('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, width & 255, width >> 8, height & 255, height >> 8])
const lossless = (width: number, height: number) =>
  webpChunk('VP8L', [0x2f, ...le32(((width - 1) | ((height - 1) << 14)) >>> 0), 0, 0, 0, 0, 0])

test.each([
  ['a JPEG', [0xff, 0xd8, 0xff, 0xe0], 'convert'],
  ['a PNG', png(pngChunk('IDAT', 4)), 'convert'],
  ['a PNG with a profile before its pixels', png(pngChunk('iCCP', 3000), pngChunk('IDAT', 4)), 'convert'],
  ['a PNG that ends in its header', png(), 'convert'],
  ['a PNG whose chunk claims four gigabytes', png([...u32(0xffff_ffff), ...text('tEXt')]), 'convert'],
  ['an APNG', png(pngChunk('acTL', 8), pngChunk('IDAT', 4)), 'keep'],
  ['an APNG behind a profile', png(pngChunk('iCCP', 301), pngChunk('acTL', 8), pngChunk('IDAT', 4)), 'keep'],
  ['acTL among the pixels means nothing', png(pngChunk('IDAT', 4), pngChunk('acTL', 8)), 'convert'],
  ['a GIF', text('GIF89a'), 'keep'],
  ['an SVG', text('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'keep'],
  ['nothing', [], 'keep'],
  ['a WebP of 3000', webp(lossy(3000, 2000)), 'keep'],
  ['a WebP of 3001', webp(lossy(3001, 2000)), 'convert'],
  ['a tall lossless WebP', webp(lossless(100, 3001)), 'convert'],
  ['a lossless WebP', webp(lossless(3000, 3000)), 'keep'],
  ['an extended WebP', webp(extended(0, 3000, 10), lossy(3000, 10)), 'keep'],
  ['a large extended WebP', webp(extended(0, 10, 3001), lossy(10, 3001)), 'convert'],
  ['a large animated WebP', webp(extended(2, 4000, 4000), webpChunk('ANIM', [0, 0, 0, 0, 0, 0])), 'keep'],
  ['the same without its flag', webp(extended(0, 4000, 4000), webpChunk('ANIM', [0, 0, 0, 0, 0, 0])), 'keep'],
  ['a WebP cut short', webp(lossy(4000, 10)).slice(0, 22), 'keep'],
])('planOf: %s', (_, bytes, expected) => {
  expect(planOf(new Uint8Array(bytes), 3000)).toBe(expected)
})

test.each([
  [6000, 4000, 3000, 2000],
  [4000, 6000, 2000, 3000],
  [3000, 3000, 3000, 3000],
  [800, 600, 800, 600],
  [16_000, 1, 3000, 1],
  [1, 1, 1, 1],
])('fitWithin: %i x %i', (width, height, fitWidth, fitHeight) => {
  expect(fitWithin(width, height, 3000)).toEqual({ width: fitWidth, height: fitHeight })
})

test.each([
  ['harbour.png', 'harbour.webp'],
  ['a.b.jpeg', 'a.b.webp'],
  ['large.webp', 'large.webp'],
  ['photo', 'photo.webp'],
  ['.png', 'image.webp'],
  ['pasted-image-1790000000000.png', 'pasted-image-1790000000000.webp'],
])('webpName: %s', (name, expected) => {
  expect(webpName(name)).toBe(expected)
})

/** A new format does not compile without a decision here. */
const ofFormats: Record<ImageFormat, { start: number[]; plan: 'convert' | 'keep' }> = {
  jpeg: { start: [0xff, 0xd8, 0xff, 0xe0], plan: 'convert' },
  png: { start: png(), plan: 'convert' },
  webp: { start: webp(lossy(800, 600)), plan: 'keep' },
  gif: { start: text('GIF89a'), plan: 'keep' },
  svg: { start: text('<svg xmlns="http://www.w3.org/2000/svg"/>'), plan: 'keep' },
}
test.each(Object.entries(ofFormats))('a small image of the format %s is handled as decided', (_, { start, plan }) => {
  expect(planOf(Uint8Array.from(start), 3000)).toBe(plan)
})
