import { expect, test } from 'vitest'
import { nextWidthStep, storedWidth, defaultWidth, widthWithin } from './column-width.ts'

test.each([
  [null, undefined],
  ['300', 300],
  ['1', 192],
  ['9999', 520],
  ['1e9', undefined],
  ['-300', undefined],
  ['', undefined],
])('a stored sidebar width of %j becomes %j', (stored, width) => {
  expect(storedWidth('sidebar', stored)).toBe(width)
})

test('a drag beyond the bounds stops at them', () => {
  expect([100, 400.4, 2000].map((width) => widthWithin('panel', width))).toEqual([320, 400, 640])
})

test('pressing the separator steps through the widths', () => {
  expect([192, 240, 250, 360, 520].map((width) => nextWidthStep('sidebar', width))).toEqual([360, 360, 360, 520, 192])
})

test.each([
  [1024, 240, 400],
  [2560, 240, 435],
  [3840, 346, 640],
])('in a window of %i px the default widths are %i and %i', (windowPx, sidebar, panel) => {
  expect([defaultWidth('sidebar', windowPx), defaultWidth('panel', windowPx)]).toEqual([sidebar, panel])
})
