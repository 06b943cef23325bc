// How much decoder time a client may use for renders (docs/decisions/0060).
import { networksPerSite, siteOf } from '../../concurrency/ipv6-site.ts'
import { TokenBuckets } from '../../concurrency/token-buckets.ts'

/**
 * What a client can spend at once: a page of 200 photographs of 12 MP, 1,600 px wide, at 88 ms each, with a reserve for
 * progressive ones, which take up to 152.
 */
const burstMs = 30_000

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
  /** By IPv6 site. */
  readonly #siteBuckets: TokenBuckets | null
  /** By client: what its renders that have not ended are expected to take. */
  readonly #reservedMs = new Map<string, number>()

  /**
   * @param sharePercent of all decoders that a client gets in the long run; 0: no limit
   * @param now a monotonic clock in milliseconds
   */
  constructor(sharePercent: number, decoders: number, now?: () => number) {
    const perMs = (decoders * sharePercent) / 100
    const bucketsFor = (clients: number) =>
      sharePercent === 0
        ? null
        : new TokenBuckets({ capacity: clients * burstMs, perMs: clients * perMs, ...(now && { now }) })
    this.#buckets = bucketsFor(1)
    this.#siteBuckets = bucketsFor(networksPerSite)
  }

  /**
   * @param expectedMs CPU time that the render is expected to take
   * @param isContended whether others wait: otherwise a client that exceeds its budget harms nobody, and owes nothing
   * @returns a function to call when the render has ended, with the CPU time that it took
   * @throws {RenderBudgetUsedUp}
   */
  reserve(client: string, expectedMs: number, isContended: boolean): (usedMs: number) => void {
    const site = siteOf(client)
    const budgets = [
      { buckets: this.#buckets, key: client },
      ...(site === undefined ? [] : [{ buckets: this.#siteBuckets, key: site }]),
    ]
    const waits = budgets.map(({ buckets, key }) => buckets?.waitMs(key, this.#reservedOf(key) + expectedMs) ?? 0)
    const waitMs = Math.max(...waits)
    if (waitMs > 0 && isContended) throw new RenderBudgetUsedUp(waitMs)
    for (const { key } of budgets) this.#changeReserved(key, expectedMs)
    return (usedMs) => {
      for (const { buckets, key } of budgets) {
        this.#changeReserved(key, -expectedMs)
        buckets?.spend(key, usedMs, isContended)
      }
    }
  }

  #reservedOf(client: string): number {
    return this.#reservedMs.get(client) ?? 0
  }

  #changeReserved(client: string, ms: number): void {
    const reservedMs = this.#reservedOf(client) + ms
    // Sums of fractions end near 0, not at it.
    if (reservedMs > 0.001) this.#reservedMs.set(client, reservedMs)
    else this.#reservedMs.delete(client)
  }
}
