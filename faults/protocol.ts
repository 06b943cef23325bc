// What every fault protocol is: a harness outside the server that breaks something and counts what broke with it.

/** `full` is the protocol as it is published; `short` the same in seconds, for every run of the tests. */
export type Form = 'short' | 'full'

export interface Protocol {
  /** Its number, such as F1. Its goals stand in docs/security.md, "Measured", by the name of its file. */
  id: string
  title: string
  /** What the machine lacks for that form of it, as words that end a sentence: "it needs gcc". */
  missing?(form: Form): Promise<string | undefined>
  run(form: Form): Promise<Finding[]>
}

/** One figure of a run. */
export interface Finding {
  what: string
  found: string
  /** The figure to reach, when there is one. */
  goal?: string
  /** False fails the run. A figure without a goal holds. */
  holds: boolean
}

/** A figure without a goal: told, not judged. */
export const told = (what: string, found: string | number): Finding => ({ what, found: String(found), holds: true })

export const atMost = (what: string, found: number, most: number, unit = ''): Finding => ({
  what,
  found: `${round(found)}${unit}`,
  goal: most === 0 ? `0${unit}` : `at most ${most}${unit}`,
  holds: found <= most,
})

export const atLeast = (what: string, found: number, least: number, unit = ''): Finding => ({
  what,
  found: `${round(found)}${unit}`,
  goal: `at least ${least}${unit}`,
  holds: found >= least,
})

/** What went wrong, one by one: none may. The first few are told in full. */
export const none = (what: string, wrongs: readonly string[]): Finding => ({
  what,
  found: wrongs.length === 0 ? '0' : `${wrongs.length}: ${[...new Set(wrongs)].slice(0, 5).join('; ')}`,
  goal: '0',
  holds: wrongs.length === 0,
})

const round = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(3)))
