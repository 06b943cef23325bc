// The type of a benchmark: a measurement of the built product against its limit, with goals.

import type { Runnable } from '../faults/run-named.ts'

export type { Form } from '../faults/run-named.ts'

/**
 * Its name is that of its file, bench/<name>.bench.ts. The full form yields the figures of docs/performance.md; those of the
 * short one mean nothing.
 */
export type Benchmark = Runnable<Table>

/** Rows that are compared with each other, measured alternately in one run. */
export interface Table {
  /** If the benchmark has several tables. */
  title?: string
  rows: Row[]
  /** Sentences below the table: what was compared, what was left out. */
  notes?: string[]
}

/** One row of a table. A missing value was not measured or does not apply. */
export interface Row {
  what: string
  /** Unit of `median` and `spread`. */
  unit: 'ms' | 's' | '/s' | 'MB' | 'kB' | ''
  /** NaN if it could not be measured. */
  median: number
  /** 10th to 90th percentile of the rounds. */
  spread?: Spread
  /** 99th percentile of the response times, in milliseconds. */
  p99Ms?: number
  /** CPU time per item of all processes that did the work. */
  cpuMs?: number
  /** Share of its core that the server used: below 1, it waited for the client. Only for delivery on one core. */
  coreShare?: number
  /** Peak resident memory of the process, or of the server and its largest decoder; empty if it cannot be read. */
  peakMB?: readonly number[]
  /** Number of responses per status, of all rounds: '100 x 200'. */
  responses?: string
  /** Number of 503 responses. No other figure includes them. */
  refused?: number
  /** Ratio to the row that its table compares with; for rates more is better, for times less. */
  ratio?: number
  goal?: Goal
  /** Something that the comparison needs was missing: the goal is neither met nor missed. */
  notJudged?: boolean
}

export type Spread = readonly [low: number, high: number]

/** Applies to the ratio if the row has one, otherwise to the median. */
export type Goal = { atLeast: number } | { atMost: number }

/** Undefined if there is no goal or it cannot be judged. */
export function meetsGoal({ ratio, median, goal, notJudged }: Row): boolean | undefined {
  if (goal === undefined || notJudged) return undefined
  const found = ratio ?? median
  return 'atLeast' in goal ? found >= goal.atLeast : found <= goal.atMost
}
