import { expect, it } from 'vitest'
import { placesOf } from './album-places.ts'

const none: ReadonlySet<string> = new Set()

it.each([
  ['nothing new', ['a', 'b'], new Set(['a', 'b']), []],
  ['one alone is at the end already', ['a', 'b'], new Set(['a']), []],
  ['several go in front of the last of them', ['a', 'b', 'c'], none, [{ ids: ['a', 'b'], before: 'c' }]],
  [
    'one that was overtaken goes in front of the next',
    ['a', 'b', 'c'],
    new Set(['b', 'c']),
    [{ ids: ['a'], before: 'b' }],
  ],
  [
    'each run has its place',
    ['a', 'b', 'c', 'd', 'e', 'f'],
    new Set(['c', 'd']),
    [
      { ids: ['a', 'b'], before: 'c' },
      { ids: ['e'], before: 'f' },
    ],
  ],
])('%s', (_, images, placed, moves) => {
  expect(placesOf(images, placed)).toEqual(moves)
})
