// Parses a typed number: decimals with a point, and only numbers that JSON stores without loss.

export type NumberProblem = 'empty' | 'notNumber' | 'tooLarge' | 'inexact'

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const whole = /^[+-]?\d+$/

export function readNumber(text: string): { value: number } | { problem: NumberProblem } {
  const typed = text.trim()
  if (typed === '') return { problem: 'empty' }
  if (!decimal.test(typed)) return { problem: 'notNumber' }
  const value = Number(typed)
  // JSON has no infinity: it would be stored as null.
  if (!Number.isFinite(value)) return { problem: 'tooLarge' }
  const isExact = whole.test(typed) ? BigInt(typed.replace('+', '')) === BigInt(value) : value !== 0 || isZero(typed)
  return isExact ? { value } : { problem: 'inexact' }
}

/** 1e-400 is nonzero as typed but parses to 0. */
const isZero = (typed: string) => !/[1-9]/.test(typed.replace(/e.*$/i, ''))
