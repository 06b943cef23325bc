// From what was measured to what is told of it: medians, spreads, percentiles, and works that take turns.
import type { Goal, Row, Spread } from './part.ts'

/** Of sorted values, by nearest rank: 0.5 is the median. 0 where there are none. */
export const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b)

export const medianOf = (values: readonly number[]) => at(sorted(values), 0.5)

/** The start of a row whose figure is the time of one call. @param times in milliseconds, of each call */
export function timesRow(what: string, times: readonly number[]): Row & { spread: Spread } {
  const all = sorted(times)
  return { what, unit: 'ms', median: at(all, 0.5), spread: [at(all, 0.1), at(all, 0.9)], p99Ms: at(all, 0.99) }
}

/** One round of a work that is told as a rate. */
export interface Round {
  items: number
  tookMs: number
  /** Of the processes that did the work. */
  cpuMs?: number
  /** Of each answer, in milliseconds. */
  times?: readonly number[]
  peakMB?: readonly number[]
  /** Answers of 503, not among the items. */
  refused?: number
}

/** The start of a row whose figure is items per second: each round one value, the answers of all rounds together. */
export function ratesRow(what: string, rounds: readonly Round[]): Row & { spread: Spread } {
  const rates = sorted(rounds.map(({ items, tookMs }) => (items / tookMs) * 1000))
  const times = sorted(rounds.flatMap(({ times: own = [] }) => own))
  const cpu = rounds.flatMap(({ cpuMs, items }) => (cpuMs === undefined ? [] : [cpuMs / items]))
  const peaks = rounds.flatMap(({ peakMB }) => (peakMB === undefined ? [] : [peakMB]))
  const refused = rounds.reduce((sum, round) => sum + (round.refused ?? 0), 0)
  return {
    what,
    unit: '/s',
    median: at(rates, 0.5),
    spread: [at(rates, 0.1), at(rates, 0.9)],
    ...(times.length > 0 && { p99Ms: at(times, 0.99) }),
    ...(cpu.length > 0 && { cpuMs: medianOf(cpu) }),
    ...(refused > 0 && { refused }),
    ...(peaks[0] && { peakMB: peaks[0].map((_, n) => Math.max(...peaks.map((peak) => peak[n] ?? 0))) }),
  }
}

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
 * One after the other in each round, so that what disturbs one disturbs the other as well. One list for each work.
 * @param warmUps rounds before, that are not counted: processes start in them, caches fill
 */
export async function roundsInTurns<T>(
  works: readonly (() => Promise<T>)[],
  rounds: number,
  warmUps = 1,
): Promise<T[][]> {
  const found: T[][] = works.map(() => [])
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const [n, work] of works.entries()) {
      const one = await work()
      if (round >= warmUps) found[n]?.push(one)
    }
  }
  return found
}

/** The same for short calls: milliseconds of each, sorted. */
export async function inTurns(
  works: readonly (() => Promise<unknown>)[],
  rounds: number,
  warmUps = 20,
): Promise<number[][]> {
  const timed = works.map((work) => async () => {
    const start = performance.now()
    await work()
    return performance.now() - start
  })
  return (await roundsInTurns(timed, rounds, warmUps)).map(sorted)
}
