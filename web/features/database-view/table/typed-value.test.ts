import { expect, test } from 'vitest'
import { typedValue } from './typed-value.ts'

test.each([
  ['a', null, { kind: 'null' }],
  ['completed', false, { kind: 'boolean', value: false }],
  ['n', 0, { kind: 'number', value: 0 }],
  ['priority', 'high', { kind: 'priority', value: 'high' }],
  ['priority', 'urgent', { kind: 'text', value: 'urgent' }],
  ['level', 'high', { kind: 'text', value: 'high' }],
  ['a', '', { kind: 'text', value: '' }],
  ['a', '<b>', { kind: 'text', value: '<b>' }],
  ['createdAt', '2026-11-21T14:56:36.000Z', { kind: 'date', value: '2026-11-21T14:56:36.000Z' }],
  ['a', '2026-11-21T14:56+02:00', { kind: 'date', value: '2026-11-21T14:56+02:00' }],
  ['a', '2026-13-41T99:00Z', { kind: 'text', value: '2026-13-41T99:00Z' }],
  ['a', '2026-11-21', { kind: 'text', value: '2026-11-21' }],
  ['a', [1, 2], { kind: 'list', size: 2 }],
  ['a', { b: 1, '': 2, c: 3 }, { kind: 'object', size: 3 }],
])('%s: %j', (field, value, expected) => {
  expect(typedValue(field, value)).toEqual(expected)
})
