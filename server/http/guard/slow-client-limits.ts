// How slow a client may be: bytes per second, and seconds of standstill, for uploads, other requests and responses.

export interface MinimumThroughput {
  /** On average. */
  minBytesPerS: number
  /** Waiting for the client that is allowed before the average counts. */
  graceMs: number
  /** Judges each `graceMs` of waiting separately. Otherwise the average is since the first byte. */
  isPerPeriod?: true
  /** All waiting for the client that is allowed, whatever its throughput. Default: no limit. */
  maxWaitMs?: number | undefined
}

export interface ThroughputLimits {
  body: MinimumThroughput
  /** Bodies of uploads. */
  upload: MinimumThroughput
  response: MinimumThroughput
  checkEveryMs: number
}

/**
 * Uploads and responses may take any time (docs/decisions/0059), and stop for a while: a phone that loses its network
 * for a moment stays connected.
 */
export const throughputLimits: ThroughputLimits = {
  body: { minBytesPerS: 1024, graceMs: 10_000, maxWaitMs: 60_000 },
  upload: { minBytesPerS: 1024, graceMs: 30_000, isPerPeriod: true },
  response: { minBytesPerS: 1024, graceMs: 30_000, isPerPeriod: true },
  checkEveryMs: 100,
}
