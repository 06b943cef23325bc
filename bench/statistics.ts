// Computes figures from measurements: medians, spreads, percentiles, rates and their ratios.
import { percentile } from '../faults/percentile.ts'
import type { Goal, Row, Spread } from './benchmark.ts'

/**
 * Nearest rank: 0.5 is the median.
 * @throws if there are no values: a 0 in their place would meet every upper limit
 */
function nearestRank(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error('Nothing was measured')
  return percentile(values, share)
}

export const medianOf = (values: readonly number[]) => nearestRank(values, 0.5)

export const p99Of = (values: readonly number[]) => nearestRank(values, 0.99)

export const spreadOf = (values: readonly number[]): Spread => [nearestRank(values, 0.1), nearestRank(values, 0.9)]

/**
 * The start of a row of response times.
 * @param times of each call, in milliseconds; at least one
 */
export const timesRow = (what: string, times: readonly number[]): Row & { spread: Spread; p99Ms: number } => ({
  what,
  unit: 'ms',
  median: medianOf(times),
  spread: spreadOf(times),
  p99Ms: p99Of(times),
})

/** A row with a goal for memory. It is not judged where memory could not be read. */
export const memoryRow = (what: string, megabytes: number | undefined, atMost: number): Row => ({
  what,
  unit: 'MB',
  median: megabytes ?? Number.NaN,
  goal: { atMost },
  ...(megabytes === undefined && { notJudged: true }),
})

/** One round of a work that is reported as a rate. */
export interface Round {
  items: number
  tookMs: number
  /** CPU time of the processes that did the work. */
  cpuMs?: number
  /** Time of each response, in milliseconds. */
  times?: readonly number[]
  /** Peak memory of each kind of process that did the work, where it could be read. */
  peakMB?: readonly number[]
  /** Number of 503 responses, not included in the items. */
  refused?: number
}

/** The start of a row of rates: one value per round; the response times of all rounds are pooled. */
export function ratesRow(what: string, rounds: readonly Round[]): Row & { spread: Spread } {
  const rates = rounds.map(({ items, tookMs }) => (items / tookMs) * 1000)
  const times = rounds.flatMap(({ times: own = [] }) => own)
  const cpu = rounds.flatMap(({ cpuMs, items }) => (cpuMs === undefined ? [] : [cpuMs / items]))
  const refused = rounds.reduce((sum, round) => sum + (round.refused ?? 0), 0)
  const peakMB = maxPerPosition(rounds.flatMap((round) => (round.peakMB === undefined ? [] : [round.peakMB])))
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

/** Maximum per position: some rounds may have no decoder. */
const maxPerPosition = (peaks: readonly (readonly number[])[]) =>
  Array.from({ length: Math.max(0, ...peaks.map((peak) => peak.length)) }, (_, n) =>
    Math.max(...peaks.flatMap((peak) => peak[n] ?? [])),
  )

/**
 * The median of the ratios of adjacent rounds: a disturbance affects both of its works.
 * @param rounds one work
 * @param base the other work, in the same order: adjacent rounds have the same index
 */
export function ratioOfRates(rounds: readonly Round[], base: readonly Round[]): number {
  const rate = ({ items, tookMs }: Round) => items / tookMs
  return medianOf(rounds.flatMap((round, n) => (base[n] ? [rate(round) / rate(base[n])] : [])))
}

/** A row of rates with its ratio to a base. */
export const comparedRatesRow = (what: string, rounds: readonly Round[], base: readonly Round[], goal?: Goal): Row => ({
  ...ratesRow(what, rounds),
  ratio: ratioOfRates(rounds, base),
  ...(goal && { goal }),
})
