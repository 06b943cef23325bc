import { expect, test } from 'vitest'
import { columnPrefsText, noColumnPrefs, parseColumnPrefs } from '../database-columns.ts'
import { columnsOf, maxShown, shownColumns, withColumn, withWidth } from './table-columns.ts'

const row = (json: string) => JSON.parse(json) as { _id: string; createdAt: string }

test.each([
  ['nothing', [], ['_id']],
  ['one', ['{"_id":"1","createdAt":"","__v":0,"a":1}'], ['_id', 'a', 'createdAt', '__v']],
  [
    'the union',
    ['{"__v":0,"b":1,"_id":"1"}', '{"_id":"2","createdAt":"","a":1,"b":2}'],
    ['_id', 'b', 'a', 'createdAt', '__v'],
  ],
  ['system collections have no __v', ['{"_id":"1","createdAt":"","a":1}'], ['_id', 'a', 'createdAt']],
  [
    'odd names',
    ['{"_id":"1","":1,"__proto__":2,"a.b":3,"constructor":4,"10":5}'],
    ['_id', '10', '', '__proto__', 'a.b', 'constructor'],
  ],
])('columns: %s', (_, rows, expected) => {
  expect(columnsOf(rows.map(row))).toEqual(expected)
})

const many = ['_id', ...Array.from({ length: 300 }, (_, at) => `f${at}`), 'createdAt', '__v']

test('shows all columns when there are few, except hidden ones', () => {
  expect(shownColumns(['_id', 'a', 'b', '__v'], noColumnPrefs)).toEqual(['_id', 'a', 'b', '__v'])
  expect(shownColumns(['_id', 'a', 'b', '__v'], withColumn(noColumnPrefs, 'a', false))).toEqual(['_id', 'b', '__v'])
  expect(shownColumns(['_id', 'a'], withColumn(noColumnPrefs, '_id', false))).toEqual(['_id', 'a'])
})

test('shows the first and the last two of many columns', () => {
  const shown = shownColumns(many, noColumnPrefs)
  expect(shown).toHaveLength(maxShown)
  expect(shown.slice(-3)).toEqual(['f36', 'createdAt', '__v'])
})

test('an added column replaces the last one and appears at its own position', () => {
  const shown = shownColumns(many, withColumn(noColumnPrefs, 'f200', true))
  expect(shown).toHaveLength(maxShown)
  expect(shown.slice(-4)).toEqual(['f35', 'f200', 'createdAt', '__v'])
  const hidden = withColumn(withColumn(noColumnPrefs, 'f200', true), 'f200', false)
  expect(shownColumns(many, hidden).slice(-3)).toEqual(['f36', 'createdAt', '__v'])
})

test('resizing one column fixes the width of all, within bounds', () => {
  const measured = new Map([
    ['a', 100],
    ['b', 120],
  ])
  const once = withWidth(noColumnPrefs, measured, 'a', 300.4)
  expect([...once.widths]).toEqual([
    ['a', 300],
    ['b', 120],
  ])
  expect(withWidth(once, measured, 'b', 1).widths.get('b')).toBe(72)
  expect(withWidth(once, measured, 'b', 1e9).widths.get('b')).toBe(960)
})

test('stored settings are read back under any collection name', () => {
  const odd = { hidden: new Set(['', '__proto__']), picked: new Set(['a.b']), widths: new Map([['constructor', 99]]) }
  const all = new Map([
    ['__proto__', odd],
    ['users', noColumnPrefs],
  ])
  expect(parseColumnPrefs(columnPrefsText(all))).toEqual(all)
})

test('the stored settings are bounded', () => {
  const names = new Set(Array.from({ length: 5000 }, (_, at) => `field ${at}`))
  const all = new Map(many.map((name) => [name, { hidden: names, picked: names, widths: new Map() }] as const))
  expect(columnPrefsText(all).length).toBeLessThan(100_000)
})

test.each([null, '', '{', '7', '{"users":1}', '[1]', '[[1]]', '[["users",7,{},[["a","wide"]]]]'])(
  'unreadable settings are ignored: %s',
  (text) => {
    for (const prefs of parseColumnPrefs(text).values()) expect(prefs).toEqual(noColumnPrefs)
  },
)
