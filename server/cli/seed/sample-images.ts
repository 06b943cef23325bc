// The images of the sample set: content, names, owners and ages.
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { renderAnimation, renderSample, type SampleFormat } from './render-sample.ts'
import { type SampleKind, sampleKinds } from './sample-kinds.ts'
import { badgeScene } from './graphics.ts'
import { type SeededRandom, createSeededRandom } from './seeded-random.ts'
import type { SceneSize } from './landscapes.ts'

export interface SampleImage {
  name: string
  /** Index of the owner; null for a guest's image. */
  owner: number | null
  /** Time since the upload. */
  ageMs: number
  draw: () => Promise<Buffer>
}

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
    const kind = kindOf(random)
    const chosen = random.chance(guestShare) ? null : Math.floor(random.next() ** 1.7 * owners)
    const age = ageOf(random, chosen === null ? limits.guest.retentionDays : limits.user.retentionDays)
    const { owner, ageMs } = gone[n] ?? { owner: chosen, ageMs: age }
    const format = owner === null ? random.pick(guestFormats) : random.pick(kind.formats)
    const base = random.pick(kind.names)
    const number = (used.get(base) ?? 0) + 1
    used.set(base, number)
    const name = `${base}${number === 1 ? '' : ` ${number}`}.${format === 'jpeg' ? 'jpg' : format}`
    return { name, owner, ageMs, draw: painter(kind, format, random.pick(kind.sizes), `${name} of the sample set`) }
  })
}

function kindOf(random: SeededRandom): SampleKind {
  let left = random.between(0, 100)
  return sampleKinds.find(({ share }) => (left -= share) < 0) ?? sampleKinds[0]
}

function painter(kind: SampleKind, format: SampleFormat, sizePx: SceneSize, seed: string): () => Promise<Buffer> {
  const { scene, hasGrain = false } = kind
  return () => {
    const random = createSeededRandom(seed)
    if (scene !== 'turning') return renderSample(random, { scene, size: sizePx, format, hasGrain })
    return format === 'gif' || format === 'webp'
      ? renderAnimation(random, sizePx, format)
      : renderSample(random, { scene: badgeScene, size: sizePx, format, hasGrain })
  }
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
