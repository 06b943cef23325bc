import { expect, test } from 'vitest'
import { type FieldName, problemOf } from './fields.ts'

test.each<[FieldName, string, boolean, string | undefined]>([
  ['name', 'Dana', false, undefined],
  ['name', '', false, 'Name is required'],
  ['subject', '  ', false, 'Subject is required'],
  ['message', '\n \n', false, 'Message is required'],
  ['email', '', false, 'Email is required'],
  ['email', 'dana', true, 'This is not an email address. It should look like name@example.com'],
  ['email', 'dana@example.com', false, undefined],
  ['message', 'x'.repeat(5000), false, undefined],
  ['message', 'x'.repeat(5001), false, 'Message is longer than 5,000 characters'],
  ['name', 'x'.repeat(101), false, 'Name is longer than 100 characters'],
])('%s: %j', (field, value, isMistyped, expected) => {
  expect(problemOf(field, value, isMistyped)).toBe(expected)
})
