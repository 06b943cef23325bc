// How much decoder time a client may use for renders (docs/decisions/0060).
import { TokenBuckets } from '../../concurrency/token-buckets.ts'

/**
 * What a client can spend at once: a page of 200 photographs of 12 MP, 1,600 px wide and progressive, which is the costliest
 * ordinary case, takes 152 ms each.
 */
const burstMs = 30_000
/** Taken in advance for a render, until its real time is known: a photograph at 1,000 px. */
const expectedMs = 50

/** A client has used up its share while others wait. The request can be repeated (429 with Retry-After). */
export class RenderBudgetUsedUp extends Error {
  override name = 'RenderBudgetUsedUp'

  readonly retryAfterMs: number

  /** @param retryAfterMs until a render is within the budget again */
  constructor(retryAfterMs: number) {
    super('this client has used up its share of the decoders')
    this.retryAfterMs = retryAfterMs
  }
}

export class RenderBudget {
  readonly #buckets: TokenBuckets | null

  /**
   * @param sharePercent of all decoders that a client gets in the long run; 0: no limit
   * @param now a monotonic clock in milliseconds
   */
  constructor(sharePercent: number, decoders: number, now?: () => number) {
    const perMs = (decoders * sharePercent) / 100
    this.#buckets = sharePercent === 0 ? null : new TokenBuckets({ capacity: burstMs, perMs, ...(now && { now }) })
  }

  /**
   * @param isContended otherwise nobody is hurt by a client that exceeds its budget
   * @throws {RenderBudgetUsedUp}
   */
  take(client: string, isContended: () => boolean): void {
    if (!this.#buckets) return
    const waitMs = this.#buckets.waitMs(client, expectedMs)
    if (waitMs > 0 && isContended()) throw new RenderBudgetUsedUp(waitMs)
    this.#buckets.take(client, expectedMs)
  }

  /** The render has ended. @param usedMs CPU time that it took */
  settle(client: string, usedMs: number): void {
    this.#buckets?.take(client, usedMs - expectedMs)
  }
}
