import { expect, test } from 'vitest'
import { tileBox, gridHeightPx, tileAfterKey, windowOf } from './tile-window.ts'

/** 5 columns of 208 px, rows of 248 px. */
const view = { widthPx: 1088, scrolledPx: -300, windowPx: 900, remPx: 16, count: 100_000 }

test('the window of 100,000 images has the rows in view and two before and after them', () => {
  expect(windowOf(view)).toMatchObject({ columns: 5, rowPx: 248, first: 0, end: 25 })
  expect(windowOf({ ...view, scrolledPx: 248 * 10_000 })).toMatchObject({ first: 49_990, end: 50_030 })
  expect(windowOf({ ...view, scrolledPx: 248 * 20_000 - 900 })).toMatchObject({ end: 100_000 })
})

test.each([
  ['an empty grid', { count: 0 }, 0, 0],
  ['a grid below the window', { scrolledPx: -10_000 }, 0, 0],
  ['a grid above the window', { count: 10, scrolledPx: 10_000 }, 10, 10],
])('the window of %s has no tile', (_, over, first, end) => {
  expect(windowOf({ ...view, ...over })).toMatchObject({ first, end })
})

test('a grid narrower than a tile has one column of its width', () => {
  expect(windowOf({ ...view, widthPx: 150 })).toMatchObject({ columns: 1, columnPx: 150 })
})

test('the tiles fill the width and the height of the grid', () => {
  const shown = windowOf({ ...view, count: 12 })
  expect(tileBox(shown, 4).left + tileBox(shown, 4).width).toBeCloseTo(view.widthPx)
  expect(tileBox(shown, 11).top + tileBox(shown, 11).height).toBe(gridHeightPx(shown, 12))
  expect(gridHeightPx(shown, 0)).toBe(0)
})

test.each([
  ['ArrowRight', 0, 1],
  ['ArrowLeft', 0, undefined],
  ['ArrowDown', 3, 8],
  ['ArrowDown', 8, undefined],
  ['ArrowUp', 8, 3],
  ['ArrowUp', 3, undefined],
  ['Home', 8, 0],
  ['End', 3, 11],
  ['End', 11, undefined],
  ['a', 3, undefined],
])('%s moves from tile %i to %s', (key, from, to) => {
  expect(tileAfterKey(key, from, windowOf({ ...view, count: 12 }), 12)).toBe(to)
})
