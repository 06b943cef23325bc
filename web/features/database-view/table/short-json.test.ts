import { expect, test } from 'vitest'
import { shortJson, shortText } from './short-json.ts'

const nested = (depth: number) => JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth)) as unknown

test.each([
  ['a text', 'admin', '"admin"'],
  ['an empty text', '', '""'],
  ['a text with quotes and line breaks', 'a "b"\n<b>', '"a \\"b\\"\\n<b>"'],
  ['a number', 4.5, '4.5'],
  ['a boolean', false, 'false'],
  ['null', null, 'null'],
  ['a list', [1, 'two', [null]], '[1, "two", [null]]'],
  ['empty lists and objects', [[], {}], '[[], {}]'],
  ['an object', { a: 1, 'b.c': { '': true } }, '{"a": 1, "b.c": {"": true}}'],
  ['a field named `__proto__`', JSON.parse('{"__proto__": 1}'), '{"__proto__": 1}'],
])('shortJson writes %s', (_, value, expected) => {
  expect(shortJson(value)).toBe(expected)
})

test.each([
  ['a megabyte of text', 'x'.repeat(1_000_000)],
  ['a list of many', Array.from({ length: 100_000 }, (_, at) => at)],
  ['a very deep object', nested(5000)],
  ['a long name', { ['n'.repeat(10_000)]: 1 }],
])('%s is truncated', (_, value) => {
  expect(shortJson(value, 20)).toHaveLength(21)
  expect(shortJson(value, 20)).toMatch(/^["[{].+…$/)
})

test('does not split a code point', () => {
  expect(shortText('ab🦊', 3)).toBe('ab…')
  expect(shortText('ab🦊', 4)).toBe('ab🦊')
})
