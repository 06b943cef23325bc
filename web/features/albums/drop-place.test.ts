import { expect, test } from 'vitest'
import { type Box, dropPlace, slotsOf } from './drop-place.ts'

/** Two rows of three tiles, 100 by 100, 8 apart. */
const grid: Box[] = [0, 1, 2, 3, 4, 5].map((at) => {
  const [left, top] = [(at % 3) * 108, Math.floor(at / 3) * 108]
  return { at, left, top, right: left + 100, bottom: top + 100 }
})
const list: Box[] = [0, 1, 2].map((at) => ({ at, left: 0, right: 300, top: at * 72, bottom: at * 72 + 72 }))

test.for([
  ['before the first', -50, -50, 0],
  ['on the left half of the second', 120, 50, 1],
  ['on the right half of the second', 190, 50, 2],
  ['right of a row', 400, 50, 3],
  ['between the rows, nearer to the second', 20, 106, 3],
  ['below all', 20, 900, 3],
  ['after the last', 400, 900, 6],
] as const)('in the grid, %s lands at a slot', ([, x, y, slot]) => {
  expect(dropPlace(grid, x, y, 'grid')?.slot).toBe(slot)
})

test('in the grid, the mark is a line between two tiles', () => {
  expect(dropPlace(grid, 120, 50, 'grid')).toEqual({ slot: 1, left: 102, top: 0, width: 4, height: 100 })
  expect(dropPlace(grid, 400, 50, 'grid')).toEqual({ slot: 3, left: 318, top: 0, width: 4, height: 100 })
})

test.for([
  [10, 0],
  [40, 1],
  [100, 1],
  [110, 2],
  [500, 3],
] as const)('in the list, %i px lands at slot %i', ([y, slot]) => {
  expect(dropPlace(list, 50, y, 'list')?.slot).toBe(slot)
})

test('without tiles there is no place', () => {
  expect(dropPlace([], 0, 0, 'grid')).toBeUndefined()
})

test.for([
  [1, 'ArrowLeft', -1],
  [1, 'ArrowRight', 1],
  [1, 'ArrowDown', 3],
  [4, 'ArrowUp', -3],
  [4, 'ArrowDown', undefined],
  [1, 'ArrowUp', undefined],
  [1, 'Home', -6],
  [1, 'End', 6],
  [1, 'a', undefined],
  [1, 'toString', undefined],
] as const)('tile %i moves with %s by %s', ([at, key, slots]) => {
  expect(slotsOf(grid, at, key, 6)).toBe(slots)
})
