import { expect, test } from 'vitest'
import { reports } from '../../../contract/reports.ts'
import { type FieldValues, maxLengths, type Problems, problemsIn, reasonOf } from './report-fields.ts'

const complete: FieldValues = { image: 'https://img.example/a.jpg', reason: 'spam', words: '', email: '' }

test.each<[changed: Partial<FieldValues>, isMistyped: boolean, expected: Problems]>([
  [{}, false, {}],
  [{ image: '' }, false, { image: 'Image address is required' }],
  [{ reason: '' }, false, { reason: 'Choose a reason' }],
  [{ reason: 'other' }, false, { words: 'Say what is wrong' }],
  [{ reason: 'other', words: 'x' }, false, {}],
  [{ words: 'x'.repeat(2000) }, false, {}],
  [{ words: 'x'.repeat(2001) }, false, { words: 'The text is longer than 2,000 characters' }],
  [{ email: 'eve' }, true, { email: 'This is not an email address. It should look like name@example.com' }],
])('%j (mistyped email: %s) has the problems %j', (changed, isMistyped, expected) => {
  expect(problemsIn({ ...complete, ...changed }, isMistyped)).toEqual(expected)
})

test.each(['image', 'words', 'email'] as const)(
  'the server accepts a field %s of the form’s maximum length',
  (field) => {
    const ending = field === 'email' ? '@example.com' : ''
    const accepts = (length: number) => {
      const value = `${'x'.repeat(length - ending.length)}${ending}`
      const { image, reason } = complete
      return reports.sendReport.body.safeParse({ image, reason, [field]: value }).error?.issues[0]?.message
    }
    if (field !== 'email') expect(accepts(maxLengths[field])).toBe(undefined)
    expect(accepts(maxLengths[field] + 1)).toBeDefined()
  },
)

test('unknown reasons are ignored', () => {
  expect([reasonOf('spam'), reasonOf('__proto__'), reasonOf('')]).toEqual(['spam', '', ''])
})
