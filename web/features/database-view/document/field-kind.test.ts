import { expect, it } from 'vitest'
import { fieldKind } from './field-kind.ts'

it.each<[string, unknown, string]>([
  ['_id', 'a', 'locked'],
  ['createdAt', '2026-01-01T00:00:00.000Z', 'locked'],
  ['__v', 3, 'locked'],
  ['completed', true, 'switch'],
  ['completed', 'yes', 'text'],
  ['active', false, 'switch'],
  ['priority', 'low', 'priority'],
  ['priority', 'urgent', 'priority'],
  ['priority', '', 'priority'],
  ['priority', 3, 'number'],
  ['priority', null, 'null'],
  ['priority', { level: 1 }, 'complex'],
  ['count', 0, 'number'],
  ['name', '', 'text'],
  ['name', 'x'.repeat(50), 'text'],
  ['name', 'x'.repeat(51), 'long'],
  ['name', 'two\nlines', 'long'],
  ['nothing', null, 'null'],
  ['tags', [], 'complex'],
  ['address', {}, 'complex'],
  ['__proto__', 'x', 'text'],
])('%s: %j is edited as %s', (name, value, kind) => expect(fieldKind(name, value)).toBe(kind))
