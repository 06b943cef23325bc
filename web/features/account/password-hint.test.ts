import { expect, test } from 'vitest'
import { passwordHint } from './password-hint.ts'

const names = ['ada.lovelace@example.com', 'Image Host']

test.each([
  ['', 6, 'At least 6 characters'],
  ['', 10, 'At least 10 characters'],
  ['a', 6, '5 more characters'],
  ['correct h', 10, '1 more character'],
  ['aaaaaa', 6, 'Easy to guess: the same or consecutive characters'],
  ['345678', 6, 'Easy to guess: the same or consecutive characters'],
  ['gfedcba', 6, 'Easy to guess: the same or consecutive characters'],
  ['Ada.Lovelace', 6, 'This is your email address or the name of this site'],
  ['ada lovelace@example.com', 6, 'This is your email address or the name of this site'],
  ['imagehost', 6, 'This is your email address or the name of this site'],
  ['tiger7', 6, '8 or more characters are safer'],
  ['correct horse', 6, 'Long enough. The most common passwords are refused'],
])('for %j with at least %i characters the hint is %j', (password, min, hint) => {
  expect(passwordHint(password, { min, names })).toBe(hint)
})

test('without an email yet, no name matches', () => {
  expect(passwordHint('...... ', { min: 6, names: ['', 'Image Host'] })).toBe('8 or more characters are safer')
})
