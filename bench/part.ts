// What every part of the bench is: a measurement of the built product beside its limit, with the goals it has to reach.

/** `full` is what docs/performance.md tells; `short` the same in seconds, to see that it runs: its figures mean nothing. */
export type Form = 'short' | 'full'

export interface Part {
  /** That of its file, bench/<name>.bench.ts. */
  name: string
  title: string
  /** It installs what others do without: run where it is named, not where all parts are. */
  onlyByName?: boolean
  /** What the machine lacks for that form of it, as words that end a sentence: "it needs nginx". */
  missing?(form: Form): Promise<string | undefined>
  run(form: Form): Promise<Table[]>
}

/** Rows that are compared with each other, measured in turns in one run. */
export interface Table {
  /** Where a part has several. */
  title?: string
  rows: Row[]
  /** Sentences below it: what was compared with what, what was left out. */
  notes?: string[]
}

/** One line of a table. What is not there was not measured, or has no meaning for it. */
export interface Row {
  what: string
  /** Of `median` and `spread`. */
  unit: 'ms' | 's' | '/s' | 'MB' | 'kB' | ''
  /** NaN where it could not be measured. */
  median: number
  /** From the tenth to the ninetieth percentile of the rounds. */
  spread?: Spread
  /** Of single answers, in milliseconds. */
  p99Ms?: number
  /** CPU time of all the processes that did the work, for one item. */
  cpuMs?: number
  /** Share of its core that the server used: below 1, it waited for the client. Of delivery on one core. */
  ofCore?: number
  /** Most resident memory: of the process, or of the server and of its largest decoder; empty where it cannot be read. */
  peakMB?: readonly number[]
  /** Answers of 503: told to come later. They are in no other figure. */
  refused?: number
  /** To the row that its table compares with; of rates more is better, of times less. */
  ratio?: number
  goal?: Goal
  /** Something that the comparison needs was missing: the goal is neither reached nor missed. */
  notJudged?: boolean
}

export type Spread = readonly [low: number, high: number]

/** Of the ratio where the row has one, else of the median. */
export type Goal = { atLeast: number } | { atMost: number }

/** Undefined where there is no goal, or where it cannot be judged. */
export function holds({ ratio, median, goal, notJudged }: Row): boolean | undefined {
  if (goal === undefined || notJudged) return undefined
  const found = ratio ?? median
  return 'atLeast' in goal ? found >= goal.atLeast : found <= goal.atMost
}
