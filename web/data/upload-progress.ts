// How far an upload is, how fast, how long still. Pure: what the time is, is given.

/** Shares of the bar: converting to 15 %, sending to 95 %, the rest is the server's. */
const percentConverted = 15
const percentSent = 95
/** Where nothing tells how far it is, half of what is left goes by in this time. */
const creepHalfMs = 1500
const speedHalfLifeMs = 2000
/** Before that, a speed says little. */
const etaAfterMs = 1000

export interface Step {
  stage: 'waiting' | 'converting' | 'ready' | 'sending' | 'done' | 'failed' | 'refused'
  /** Bytes sent of all, from 0 to 1. */
  sent: number
  /** When the stage began; for what is sent whole, when the last byte went. */
  since: number
}

/** 0 to 100, not rounded. */
export function percentOf({ stage, sent, since }: Step, now: number): number {
  const creep = 1 - 2 ** (-Math.max(0, now - since) / creepHalfMs)
  switch (stage) {
    case 'waiting':
    case 'refused':
      return 0
    case 'converting':
      return percentConverted * creep
    case 'ready':
      return percentConverted
    case 'sending':
      return sent < 1
        ? percentConverted + (percentSent - percentConverted) * sent
        : percentSent + (100 - percentSent) * creep
    case 'done':
    case 'failed':
      return 100
  }
}

export interface Pace {
  startedAt: number
  at: number
  /** Whatever is counted, as long as it is the same each time. */
  work: number
  /** Work in a millisecond, the recent past counting more. */
  speed: number | undefined
}

export const startPace = (now: number, work: number): Pace => ({ startedAt: now, at: now, work, speed: undefined })

/** An exponential moving average, by time and not by the count of samples. */
export function nextPace(pace: Pace, now: number, work: number): Pace {
  const elapsed = now - pace.at
  if (elapsed <= 0) return pace
  const recent = Math.max(0, work - pace.work) / elapsed
  const weight = 1 - 2 ** (-elapsed / speedHalfLifeMs)
  const speed = pace.speed === undefined ? recent : pace.speed + weight * (recent - pace.speed)
  return { ...pace, at: now, work, speed }
}

/** Milliseconds until `left` is done; undefined while nobody can know. */
export function etaMs({ startedAt, at, speed }: Pace, left: number): number | undefined {
  if (at - startedAt < etaAfterMs || speed === undefined || speed <= 0) return undefined
  return left / speed
}
