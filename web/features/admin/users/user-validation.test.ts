import { expect, test } from 'vitest'
import type { User } from '../../../../contract/endpoints/accounts.ts'
import { changesOf, newUserOf, type UserFields, fieldErrorsOf } from './user-validation.ts'

const fields: UserFields = {
  email: 'a@example.com',
  password: '',
  name: 'a',
  firstName: '',
  lastName: '',
  role: 'user',
  status: 'Active',
}
const user = { ...fields, id: '1', imageCount: 3 } as unknown as User

test.each([
  ['a new account without a password', { name: '' }, undefined, ['password']],
  ['a short password', { password: '12345', currentPassword: 'mine' }, user, ['password']],
  ['a new password without the own one', { password: '123456' }, user, ['currentPassword']],
  ['a new email without the own password', { email: 'b@example.com' }, user, ['currentPassword']],
  ['the role admin', { role: 'admin' }, user, []],
  ['a reactivated user', {}, { ...user, status: 'Inactive' }, []],
  ['no new password', {}, user, []],
  ['quotas that are no numbers', { quotaBytes: NaN, quotaImages: NaN }, user, ['quotaBytes', 'quotaImages']],
  ['a quota, and none', { quotaBytes: 0, quotaImages: null }, user, []],
  ['nothing at all', { email: '', name: '' }, user, ['email', 'currentPassword', 'name']],
  ['a new account with what it needs', { password: '123456', name: '' }, undefined, []],
] as const)('%s', (_, change, edited, wrong) => {
  expect(Object.keys(fieldErrorsOf({ ...fields, ...change }, edited, true))).toEqual(wrong)
})

test('an email that the browser rejects is wrong', () => {
  expect(Object.keys(fieldErrorsOf(fields, user, false))).toEqual(['email'])
})

test('only changed fields are sent', () => {
  expect(changesOf(fields, user)).toEqual({})
  const confirmed = { ...fields, currentPassword: 'mine', keepApiKeys: true }
  expect(changesOf({ ...confirmed, role: 'admin', password: 'secret' }, user)).toEqual({
    role: 'admin',
    password: 'secret',
    keepApiKeys: true,
    currentPassword: 'mine',
  })
  expect(changesOf({ ...confirmed, role: 'admin' }, user)).toEqual({ role: 'admin' })
  expect(changesOf({ ...fields, firstName: 'A', currentPassword: 'mine' }, { ...user, firstName: 'B' })).toEqual({
    firstName: 'A',
  })
})

test('empty fields are left to the server', () => {
  expect(newUserOf({ ...fields, name: '', lastName: 'L', password: '123456' })).toEqual({
    email: 'a@example.com',
    password: '123456',
    lastName: 'L',
    role: 'user',
    status: 'Active',
  })
})
