// The effect of typing, pasting and Backspace on the digits of a PIN. '' is an empty box.

export type Digits = readonly string[]

/** The digits, and the box that takes the focus. */
interface PinInput {
  digits: Digits
  at: number
}

export const emptyDigits = (count: number): Digits => Array.from({ length: count }, () => '')
export const isFull = (digits: Digits) => digits.every((digit) => digit !== '')

/** @param value the whole content of the box `at`: a phone's keyboard can append to it or insert several digits at once */
export function typeInto(digits: Digits, at: number, value: string): PinInput {
  if (value === '') return { digits: digits.with(at, ''), at }
  const before = digits[at] ?? ''
  const found = digitsIn(value)
  if (found.length !== 2 || before === '') return fill(digits, at, found)
  // The new digit is before or after the old one.
  return fill(digits, at, found.startsWith(before) ? found.slice(1) : found.slice(0, 1))
}

/** A complete PIN fills all boxes; a part of one continues from the box `at`. */
export function pasteInto(digits: Digits, at: number, text: string): PinInput {
  const found = digitsIn(text)
  return fill(digits, found.length >= digits.length ? 0 : at, found)
}

/** Backspace in an empty box clears the previous one. */
export function clearPrevious(digits: Digits, at: number): PinInput {
  const before = Math.max(0, at - 1)
  return { digits: digits.with(before, ''), at: before }
}

function fill(digits: Digits, from: number, found: string): PinInput {
  const filled = digits.map((digit, at) => found[at - from] ?? digit)
  return { digits: filled, at: Math.min(from + found.length, digits.length - 1) }
}

/** Includes full-width digits, which some keyboards produce. */
const digitsIn = (text: string) => text.normalize('NFKC').replace(/[^0-9]/g, '')
