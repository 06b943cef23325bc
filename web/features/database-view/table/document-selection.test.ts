import { expect, test } from 'vitest'
import {
  pageSelectionState,
  extendRange,
  toggleDocument,
  togglePage,
  deselect,
  type Selection,
} from './document-selection.ts'

const page = (ids: string) => ids.split('').map((_id) => ({ _id, createdAt: '2026-11-21T00:00:00.000Z' }))
const selected = (ids: string): Selection => new Map(ids.split('').map((id) => [id, []]))
const ids = (selection: Selection) => [...selection.keys()].toSorted((a, b) => a.localeCompare(b)).join('')

test.each([
  ['', 'abc', 'none'],
  ['b', 'abc', 'some'],
  ['abc', 'abc', 'all'],
  ['abcx', 'abc', 'all'],
  ['x', 'abc', 'none'],
  ['', '', 'none'],
  ['x', '', 'none'],
])('with %j selected, the page %j has %s selected', (chosen, rows, expected) => {
  expect(pageSelectionState(selected(chosen), page(rows))).toBe(expected)
})

test.each([
  ['', 'abc', 'abc'],
  ['b', 'abc', 'abc'],
  ['abc', 'abc', ''],
  ['bx', 'abc', 'abcx'],
  ['abcx', 'abc', 'x'],
])('%j after toggling the page %j: %j', (chosen, rows, expected) => {
  expect(ids(togglePage(selected(chosen), page(rows)))).toBe(expected)
})

test('selects and deselects one document', () => {
  const [row] = page('a')
  if (row === undefined) throw new Error('a row')
  const one = toggleDocument(selected('x'), row)
  expect(ids(one)).toBe('ax')
  expect(ids(toggleDocument(one, row))).toBe('x')
})

test.each([
  [1, 3, 'bcdx'],
  [3, 1, 'bcdx'],
  [2, 2, 'cx'],
])('selects a range from %d to %d', (from, to, expected) => {
  expect(ids(extendRange(selected('x'), page('abcde'), from, to))).toBe(expected)
})

test('removes deleted documents from the selection', () => {
  expect(ids(deselect(selected('abc'), ['a', 'z']))).toBe('bc')
})

test('stores a truncated sample of each document', () => {
  const row = { _id: 'a', createdAt: '', __v: 3, name: 'x'.repeat(1000), age: 4, tags: ['t'], more: true }
  const [[, name] = [], ...others] = toggleDocument(new Map(), row).get('a') ?? []
  expect(name).toHaveLength(41)
  expect(others).toEqual([
    ['age', '4'],
    ['tags', '["t"]'],
  ])
})
