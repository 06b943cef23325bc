import { expect, it } from 'vitest'
import { cutText } from './cut-text.ts'

it.each<[string, number, string, number]>([
  ['', 3, '', 0],
  ['abc', 3, 'abc', 0],
  ['abcd', 3, 'abc', 1],
  ['ab😀d', 3, 'ab', 3],
  ['ab😀d', 4, 'ab😀', 1],
])('%j limited to %i is %j with %i left out', (text, max, shown, hidden) =>
  expect(cutText(text, max)).toEqual({ shown, hidden }),
)
