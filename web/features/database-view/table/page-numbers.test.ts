import { expect, test } from 'vitest'
import { pageItems, parsePage } from './page-numbers.ts'

const said = (current: number, total: number) =>
  pageItems(current, total)
    .map((item) => (item === 'gap' ? '...' : item === current ? `[${item}]` : item))
    .join(' ')

test.each([
  [1, 0, ''],
  [1, 1, ''],
  [1, 2, '[1] 2'],
  [5, 5, '1 2 3 4 [5]'],
  [1, 6, '[1] 2 3 ... 6'],
  [3, 6, '1 2 [3] 4 5 6'],
  [6, 6, '1 ... 4 5 [6]'],
  [1, 25, '[1] 2 3 ... 25'],
  [2, 25, '1 [2] 3 ... 25'],
  [3, 25, '1 2 [3] 4 ... 25'],
  [4, 25, '1 2 3 [4] 5 ... 25'],
  [5, 25, '1 ... 4 [5] 6 ... 25'],
  [22, 25, '1 ... 21 [22] 23 24 25'],
  [25, 25, '1 ... 23 24 [25]'],
  [50_000, 100_000, '1 ... 49999 [50000] 50001 ... 100000'],
  [100_000, 100_000, '1 ... 99998 99999 [100000]'],
  // An address can name a page that does not exist.
  [99, 25, '1 ... 23 24 25'],
])('page %d of %d: %s', (current, total, expected) => {
  expect(said(current, total)).toBe(expected)
})

test.each([
  ['3', 3],
  [' 12 ', 12],
  ['100,000', 25],
  ['0', 1],
  ['99999999999999999999', 25],
  ['', undefined],
  ['-3', undefined],
  ['2.5', undefined],
  ['two', undefined],
])('typing %j of 25 pages: %s', (text, expected) => {
  expect(parsePage(text, 25)).toBe(expected)
})
