import { expect, test } from 'vitest'
import { nextPreset, storedWidth, usualWidth, widthWithin } from './column-width.ts'

test.each([
  [null, undefined],
  ['300', 300],
  ['1', 192],
  ['9999', 520],
  ['1e9', undefined],
  ['-300', undefined],
  ['', undefined],
])('a sidebar that was kept as %j is %j wide', (stored, width) => {
  expect(storedWidth('sidebar', stored)).toBe(width)
})

test('a drag beyond the bounds stops at them', () => {
  expect([100, 400.4, 2000].map((width) => widthWithin('panel', width))).toEqual([320, 400, 640])
})

test('pressing steps through the widths', () => {
  expect([192, 240, 250, 360, 520].map((width) => nextPreset('sidebar', width))).toEqual([360, 360, 360, 520, 192])
})

test.each([
  [1024, 240, 400],
  [2560, 240, 435],
  [3840, 346, 640],
])('in a window of %i they start with %i and %i', (windowPx, sidebar, panel) => {
  expect([usualWidth('sidebar', windowPx), usualWidth('panel', windowPx)]).toEqual([sidebar, panel])
})
