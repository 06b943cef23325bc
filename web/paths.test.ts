import { expect, test } from 'vitest'
import { loginFor, nextPath, paths, guestPageAt, unknownPath } from './paths.ts'

test.each([
  ['/dashboard?view=list#top', '/dashboard?view=list#top'],
  ['/', '/'],
  [null, paths.dashboard],
  ['', paths.dashboard],
  ['dashboard', paths.dashboard],
  ['https://evil.example', paths.dashboard],
  ['//evil.example', paths.dashboard],
  ['/\\evil.example', paths.dashboard],
  ['/a\\b', paths.dashboard],
  ['/\t/evil.example', paths.dashboard],
  ['/\n/evil.example', paths.dashboard],
  ['javascript:alert(1)', paths.dashboard],
])('nextPath(%j) is %s', (next, expected) => {
  expect(nextPath(next)).toBe(expected)
})

test('loginFor preserves the whole address', () => {
  expect(new URLSearchParams(loginFor('/a?b=c&d').split('?')[1]).get('next')).toBe('/a?b=c&d')
})

const guestPages = { [paths.login]: 'login', [paths.about]: 'about', [unknownPath]: 'not found' }

test.each([
  ['/about', 'about', 'about'],
  ['/About/', 'about', 'about'],
  ['/', undefined, undefined],
  ['/dashboard', 'login', undefined],
  ['/albums/a1', 'login', undefined],
  ['/admin', 'not found', undefined],
  ['/nowhere', 'not found', 'not found'],
])('at %s a guest is shown the page %s first, and a user %s', (path, forGuest, forUser) => {
  expect(guestPageAt(guestPages, path, true)).toBe(forGuest)
  expect(guestPageAt(guestPages, path, false)).toBe(forUser)
})
