import { expect, test } from 'vitest'
import { unfilteredQuery } from '../../model/images/gallery.ts'
import { filterCount, hasFilters, queryOf, searchOf, withParams } from './gallery-address.ts'

test.each([
  ['', unfilteredQuery],
  ['?q=cat', { ...unfilteredQuery, q: 'cat' }],
  ['?sort=largest&type=gif&expires=soon', { q: '', sort: 'largest', type: 'gif', expires: 'soon' }],
  ['?sort=__proto__&type=exe&expires=later', unfilteredQuery],
  [`?q=${'a'.repeat(100)}`, { ...unfilteredQuery, q: 'a'.repeat(100) }],
  // The server would refuse them.
  [`?q=${'a'.repeat(101)}`, unfilteredQuery],
  ['?q=cat+type:exe', unfilteredQuery],
])('the query of the URL %j is read', (search, expected) => {
  expect(queryOf(search)).toEqual(expected)
})

test.each([
  ['', unfilteredQuery, ''],
  ['?q=a&image=x', unfilteredQuery, '?image=x'],
  [
    '',
    { q: 'a & b', sort: 'name', type: 'svg', expires: 'soon' } as const,
    '?q=a+%26+b&sort=name&type=svg&expires=soon',
  ],
])('the URL %j with the query %j becomes %j', (search, query, expected) => {
  expect(searchOf(search, query)).toBe(expected)
  expect(queryOf(searchOf(search, query))).toEqual(query)
})

test('a parameter is added and removed', () => {
  expect(withParams('?q=a', { image: 'x' })).toBe('?q=a&image=x')
  expect(withParams('?q=a&image=x', { image: undefined })).toBe('?q=a')
})

test('a search is a filter of the list, but not one of the counted filters', () => {
  expect(hasFilters({ ...unfilteredQuery, q: 'a' })).toBe(true)
  expect(filterCount({ ...unfilteredQuery, q: 'a', type: 'png', expires: 'soon' })).toBe(2)
  expect(hasFilters({ ...unfilteredQuery, sort: 'name' })).toBe(false)
})
