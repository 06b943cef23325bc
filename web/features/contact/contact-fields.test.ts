import { expect, test } from 'vitest'
import { contact } from '../../../contract/endpoints/contact.ts'
import { type FieldName, fieldNames, maxLengths, contactFieldError } from './contact-fields.ts'

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
  expect(contactFieldError(field, value, isMistyped)).toBe(expected)
})

test.each(fieldNames.filter((field) => field !== 'email'))(
  'the server says the same of a %s that is too long',
  (field) => {
    const others = { name: 'Dana', email: 'dana@example.com', subject: 'Hello', message: 'Hello' }
    const { template_params: params } = contact.sendEmail.body.shape
    const saidOf = (length: number) => {
      const text = 'x'.repeat(length)
      const refusal = params.safeParse({ ...others, [field]: text }).error?.issues[0]
      return [contactFieldError(field, text, false)?.replace(/^\w+ /, ''), refusal?.message]
    }
    expect(saidOf(maxLengths[field])).toEqual([undefined, undefined])
    const tooLong = `is longer than ${maxLengths[field].toLocaleString('en-US')} characters`
    expect(saidOf(maxLengths[field] + 1)).toEqual([tooLong, tooLong])
  },
)
