import { expect, test } from 'vitest'
import { type KeyOptions, initialOptions, isImplied, newKeyRequest, optionErrors } from './key-options.ts'

const now = Date.parse('2026-11-22T12:00:00')
const nextYear = new Date('2027-01-31T23:59:59.999').toISOString()

test.each<[string, Partial<KeyOptions>, object]>([
  ['the initial options', {}, { name: 'CI', scopes: ['upload'] }],
  ['two scopes, in any order', { scopes: ['read', 'upload'] }, { name: 'CI', scopes: ['upload', 'read'] }],
  [
    'an expiry in days',
    { expiry: '7' },
    { name: 'CI', scopes: ['upload'], expiresAt: new Date(now + 7 * 86_400_000).toISOString() },
  ],
  [
    'an expiry at the end of a day',
    { expiry: 'date', date: '2027-01-31' },
    { name: 'CI', scopes: ['upload'], expiresAt: nextYear },
  ],
  ['a date that is not chosen', { date: '2027-01-31' }, { name: 'CI', scopes: ['upload'] }],
  [
    'limits',
    { uploadsPerHour: ' 60 ', totalMegabytes: '1024' },
    { name: 'CI', scopes: ['upload'], uploadsPerHour: 60, maxBytes: 1024 ** 3 },
  ],
])('the request with %s has exactly these fields', (_, options, expected) => {
  expect(newKeyRequest('CI', { ...initialOptions, ...options }, now)).toEqual(expected)
})

test.each<[string, string, Partial<KeyOptions>, string[]]>([
  ['the initial options', 'CI', {}, []],
  ['no name', '', {}, ['name']],
  ['no scope', 'CI', { scopes: [] }, ['scopes']],
  ['no date', 'CI', { expiry: 'date' }, ['date']],
  ['yesterday', 'CI', { expiry: 'date', date: '2026-11-21' }, ['date']],
  ['today', 'CI', { expiry: 'date', date: '2026-11-22' }, []],
  ['a limit of 0', 'CI', { uploadsPerHour: '0' }, ['uploadsPerHour']],
  ['a limit that is not whole', 'CI', { totalMegabytes: '1.5' }, ['totalMegabytes']],
  [
    'limits above the largest',
    'CI',
    { uploadsPerHour: '100001', totalMegabytes: '1073741825' },
    ['uploadsPerHour', 'totalMegabytes'],
  ],
  ['the largest limits', 'CI', { uploadsPerHour: '100000', totalMegabytes: '1073741824' }, []],
])('the errors of %s are at their fields', (_, name, options, expected) => {
  expect(Object.keys(optionErrors(name, { ...initialOptions, ...options }, now))).toEqual(expected)
})

test('manage implies the scopes that were not chosen', () => {
  expect([isImplied('read', ['manage']), isImplied('read', ['read', 'manage']), isImplied('read', ['upload'])]).toEqual(
    [true, false, false],
  )
})
