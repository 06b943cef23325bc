// The progress of a backup and the estimate of its end.

/** Until it is completed, a backup shows at most this fraction as done. */
const maxShownWhileRunning = 0.95

interface Running {
  elapsedMs: number
  /** The estimate at its start; undefined for a backup that another page has started. */
  estimateMs: number | undefined
  /** From the server, 0 to 100. */
  percent: number
}

/** Below this fraction the progress is too small for an estimate. */
const minPercentForEstimate = 5

/** 0 to 1: the server's progress as soon as there is any, until then the elapsed part of the estimate. */
export function displayedFraction({ elapsedMs, estimateMs, percent }: Running): number {
  const expected = estimateMs === undefined ? 0 : Math.max(0, elapsedMs) / estimateMs
  return Math.min(maxShownWhileRunning, percent > 0 ? percent / 100 : expected)
}

/** Negative when it takes longer than estimated; undefined when it is unknown. */
export function remainingMs({ elapsedMs, estimateMs, percent }: Running): number | undefined {
  if (percent >= minPercentForEstimate) return (elapsedMs / percent) * (100 - percent)
  return estimateMs === undefined ? undefined : estimateMs - elapsedMs
}
