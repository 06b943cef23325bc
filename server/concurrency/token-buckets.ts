// A budget per key that fills up steadily: what was saved can be spent at once. Limits the decoder time of clients
// (server/imaging/pool/render-budget.ts).
import { createLru } from './lru.ts'

/** Keys whose budget is stored. One that is evicted counts as full. */
const maxKeys = 10_000

interface BucketOptions {
  /** What a key can save, and how far it can overdraw. */
  capacity: number
  perMs: number
  /** A monotonic clock in milliseconds. */
  now?: () => number
}

export class TokenBuckets {
  readonly #options: Required<BucketOptions>
  readonly #buckets = createLru<{ left: number; atMs: number }>(maxKeys)

  constructor(options: BucketOptions) {
    this.#options = { now: () => performance.now(), ...options }
  }

  /** Below 0 for a key that has overdrawn. */
  left(key: string): number {
    const bucket = this.#buckets.get(key)
    const { capacity, perMs, now } = this.#options
    return bucket ? Math.min(capacity, bucket.left + (now() - bucket.atMs) * perMs) : capacity
  }

  /**
   * @param canOverdraw whether what exceeds the budget counts, down to a debt of `capacity`. Otherwise the budget ends at 0, and
   * the rest is free.
   */
  spend(key: string, amount: number, canOverdraw = true): void {
    const { capacity, now } = this.#options
    const before = this.left(key)
    const lowest = canOverdraw ? -capacity : Math.min(0, before)
    this.#buckets.set(key, { left: Math.max(lowest, before - amount), atMs: now() })
  }

  /** Milliseconds until the key has `amount`. */
  waitMs(key: string, amount: number): number {
    return Math.max(0, amount - this.left(key)) / this.#options.perMs
  }
}
