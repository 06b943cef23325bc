import { expect, test } from 'vitest'
import { allUsersQuery } from './users/admin-users.ts'
import { allImagesQuery } from './images/admin-images.ts'
import {
  blocklistQueryOf,
  imageQueryOf,
  reportStatusOf,
  searchOfBlocks,
  searchOfImages,
  searchOfReports,
  searchOfTab,
  searchOfUsers,
  tabOf,
  userQueryOf,
} from './admin-address.ts'

test.each([
  ['', 'overview'],
  ['?tab=users', 'users'],
  ['?tab=backups&x=1', 'backups'],
  ['?tab=__proto__', 'overview'],
  ['?tab=Users', 'overview'],
])('the tab of %j is %s', (search, expected) => {
  expect(tabOf(search)).toBe(expected)
  expect(tabOf(searchOfTab(tabOf(search)))).toBe(expected)
})

test.each([
  ['?tab=users', allUsersQuery],
  ['?q=a%26b%20%3C&role=admin', { q: 'a&b <', role: 'admin', status: undefined }],
  ['?role=root&status=active', allUsersQuery],
  ['?status=Inactive', { q: '', role: undefined, status: 'Inactive' }],
  [`?q=${'x'.repeat(1000)}`, { ...allUsersQuery, q: 'x'.repeat(100) }],
] as const)('the users of %j', (search, expected) => {
  expect(userQueryOf(search)).toEqual(expected)
  expect(userQueryOf(searchOfUsers(expected))).toEqual(expected)
  expect(tabOf(searchOfUsers(expected))).toBe('users')
})

test.each([
  ['?tab=images', allImagesQuery],
  ['?q=a%26b%40c&status=quarantined', { q: 'a&b@c', status: 'quarantined' }],
  ['?status=Quarantined&role=admin', allImagesQuery],
  [`?q=${'x'.repeat(1000)}`, { ...allImagesQuery, q: 'x'.repeat(300) }],
] as const)('the images of %j', (search, expected) => {
  expect(imageQueryOf(search)).toEqual(expected)
  expect(imageQueryOf(searchOfImages(expected))).toEqual(expected)
  expect(tabOf(searchOfImages(expected))).toBe('images')
})

test.each([
  ['?tab=reports', 'open'],
  ['?tab=reports&status=decided', 'decided'],
  ['?status=quarantined', 'open'],
] as const)('the reports of %j are %s', (search, expected) => {
  expect(reportStatusOf(search)).toBe(expected)
  expect(reportStatusOf(searchOfReports(expected))).toBe(expected)
  expect(tabOf(searchOfReports(expected))).toBe('reports')
})

test.each([
  ['?tab=blocklist', { list: 'images', q: '' }],
  ['?list=networks&q=2001:db8::%2F32', { list: 'networks', q: '2001:db8::/32' }],
  ['?list=users&q=a', { list: 'images', q: 'a' }],
] as const)('the blocklist of %j', (search, expected) => {
  expect(blocklistQueryOf(search)).toEqual(expected)
  expect(blocklistQueryOf(searchOfBlocks(expected))).toEqual(expected)
  expect(tabOf(searchOfBlocks(expected))).toBe('blocklist')
})
