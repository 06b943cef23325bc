// A fault scenario: a harness outside the server that injects a fault and counts its effects.
import type { Runnable } from './run-named.ts'

export type { Form } from './run-named.ts'

export interface Scenario extends Runnable<Finding> {
  /** Its number, such as F1. Its goals are in faults/README.md, under the name of its file. */
  id: string
}

/** One figure of a run. */
export interface Finding {
  what: string
  found: string
  /** The goal, if there is one. */
  goal?: string
  /** False fails the run. A figure without a goal always holds. */
  holds: boolean
  /** Left out of the short form. */
  isOnlyFull?: true
}

/** A figure without a goal: reported only. */
export const info = (what: string, found: string | number): Finding => ({ what, found: String(found), holds: true })

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

/** A figure of the full form alone: other tests run beside the short one, so that its times say nothing. */
export const inFull = (finding: Finding): Finding => ({ ...finding, isOnlyFull: true })

/** A list of violations, which must be empty. The first few are reported in full. */
export const none = (what: string, wrongs: readonly string[]): Finding => ({
  what,
  found: wrongs.length === 0 ? '0' : `${wrongs.length}: ${[...new Set(wrongs)].slice(0, 5).join('; ')}`,
  goal: '0',
  holds: wrongs.length === 0,
})

const round = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(3)))
