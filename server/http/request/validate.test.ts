import { expect, it } from 'vitest'
import { z } from 'zod'
import { Failure } from '../../domain/shared/failure.ts'
import { validate } from './validate.ts'

const schema = z.strictObject({
  name: z.string().min(2).max(4),
  list: z.array(z.string()).min(1).max(2).optional(),
  count: z.int().min(1).max(9).optional(),
  ratio: z.number().min(0.5).optional(),
  isOn: z.boolean().optional(),
  inner: z.object({ at: z.iso.datetime() }).optional(),
  sort: z.enum(['new', 'old']).optional(),
  undo: z.literal('1').optional(),
  email: z.email().optional(),
  either: z.union([z.string(), z.number()]).optional(),
  none: z.string().nullable().optional(),
  own: z.string().regex(/^x/, 'must begin with x').optional(),
})
const name = 'Ada'

it.each<[given: unknown, message: string]>([
  [{}, 'name: is required'],
  [[], 'body: must be an object'],
  [{ name: 5 }, 'name: must be a string'],
  [{ name: null }, 'name: must be a string'],
  [{ name, none: 5 }, 'none: must be a string'],
  [{ name: 'A' }, 'name: must have at least 2 characters'],
  [{ name: 'Grace' }, 'name: must have at most 4 characters'],
  [{ name, list: 'a' }, 'list: must be a list'],
  [{ name, list: [] }, 'list: must have at least 1 item'],
  [{ name, list: ['a', 'b', 'c'] }, 'list: must have at most 2 items'],
  [{ name, list: [5] }, 'list.0: must be a string'],
  [{ name, count: '5' }, 'count: must be a number'],
  [{ name, count: 1.5 }, 'count: must be a whole number'],
  [{ name, count: 0 }, 'count: must be at least 1'],
  [{ name, count: 10 }, 'count: must be at most 9'],
  [{ name, isOn: 'yes' }, 'isOn: must be true or false'],
  [{ name, inner: 'x' }, 'inner: must be an object'],
  [{ name, inner: {} }, 'inner.at: is required'],
  [{ name, inner: { at: 'today' } }, 'inner.at: must be a time such as 2027-01-31T12:00:00Z'],
  [{ name, sort: 'odd' }, 'sort: must be one of new, old'],
  [{ name, undo: '2' }, 'undo: must be 1'],
  [{ name, email: 'x' }, 'email: must be an email address'],
  [{ name, either: true }, 'either: is not valid'],
  [{ name, own: 'y' }, 'own: must begin with x'],
  [{ name, a: 1, b: 2 }, 'a, b: is not a field of this request'],
])('%j is refused with "%s"', (given, message) => {
  expect(() => validate(schema, given)).toThrow(new Failure('invalid_input', splitAt(message)))
})

const splitAt = (message: string) => {
  const [field = '', problem = ''] = message.split(': ')
  return { field, problem }
}
