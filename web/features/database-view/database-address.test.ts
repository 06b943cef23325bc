import { expect, test } from 'vitest'
import { addressOf, searchOf } from './database-address.ts'

const none = { collection: undefined, page: 1, documentId: undefined }

test.each([
  ['', none],
  ['?e=post-api-upload', none],
  ['?db=', none],
  ['?db=users', { ...none, collection: 'users' }],
  ['?db=a%26b%3Fc&page=3&doc=x%2Fy', { collection: 'a&b?c', page: 3, documentId: 'x/y' }],
  ['?db=users&page=0', { ...none, collection: 'users' }],
  ['?db=users&page=-1&doc=', { ...none, collection: 'users' }],
  ['?db=users&page=999999999', { ...none, collection: 'users' }],
])('%s', (search, address) => {
  expect(addressOf(search)).toEqual(address)
})

test.each(['plain', '  two  spaces', 'a+b', '100%', '<b>', 'مجموعة', '__proto__', '?db=x#y'])(
  '%s is read back as it was written',
  (name) => {
    const address = { collection: name, page: 2, documentId: name }
    expect(addressOf(searchOf(address))).toEqual(address)
  },
)

test('without a collection the address is empty', () => {
  expect(searchOf({ ...none, page: 3, documentId: 'x' })).toBe('')
})
