import { expect, test } from 'vitest'
import { limits } from './limits.ts'
import { ladderWidth, sourceWidths, widthLadder } from './width-ladder.ts'

test('each width of the ladder is at most 1.28 times the one below it', () => {
  for (const [at, width] of widthLadder.slice(1).entries()) {
    const below = widthLadder[at] ?? 0
    expect(width).toBeGreaterThan(below)
    expect(width / below).toBeLessThanOrEqual(1.28)
  }
  expect(widthLadder.at(-1)).toBe(limits.variant.maxSidePx)
})

test('the widths of the page and of embed codes are on the ladder', () => {
  const { thumbnailPx, listThumbnailPx } = limits.variant
  const used = [thumbnailPx, listThumbnailPx, ...limits.embed.widthsPx, ...limits.lightboxWidthsPx]
  for (const width of used) expect(ladderWidth(width)).toBe(width)
})

test.each([
  [1, 64],
  [64, 64],
  [64.1, 80],
  [401, 512],
  [4096, 4096],
  [12_000, 4096],
])('a width of %d becomes %d', (width, expected) => {
  expect(ladderWidth(width)).toBe(expected)
})

test.each([
  ['a photograph, shown at 400', 4000, 400, [320, 400, 512, 640, 800, 1000, 1200]],
  ['an image of 900, shown at 800', 900, 800, [320, 400, 512, 640, 800, 900]],
  ['an image whose width is on the ladder', 640, 800, [320, 400, 512, 640]],
  ['a small image', 200, 800, [200]],
])('the sources of %s', (_, imageWidth, shownWidth, expected) => {
  expect(sourceWidths(imageWidth, shownWidth)).toEqual(expected)
})
