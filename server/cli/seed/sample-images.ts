// The images of the sample set: content, names, owners and ages.
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { renderSample, type SampleFormat } from './render-sample.ts'
import {
  glowScene,
  mountainsScene,
  orbitScene,
  type Scene,
  type SceneSize,
  seasideScene,
  skylineScene,
  tilesScene,
} from './scenes.ts'
import { type SeededRandom, createSeededRandom } from './seeded-random.ts'

export interface SampleImage {
  name: string
  /** Index of the owner; null for a guest's image. */
  owner: number | null
  /** Time since the upload. */
  ageMs: number
  draw: () => Promise<Buffer>
}

type AtLeastOne<T> = readonly [T, ...T[]]

interface SampleKind {
  /** Share in per cent. */
  share: number
  scene: Scene
  formats: AtLeastOne<SampleFormat>
  sizes: AtLeastOne<SceneSize>
  names: AtLeastOne<string>
  hasGrain?: true
}

const size = (width: number, height: number): SceneSize => ({ width, height })
const photos = [size(1600, 1067), size(1200, 1600), size(1920, 1080), size(1080, 1080), size(2400, 800)] as const
const graphics = [size(1280, 720), size(960, 960), size(800, 1100)] as const

const kinds: AtLeastOne<SampleKind> = [
  {
    share: 30,
    scene: mountainsScene,
    formats: ['jpeg', 'jpeg', 'jpeg', 'webp'],
    sizes: photos,
    names: ['Misty ridge', 'Above the clouds', 'Evening in the Alps', 'IMG_2041', 'Hut to hut', 'DSC_0917'],
    hasGrain: true,
  },
  {
    share: 24,
    scene: seasideScene,
    formats: ['jpeg', 'jpeg', 'webp'],
    sizes: photos,
    names: ['Low tide', 'Last ferry', 'PXL_4471', 'Sea at seven', 'Harbour light', 'Where the river ends'],
    hasGrain: true,
  },
  {
    share: 15,
    scene: skylineScene,
    formats: ['jpeg', 'webp', 'png'],
    sizes: photos,
    names: ['City at night', 'From the tenth floor', 'Lights on', 'Rooftops'],
  },
  {
    share: 14,
    scene: glowScene,
    formats: ['webp', 'jpeg'],
    sizes: photos,
    names: ['wallpaper', 'hero-background', 'gradient', 'Aurora'],
  },
  {
    share: 13,
    scene: tilesScene,
    formats: ['png', 'svg', 'webp'],
    sizes: graphics,
    names: ['pattern', 'tiles', 'cover', 'Poster'],
  },
  { share: 4, scene: orbitScene, formats: ['gif'], sizes: [size(512, 512)], names: ['loading', 'orbit', 'spinner'] },
]

const guestShare = 0.15
/** The first two have expired: a user's and a guest's. */
const gone: { owner: number | null; ageMs: number }[] = [
  { owner: 0, ageMs: limits.user.retentionDays * dayMs + dayMs / 3 },
  { owner: null, ageMs: limits.guest.retentionDays * dayMs + dayMs / 2 },
]
/** Formats that guests may upload (docs/behaviour.md, "Images"). */
const guestFormats = ['jpeg', 'png', 'webp'] as const

/** Returns the sample images, the same for the same numbers. @param owners number of owners */
export function createSampleImages(count: number, owners: number): SampleImage[] {
  const random = createSeededRandom('pictures')
  const used = new Map<string, number>()
  return Array.from({ length: count }, (_, n) => {
    const { scene, formats, sizes, names, hasGrain = false } = kindOf(random)
    const chosen = random.chance(guestShare) ? null : Math.floor(random.next() ** 1.7 * owners)
    const age = ageOf(random, chosen === null ? limits.guest.retentionDays : limits.user.retentionDays)
    const { owner, ageMs } = gone[n] ?? { owner: chosen, ageMs: age }
    const format = random.pick(owner === null ? guestFormats : formats)
    const base = random.pick(names)
    const number = (used.get(base) ?? 0) + 1
    used.set(base, number)
    const name = `${base}${number === 1 ? '' : ` ${number}`}.${format === 'jpeg' ? 'jpg' : format}`
    const sizePx = random.pick(sizes)
    return { name, owner, ageMs, draw: () => renderSample(name, { scene, size: sizePx, format, hasGrain }) }
  })
}

function kindOf(random: SeededRandom): SampleKind {
  let left = random.between(0, 100)
  return kinds.find(({ share }) => (left -= share) < 0) ?? kinds[0]
}

/** More recent ones are more frequent; one in twelve expires within a week. */
function ageOf(random: SeededRandom, retentionDays: number): number {
  const day = random.chance(1 / 12)
    ? retentionDays - random.between(0.2, limits.expiryNoticeDays - 0.2)
    : random.chance(0.6)
      ? random.next() ** 1.4 * 30
      : random.between(30, retentionDays - limits.expiryNoticeDays - 1)
  return Math.round((day + 0.01) * dayMs)
}
