// The kinds of pictures in the sample set, as a table.
import type { SampleFormat } from './render-sample.ts'
import { badgeScene, cardScene, chartScene, screenshotScene } from './graphics.ts'
import {
  glowScene,
  mountainsScene,
  type Scene,
  seasideScene,
  type SceneSize,
  skylineScene,
  tilesScene,
} from './landscapes.ts'

type Names = readonly [string, ...string[]]
type Sizes = readonly [SceneSize, ...SceneSize[]]
export interface SampleKind {
  /** Share in per cent. */
  share: number
  /** 'turning' is the animation. */
  scene: Scene | 'turning'
  formats: readonly [SampleFormat, ...SampleFormat[]]
  sizes: Sizes
  names: Names
  hasGrain?: true
}

const size = (width: number, height: number): SceneSize => ({ width, height })
const photos: Sizes = [
  size(1600, 1067),
  size(1200, 1600),
  size(1920, 1080),
  size(1080, 1080),
  size(2400, 800),
  size(800, 600),
  size(2560, 1707),
]
const papers: Sizes = [size(1280, 720), size(1440, 900), size(960, 960), size(800, 1100)]
const small: Sizes = [size(512, 512), size(320, 320), size(640, 400)]

export const sampleKinds: [SampleKind, ...SampleKind[]] = [
  {
    share: 20,
    scene: mountainsScene,
    formats: ['jpeg', 'jpeg', 'jpeg', 'webp'],
    sizes: photos,
    names: [
      'Misty ridge',
      'Above the clouds',
      'Evening in the Alps',
      'IMG_2041',
      'Hut to hut',
      'North face',
      'DSC_0917',
    ],
    hasGrain: true,
  },
  {
    share: 17,
    scene: seasideScene,
    formats: ['jpeg', 'jpeg', 'webp'],
    sizes: photos,
    names: ['Low tide', 'Last ferry', 'PXL_4471', 'Sea at seven', 'Harbour light', 'Where the river ends'],
    hasGrain: true,
  },
  {
    share: 10,
    scene: skylineScene,
    formats: ['jpeg', 'webp', 'png'],
    sizes: photos,
    names: ['City at night', 'From the tenth floor', 'Lights on', 'Rooftops'],
  },
  {
    share: 12,
    scene: glowScene,
    formats: ['webp', 'jpeg'],
    sizes: photos,
    names: ['wallpaper', 'hero-background', 'gradient', 'Aurora'],
  },
  {
    share: 9,
    scene: tilesScene,
    formats: ['png', 'svg', 'webp'],
    sizes: papers,
    names: ['pattern', 'tiles', 'cover', 'textile'],
  },
  {
    share: 10,
    scene: chartScene,
    formats: ['png', 'png', 'svg'],
    sizes: papers,
    names: ['Visitors per month', 'Q3 report, page 2', 'chart', 'response-times'],
  },
  {
    share: 7,
    scene: cardScene,
    formats: ['png', 'jpeg'],
    sizes: papers,
    names: ['quote', 'slide', 'Poster', 'banner'],
  },
  {
    share: 7,
    scene: screenshotScene,
    formats: ['png'],
    sizes: papers,
    names: ['Screenshot', 'editor', 'Bildschirmfoto', 'bug'],
  },
  {
    share: 5,
    scene: badgeScene,
    formats: ['png', 'svg', 'webp'],
    sizes: small,
    names: ['badge', 'logo', 'sticker', 'icon'],
  },
  { share: 3, scene: 'turning', formats: ['gif', 'gif', 'webp'], sizes: small, names: ['loading', 'orbit', 'spinner'] },
]
