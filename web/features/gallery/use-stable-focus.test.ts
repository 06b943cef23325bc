import { expect, test } from 'vitest'
import { nextAfter } from './use-stable-focus.ts'

const [a, b, c, d] = [{}, {}, {}, {}]

test.each([
  ['the same image when others before it were deleted', [a, b, c], [b, c], 1, 0],
  ['the same image when one was added before it', [a, b], [c, a, b], 1, 2],
  ['the next one when it was deleted', [a, b, c], [a, c], 1, 1],
  ['the next remaining one', [a, b, c, d], [a, d], 1, 1],
  ['the last one when none remains after it', [a, b, c], [a, b], 2, 1],
  ['the same place among images that are not loaded', [undefined, undefined, a], [undefined, a], 0, 1],
  ['the start of an empty list', [a], [], 0, 0],
])('%s', (_, before, after, from, to) => {
  expect(nextAfter(before, after, from)).toBe(to)
})
