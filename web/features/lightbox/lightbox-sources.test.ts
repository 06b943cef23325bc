import { describe, expect, it } from 'vitest'
import type { Image } from '../../../contract/endpoints/images.ts'
import { fittedSize, naturalSize, slideSourcesOf } from './lightbox-sources.ts'

const image = (change: Partial<Image>): Image => ({
  id: 'abc',
  file_name: 'harbour-abc.jpg',
  original_name: 'harbour.jpg',
  title: '',
  alt: '',
  slug: null,
  tags: [],
  url: 'https://example.com/uploads/harbour-abc.jpg',
  thumbnailUrl: 'https://example.com/api/thumbnail/abc/400',
  page_url: 'https://example.com/i/abc',
  width: 4000,
  height: 2000,
  size: 1,
  mime: 'image/jpeg',
  frames: 1,
  placeholder: '#808080',
  blur: null,
  created_at: '2026-11-01T00:00:00.000Z',
  expires_at: '2027-11-01T00:00:00.000Z',
  views_left: null,
  views: 0,
  visibility: 'public',
  view_key: null,
  is_guest: false,
  guest: false,
  ...change,
})

describe('slideSourcesOf', () => {
  it.each([
    ['wider than every variant', 4000, 1600, [800, 1600, 2400]],
    ['between two widths', 1200, 1200, [800, 1200]],
    ['as wide as one', 1600, 1600, [800, 1600]],
    ['a little wider than the main one', 1700, 1600, [800, 1600, 1700]],
    ['smaller than all', 64, 64, [64]],
  ])('%s', (_, width, main, widths) => {
    const { src, alternatives } = slideSourcesOf(image({ width }))
    expect(src).toBe(`/api/webp/abc/80?width=${main}`)
    expect(alternatives).toEqual(widths.map((each) => ({ src: `/api/webp/abc/80?width=${each}`, width: each })))
  })

  it.each([
    ['an SVG', { mime: 'image/svg+xml' }],
    ['an animation', { mime: 'image/webp', frames: 12 }],
  ])('%s is shown as the original', (_, change) => {
    expect(slideSourcesOf(image(change))).toEqual({
      src: 'https://example.com/uploads/harbour-abc.jpg',
      alternatives: [],
    })
  })
})

describe('sizes', () => {
  it.each([
    ['a wide image in a tall space', {}, { width: 400, height: 800 }, { width: 400, height: 200 }],
    ['a wide image in a flat space', {}, { width: 4000, height: 100 }, { width: 200, height: 100 }],
    [
      'an image that is smaller than the space',
      { width: 64, height: 32 },
      { width: 900, height: 900 },
      { width: 64, height: 32 },
    ],
    [
      'an SVG that is smaller than the space',
      { width: 24, height: 24, mime: 'image/svg+xml' },
      { width: 900, height: 700 },
      { width: 700, height: 700 },
    ],
  ])('%s', (_, change, space, size) => {
    expect(fittedSize(image(change), space)).toEqual(size)
  })

  it('an SVG fills the width of the lightbox', () => {
    expect(naturalSize(image({ width: 24, height: 12, mime: 'image/svg+xml' }))).toEqual({ width: 1600, height: 800 })
  })
})
