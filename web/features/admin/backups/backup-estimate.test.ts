import { expect, test } from 'vitest'
import { displayedFraction, remainingMs } from './backup-estimate.ts'

const minute = 60_000

test.each([
  ['at the start', 0, minute, 0, 0],
  ['by the time alone', 30_000, minute, 0, 0.5],
  ['past the estimate', 5 * minute, minute, 0, 0.95],
  ['the server knows better: slower', 50_000, minute, 10, 0.1],
  ['the server knows better: faster', 1000, minute, 80, 0.8],
  ['never as good as done', 1000, minute, 99, 0.95],
  ['of somebody else’s backup', 30_000, undefined, 0, 0],
  ['of somebody else’s backup, told', 30_000, undefined, 40, 0.4],
  ['a clock that was set back', -minute, minute, 0, 0],
] as const)('%s', (_, elapsedMs, estimateMs, percent, expected) => {
  expect(displayedFraction({ elapsedMs, estimateMs, percent })).toBe(expected)
})

test.each([
  ['what was said', 10_000, minute, 0, 50_000],
  ['too little is done to tell', 10_000, minute, 4, 50_000],
  ['as fast as until now', 10_000, minute, 50, 10_000],
  ['longer than was said', 2 * minute, minute, 0, -minute],
  ['nobody knows', 10_000, undefined, 0, undefined],
] as const)('time left: %s', (_, elapsedMs, estimateMs, percent, expected) => {
  expect(remainingMs({ elapsedMs, estimateMs, percent })).toBe(expected)
})
