import { expect, test } from 'vitest'
import { nextAfter } from './use-kept-focus.ts'

const [a, b, c, d] = [{}, {}, {}, {}]

test.each([
  ['the same image, when others before it went', [a, b, c], [b, c], 1, 0],
  ['the same image, when one came before it', [a, b], [c, a, b], 1, 2],
  ['the next one, when it went', [a, b, c], [a, c], 1, 1],
  ['the next one that is left', [a, b, c, d], [a, d], 1, 1],
  ['the last one, when none is left after it', [a, b, c], [a, b], 2, 1],
  ['the same place among those not read yet', [undefined, undefined, a], [undefined, a], 0, 1],
  ['the beginning of nothing', [a], [], 0, 0],
])('%s', (_, before, after, from, to) => {
  expect(nextAfter(before, after, from)).toBe(to)
})
