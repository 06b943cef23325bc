// From what was measured to what is told of it: medians, spreads, percentiles, and works that take turns.
import { percentile } from '../faults/percentile.ts'
import type { Goal, Row, Spread } from './part.ts'

/** By nearest rank: 0.5 is the median. @throws on no values: a 0 in their place would hold every "at most" */
function rank(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error('Nothing was measured')
  return percentile(values, share)
}

export const medianOf = (values: readonly number[]) => rank(values, 0.5)

export const p99Of = (values: readonly number[]) => rank(values, 0.99)

export const spreadOf = (values: readonly number[]): Spread => [rank(values, 0.1), rank(values, 0.9)]

/** The start of a row whose figure is the time of one call. @param times in milliseconds, of each call; at least one */
export const timesRow = (what: string, times: readonly number[]): Row & { spread: Spread; p99Ms: number } => ({
  what,
  unit: 'ms',
  median: medianOf(times),
  spread: spreadOf(times),
  p99Ms: p99Of(times),
})

/** Of a goal for memory. Where it could not be read, it is not judged. */
export const memoryRow = (what: string, megabytes: number | undefined, atMost: number): Row => ({
  what,
  unit: 'MB',
  median: megabytes ?? Number.NaN,
  goal: { atMost },
  ...(megabytes === undefined && { notJudged: true }),
})

/** One round of a work that is told as a rate. */
export interface Round {
  items: number
  tookMs: number
  /** Of the processes that did the work. */
  cpuMs?: number
  /** Of each answer, in milliseconds. */
  times?: readonly number[]
  /** Of each kind of process that did it, where it could be read. */
  peakMB?: readonly number[]
  /** Answers of 503, not among the items. */
  refused?: number
}

/** The start of a row whose figure is items per second: each round one value, the answers of all rounds together. */
export function ratesRow(what: string, rounds: readonly Round[]): Row & { spread: Spread } {
  const rates = rounds.map(({ items, tookMs }) => (items / tookMs) * 1000)
  const times = rounds.flatMap(({ times: own = [] }) => own)
  const cpu = rounds.flatMap(({ cpuMs, items }) => (cpuMs === undefined ? [] : [cpuMs / items]))
  const refused = rounds.reduce((sum, round) => sum + (round.refused ?? 0), 0)
  const peakMB = mostOf(rounds.flatMap((round) => (round.peakMB === undefined ? [] : [round.peakMB])))
  return {
    what,
    unit: '/s',
    median: medianOf(rates),
    spread: spreadOf(rates),
    ...(times.length > 0 && { p99Ms: p99Of(times) }),
    ...(cpu.length > 0 && { cpuMs: medianOf(cpu) }),
    ...(refused > 0 && { refused }),
    ...(peakMB.length > 0 && { peakMB }),
  }
}

/** Place by place: in some rounds there may have been no decoder. */
const mostOf = (peaks: readonly (readonly number[])[]) =>
  Array.from({ length: Math.max(0, ...peaks.map((peak) => peak.length)) }, (_, n) =>
    Math.max(...peaks.flatMap((peak) => peak[n] ?? [])),
  )

/**
 * The median of the ratios of each round: what disturbs a round disturbs both of its works.
 * @param rounds and @param base in the same order, each round of the one next to the round of the other
 */
export function ratioOfRates(rounds: readonly Round[], base: readonly Round[]): number {
  const rate = ({ items, tookMs }: Round) => items / tookMs
  return medianOf(rounds.flatMap((round, n) => (base[n] ? [rate(round) / rate(base[n])] : [])))
}

/** The whole row of a rate beside the one that it is compared with. */
export const ratesBeside = (what: string, rounds: readonly Round[], base: readonly Round[], goal?: Goal): Row => ({
  ...ratesRow(what, rounds),
  ratio: ratioOfRates(rounds, base),
  ...(goal && { goal }),
})

/**
 * One after the other in each round, so that what disturbs one disturbs the other as well; every second round backwards, so that
 * none always comes after the same one. One list for each work.
 * @param warmUps rounds before, that are not counted: processes start in them, caches fill
 */
export async function alternateRounds<T>(
  works: readonly (() => Promise<T>)[],
  rounds: number,
  warmUps = 1,
): Promise<T[][]> {
  const found: T[][] = works.map(() => [])
  const order = [...works.entries()]
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const [n, work] of round % 2 === 0 ? order : order.toReversed()) {
      const one = await work()
      if (round >= warmUps) found[n]?.push(one)
    }
  }
  return found
}

/** The same for short calls: milliseconds of each. */
export function alternate(
  works: readonly (() => Promise<unknown>)[],
  rounds: number,
  warmUps = 20,
): Promise<number[][]> {
  const timed = works.map((work) => async () => {
    const start = performance.now()
    await work()
    return performance.now() - start
  })
  return alternateRounds(timed, rounds, warmUps)
}
