// What typing, pasting and Backspace do to the boxes of a PIN. '' is an empty box.

export type Digits = readonly string[]

/** The boxes, and the one that the focus goes to. */
interface Typed {
  digits: Digits
  at: number
}

export const emptyDigits = (count: number): Digits => Array.from({ length: count }, () => '')
export const isFull = (digits: Digits) => digits.every((digit) => digit !== '')

/** @param value all that stands in the box `at` now: a phone's keyboard may add to what stood there, or put in many at once */
export function typeInto(digits: Digits, at: number, value: string): Typed {
  if (value === '') return { digits: digits.with(at, ''), at }
  const before = digits[at] ?? ''
  const found = digitsIn(value)
  if (found.length !== 2 || before === '') return fill(digits, at, found)
  // The new one may stand before the old one or after it.
  return fill(digits, at, found.startsWith(before) ? found.slice(1) : found.slice(0, 1))
}

/** A whole PIN goes into all boxes, a part of one goes on from the box `at`. */
export function pasteInto(digits: Digits, at: number, text: string): Typed {
  const found = digitsIn(text)
  return fill(digits, found.length >= digits.length ? 0 : at, found)
}

/** Backspace in an empty box: the one before it loses its digit. */
export function stepBack(digits: Digits, at: number): Typed {
  const before = Math.max(0, at - 1)
  return { digits: digits.with(before, ''), at: before }
}

function fill(digits: Digits, from: number, found: string): Typed {
  const filled = digits.map((digit, at) => found[at - from] ?? digit)
  return { digits: filled, at: Math.min(from + found.length, digits.length - 1) }
}

/** Full-width ones too, as some keyboards write them. */
const digitsIn = (text: string) => text.normalize('NFKC').replace(/[^0-9]/g, '')
