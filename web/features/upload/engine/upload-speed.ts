// How fast uploads get further. Pure: the caller passes the time.

export interface Sample {
  /** Epoch ms. */
  at: number
  bytesSent: number
  /** In any unit that stays the same. */
  work: number
}

/** The samples of the last seconds, oldest first. */
export type Pace = readonly Sample[]

/** Long enough for the steps of a slow line, where progress comes by the request (send-resumable.ts). */
const windowMs = 15_000
/** Before, the speed is not reliable. */
const reliableAfterMs = 1000

/** A queue that begins again, or a clock that is set back, begins a new pace. */
export function nextPace(pace: Pace, sample: Sample): Pace {
  const last = pace.at(-1)
  if (last !== undefined && (sample.bytesSent < last.bytesSent || sample.at <= last.at)) return [sample]
  return [...pace.filter(({ at }) => sample.at - at <= windowMs), sample]
}

/** The growth in a millisecond; undefined while there is no reliable speed. */
export function speedOf(pace: Pace, of: 'bytesSent' | 'work'): number | undefined {
  const [first, last] = [pace[0], pace.at(-1)]
  if (first === undefined || last === undefined || last.at - first.at < reliableAfterMs) return undefined
  const speed = (last[of] - first[of]) / (last.at - first.at)
  return speed > 0 ? speed : undefined
}
