// AVIF of photographs for fmt=auto, rendered after the response that was a WebP: encoding takes 1.6 times as long.
import { LRUCache } from 'lru-cache'
import { createSemaphore, type Semaphore } from '../../concurrency/semaphore.ts'
import { background, ImageRefused } from '../../imaging/pool/imaging.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import type { ViewedImage } from '../images/image-row.ts'
import type { VariantPlan } from './variant-plan.ts'
import { getOrRenderVariant } from './variants.ts'

/** Waiting renders: further ones are started by a later request. */
const maxPending = 100
/** Of each list: a hundred bytes each. */
const maxListed = 100_000
/** After a render that failed for another reason than the image. */
const retryAfterMs = 60_000

interface AvifRenders {
  /** Variants that wait or are being rendered. */
  pending: Set<string>
  failed: LRUCache<string, true>
  /** Images by id, and crops by name: no AVIF of them is worth its render. */
  drawings: LRUCache<string, true>
  /** So that the other decoder is free for responses. */
  oneAtATime: Semaphore
}

const rendersOf = new WeakMap<Deps, AvifRenders>()

/** @returns whether an AVIF of the variant may be cached soon */
export function renderAvifLater(deps: Deps, row: ViewedImage, plan: VariantPlan): boolean {
  const { pending, failed, drawings, oneAtATime } = openRenders(deps)
  const name = `${row.id}/${plan.key}`
  // A crop of a photograph may be of one colour.
  const image = plan.job.fit === 'inside' ? row.id : name
  if (drawings.has(image)) return false
  if (pending.has(name) || failed.has(name) || pending.size >= maxPending) return true
  pending.add(name)
  deps.background.start('avif', async (signal) => {
    try {
      using _turn = await oneAtATime()
      // Responses that wait for a decoder come first.
      if (!signal.aborted && deps.imaging.stats().transform.queued === 0)
        await getOrRenderVariant(deps, row, { address: background, isUnlimited: true }, plan)
    } catch (error) {
      if (error instanceof ImageRefused) return void drawings.set(image, true)
      failed.set(name, true)
      if (!(error instanceof Failure)) throw error
    } finally {
      pending.delete(name)
    }
  })
  return true
}

function openRenders(deps: Deps): AvifRenders {
  const opened = rendersOf.get(deps) ?? {
    pending: new Set(),
    failed: new LRUCache({ max: maxListed, ttl: retryAfterMs }),
    drawings: new LRUCache({ max: maxListed }),
    oneAtATime: createSemaphore({ permits: 1, maxQueued: maxPending, rejectWith: () => new Failure('busy') }),
  }
  rendersOf.set(deps, opened)
  return opened
}
