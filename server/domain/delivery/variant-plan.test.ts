import { describe, expect, it } from 'vitest'
import { fullAccess } from '../images/may-view.ts'
import { planViewed, type SourceImage, type VariantRequest } from './variant-plan.ts'

const planOf = (image: SourceImage, request: VariantRequest) => planViewed({ ...image, ...fullAccess }, request)

const photo = { format: 'jpeg', width: 4000, height: 3000, frames: 1, has_alpha: 0 } as const
const small = { format: 'png', width: 300, height: 200, frames: 1, has_alpha: 1 } as const
const moving = { format: 'gif', width: 500, height: 500, frames: 100, has_alpha: 1 } as const
const drawing = { format: 'svg', width: 600, height: 300, frames: 1, has_alpha: 1 } as const
const poster = { format: 'svg', width: 6000, height: 3000, frames: 1, has_alpha: 0 } as const
const own = (width?: number, height?: number, fit: VariantRequest['fit'] = 'inside'): VariantRequest => ({
  format: 'own',
  ...(width === undefined ? {} : { width }),
  ...(height === undefined ? {} : { height }),
  fit,
  quality: 80,
  keepsAnimation: true,
})

describe('planViewed', () => {
  it.each([
    ['a width', photo, own(800), 'w800-q80.jpeg', true],
    ['a width over what the intermediate serves', photo, own(801), 'w801-q80.jpeg', false],
    ['a width past the original: never enlarged', small, own(4096), 'w300-q80.png', true],
    ['no width: the whole', photo, own(), 'w4000-q80.jpeg', false],
    ['a box', photo, own(300, 300, 'cover'), 'cover-300x300-q80.jpeg', true],
    ['a crop past the original keeps its ratio', small, own(4000, 2000, 'cover'), 'cover-300x150-q80.png', true],
    ['a crop that needs a large scaled picture', photo, own(700, 700, 'cover'), 'cover-700x700-q80.jpeg', false],
    ['inside a box', small, own(400, 100, 'inside'), 'inside-300x100-q80.png', true],
    ['contain keeps the asked-for box', small, own(400, 400, 'contain'), 'contain-400x400-q80.png', true],
    [
      'a GIF in its own format is WebP, moving while it is small enough',
      moving,
      own(200),
      'w200-q80-animated.webp',
      false,
    ],
    ['an animation of 25 MP is kept', moving, own(500), 'w500-q80-animated.webp', false],
    [
      'JPEG of an animation: its first frame',
      moving,
      { ...own(200), format: 'jpeg', keepsAnimation: false },
      'w200-q80.jpeg',
      true,
    ],
    ['an SVG in its own format is WebP, from its raster', drawing, own(300), 'w300-q80.webp', true],
    ['an SVG past its size: never enlarged', drawing, own(4096), 'w600-q80.webp', true],
    ['an SVG past its raster', poster, own(4096), 'w2000-q80.webp', true],
    ['an SVG whole', poster, own(), 'w2000-q80.webp', true],
    ['a crop of an SVG past its raster', poster, own(3000, 3000, 'cover'), 'cover-1000x1000-q80.webp', true],
    ['AVIF', photo, { ...own(800), format: 'avif' }, 'w800-q80.avif', true],
    [
      'AVIF of a photograph only',
      photo,
      { ...own(800), format: 'avif', onlyPhotograph: true },
      'w800-q80-photograph.avif',
      true,
    ],
    ['AVIF that is too large is WebP', photo, { ...own(2600), format: 'avif' }, 'w2600-q80.webp', false],
    ['AVIF of an animation is WebP', moving, { ...own(200), format: 'avif' }, 'w200-q80-animated.webp', false],
    ['AVIF of the first frame', moving, { ...own(200), format: 'avif', keepsAnimation: false }, 'w200-q80.avif', true],
    ['GIF moves within 12.5 MP', moving, { ...own(350), format: 'gif' }, 'w350-q80-animated.gif', false],
    ['a larger GIF is its first frame', moving, { ...own(500), format: 'gif' }, 'w500-q80.gif', true],
    ['PNG does not move', moving, { ...own(200), format: 'png' }, 'w200-q80.png', true],
    ['PNG has no quality', photo, { ...own(800), format: 'png', quality: 20 }, 'w800-q80.png', true],
    ['a blur', photo, { ...own(200), blurPx: 9 }, 'w200-q80-blur9.jpeg', true],
    ['a blur of an animation: its first frame', moving, { ...own(200), blurPx: 9 }, 'w200-q80-blur9.webp', true],
    ['a colour behind transparency', small, { ...own(200), background: 'ff0000' }, 'w200-q80-onff0000.png', true],
    ['a colour that is not seen', photo, { ...own(200), background: 'ff0000' }, 'w200-q80.jpeg', true],
    [
      'a colour of bars',
      photo,
      { ...own(300, 300, 'contain'), background: 'ff0000' },
      'contain-300x300-q80-onff0000.jpeg',
      true,
    ],
    ['JPEG of an SVG', poster, { ...own(1600), format: 'jpeg' }, 'w1600-q80.jpeg', true],
  ] as const)('%s', (_, image, request, key, mayUseIntermediate) => {
    expect(planOf(image, request)).toMatchObject({ key, mayUseIntermediate })
  })

  it('shows the first frame when frames x output pixels pass 25 MP', () => {
    expect(planOf({ ...moving, frames: 101 }, own(500)).job.animated).toBe(false)
  })

  it('never plans a side of 0 pixels', () => {
    expect(planOf({ ...photo, width: 16_383, height: 1 }, own(1, 1, 'cover')).job).toMatchObject({
      width: 1,
      height: 1,
    })
    expect(planOf({ ...photo, width: 1, height: 16_383 }, own(4096, 1, 'cover')).job).toMatchObject({
      width: 1,
      height: 1,
    })
  })
})
