// How far a backup is, and how long it will take. Never more than is known.

/** Until it is completed, a backup shows at most this fraction as done. */
const maxShownWhileRunning = 0.95

interface Running {
  elapsedMs: number
  /** What was said at its start; undefined for a backup that somebody else has started. */
  estimateMs: number | undefined
  /** What the server says, 0 to 100. */
  percent: number
}

/** Below this, what is done so far says nothing about the rest. */
const tellingPercent = 5

/**
 * The part to be shown as done, 0 to 1. As soon as the server tells how far it is, that is it; until then it is the time that
 * has passed. A backup that is not completed is never shown as good as done.
 */
export function shownPart({ elapsedMs, estimateMs, percent }: Running): number {
  const expected = estimateMs === undefined ? 0 : Math.max(0, elapsedMs) / estimateMs
  return Math.min(maxShownWhileRunning, percent > 0 ? percent / 100 : expected)
}

/** Milliseconds to its end; less than 0 when it takes longer than was said; undefined when nobody knows. */
export function timeLeft({ elapsedMs, estimateMs, percent }: Running): number | undefined {
  if (percent >= tellingPercent) return (elapsedMs / percent) * (100 - percent)
  return estimateMs === undefined ? undefined : estimateMs - elapsedMs
}
