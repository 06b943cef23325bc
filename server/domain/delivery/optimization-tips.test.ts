import { describe, expect, it } from 'vitest'
import { optimizationTips } from './optimization-tips.ts'

const image = { format: 'webp', width: 800, height: 600, bytes: 40_000, frames: 1 } as const
const facts = {
  hasAlpha: false,
  isOpaque: true,
  isProgressive: true,
  hasProfile: false,
  space: 'srgb',
  depth: 'uchar',
  isPalette: false,
}

describe('optimizationTips', () => {
  it('gives no tips for an optimized image', () => {
    expect(optimizationTips(image, facts)).toEqual([])
  })

  it.each([
    ['too wide', { width: 4000, bytes: 400_000 }, {}, '4000 pixels wide'],
    ['a PNG that is smaller as WebP', { format: 'png' }, { webpBytes: 10_000 }, 'As WebP this image is 75% smaller'],
    ['a JPEG that is smaller as WebP', { format: 'jpeg' }, { webpBytes: 36_000 }, 'As WebP this image is 10% smaller'],
    ['a GIF that is smaller as WebP', { format: 'gif', frames: 2 }, { webpBytes: 20_000 }, '50% smaller'],
    ['a baseline JPEG', { format: 'jpeg' }, { isProgressive: false }, 'not progressive'],
    ['an interlaced PNG', { format: 'png' }, {}, 'interlaced'],
    ['an unused alpha channel', {}, { hasAlpha: true }, 'no pixel is transparent'],
    ['an animated GIF', { format: 'gif', frames: 12 }, {}, 'a still picture will do'],
    ['an animated WebP', { frames: 12 }, {}, 'a still picture will do'],
    ['a heavy file', { bytes: 480_000 }, {}, '1.0 bytes a pixel'],
    ['16 bits', {}, { depth: 'ushort' }, '16 bits a channel'],
    ['print colours', {}, { space: 'cmyk' }, 'made for print'],
    ['a profile', {}, { hasProfile: true }, 'colour profile'],
  ])('gives a tip about %s', (_, imageChange, factChange, words) => {
    const tips = optimizationTips({ ...image, ...imageChange } as typeof image, { ...facts, ...factChange })
    expect(tips.filter((tip) => tip.includes(words))).toHaveLength(1)
  })

  it.each([
    ['hardly smaller', 'jpeg', 38_000],
    ['larger', 'png', 50_000],
    ['not measured', 'jpeg', undefined],
    ['what it is', 'webp', 10_000],
  ] as const)('does not propose WebP where it is %s', (_, format, webpBytes) => {
    const tips = optimizationTips({ ...image, format }, { ...facts, webpBytes })
    expect(tips.filter((tip) => tip.includes('WebP'))).toEqual([])
  })

  it('gives one tip for an SVG, whatever its raster is like', () => {
    const svg = { ...image, format: 'svg', width: 4000, bytes: 900_000 } as const
    expect(optimizationTips(svg, { ...facts, hasAlpha: true, isProgressive: false })).toEqual([
      expect.stringContaining('SVG scales without loss'),
    ])
  })

  it('gives no tip about an alpha channel that is used', () => {
    expect(optimizationTips(image, { ...facts, hasAlpha: true, isOpaque: false })).toEqual([])
  })
})
