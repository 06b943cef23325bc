import { expect, test } from 'vitest'
import { tooLong } from '../../../contract/endpoints/public-form.ts'
import { reports } from '../../../contract/endpoints/reports.ts'
import { type FieldValues, type FieldName, maxLengths, problemsIn, reasonOf } from './report-fields.ts'
import type { Problems } from '../../ui/forms/use-submit.ts'

const complete: FieldValues = { image: 'https://img.example/a.jpg', reason: 'spam', comment: '', email: '' }

test.each<[changed: Partial<FieldValues>, isMistyped: boolean, expected: Problems<FieldName>]>([
  [{}, false, {}],
  [{ image: '' }, false, { image: 'Image address is required' }],
  [{ reason: '' }, false, { reason: 'Choose a reason' }],
  [{ reason: 'other' }, false, { comment: 'Say what is wrong' }],
  [{ reason: 'other', comment: 'x' }, false, {}],
  [{ comment: 'x'.repeat(2000) }, false, {}],
  [{ comment: 'x'.repeat(2001) }, false, { comment: 'The text is longer than 2,000 characters' }],
  [{ email: 'eve' }, true, { email: 'This is not an email address. It should look like name@example.com' }],
])('%j (mistyped email: %s) has the problems %j', (changed, isMistyped, expected) => {
  expect(problemsIn({ ...complete, ...changed }, isMistyped)).toEqual(expected)
})

test.each(['image', 'comment', 'email'] as const)(
  'the server accepts a field %s of the form’s maximum length',
  (field) => {
    const max = maxLengths[field]
    const problemOf = (length: number) => {
      const value = field === 'email' ? emailOf(length) : 'x'.repeat(length)
      expect(value).toHaveLength(length)
      const { image, reason } = complete
      return reports.sendReport.body
        .safeParse({ image, reason, [field]: value })
        .error?.issues.map(({ path, message }) => [...path, message])
    }
    expect(problemOf(max)).toBe(undefined)
    expect(problemOf(max + 1)).toEqual([[field, tooLong(max)]])
  },
)

/** A local part of at most 64 characters, and a host of labels of at most 63. */
function emailOf(length: number): string {
  const label = 'h'.repeat(61)
  return `${`${'x'.repeat(64)}@${label}.${label}.`.padEnd(length - '.com'.length, 'h')}.com`
}

test('unknown reasons are ignored', () => {
  expect([reasonOf('spam'), reasonOf('__proto__'), reasonOf('')]).toEqual(['spam', '', ''])
})
