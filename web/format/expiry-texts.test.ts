import { expect, test } from 'vitest'
import { expiry } from '../texts/gallery-messages.ts'
import { expiresSoon, expiryLabel, isExpired, isUrgent } from './expiry-texts.ts'

/** Calendar days depend on the reader's time zone. */
const now = new Date(2026, 10, 21, 15, 30)
const at = (days: number, hours = 15, minutes = 30) => new Date(2026, 10, 21 + days, hours, minutes).toISOString()

test.each([
  ['long ago', at(-400), 'Expired', true],
  ['a minute ago', at(0, 15, 29), 'Expired', true],
  ['now', at(0), 'Expired', true],
  ['in a minute', at(0, 15, 31), 'Expires today', true],
  ['today at midnight less a minute', at(0, 23, 59), 'Expires today', true],
  ['tomorrow at midnight', at(1, 0, 0), 'Expires tomorrow', true],
  ['tomorrow, 32 hours away', at(1, 23, 59), 'Expires tomorrow', true],
  ['in 2 days', at(2, 0, 0), 'Expires in 2 days', true],
  ['in 7 days', at(7, 23, 59), 'Expires in 7 days', true],
  ['in 8 days', at(8, 0, 0), 'Expires in 1 weeks', false],
  ['in 13 days', at(13), 'Expires in 1 weeks', false],
  ['in 14 days', at(14), 'Expires in 2 weeks', false],
  ['in 30 days', at(30), 'Expires in 4 weeks', false],
  ['in 31 days', at(31), 'Expires on Dec 22, 2026', false],
  ['in a year', at(365), 'Expires on Nov 21, 2027', false],
])('%s', (_, expiresAt, label, isSoon) => {
  expect(expiryLabel(expiresAt, now, expiry)).toBe(label)
  expect(expiresSoon(expiresAt, now)).toBe(isSoon)
  expect(isExpired(expiresAt, now)).toBe(label === 'Expired')
})

test.each([
  ['past', at(-3), true],
  ['tomorrow', at(1, 23, 59), true],
  ['in 2 days, late', at(2, 23, 59), true],
  ['in 3 days, early', at(3, 0, 0), false],
])('urgent: %s', (_, expiresAt, expected) => {
  expect(isUrgent(expiresAt, now)).toBe(expected)
})

test('a day of 23 or 25 hours is a day', () => {
  for (let day = 0; day < 366; day += 1) {
    const evening = new Date(2026, 0, 1 + day, 23, 0)
    const nextMorning = new Date(2026, 0, 2 + day, 1, 0)
    expect(expiryLabel(nextMorning.toISOString(), evening, expiry)).toBe('Expires tomorrow')
  }
})
