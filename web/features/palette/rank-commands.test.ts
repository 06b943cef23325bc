import { Info } from 'lucide-react'
import { expect, test } from 'vitest'
import { type Command, filterCommands, withUsed } from './rank-commands.ts'

const commands = ['Dashboard', 'API Key Management', 'Theme: dark', 'Theme: light', 'Terms & Conditions'].map(
  (label): Command => ({ id: label, group: 'pages', label, Icon: Info, run: () => {} }),
)

test.each([
  ['', ['Dashboard', 'API Key Management', 'Theme: dark', 'Theme: light', 'Terms & Conditions']],
  ['dash', ['Dashboard']],
  ['KEY', ['API Key Management']],
  ['key api', ['API Key Management']],
  ['the li', ['Theme: light']],
  ['  dark ', ['Theme: dark']],
  ['conditions', ['Terms & Conditions']],
  ['ashboard', []],
  ['&', ['Dashboard', 'API Key Management', 'Theme: dark', 'Theme: light', 'Terms & Conditions']],
])('%j finds %j', (typed, labels) => {
  expect(filterCommands(commands, typed).map(({ label }) => label)).toEqual(labels)
})

const places = [
  { id: 'account', group: 'pages', label: 'Account', synonyms: 'settings' },
  { id: 'app', group: 'settings', label: 'Authenticator app', place: 'Account', synonyms: '2fa totp' },
  { id: 'sharex', group: 'settings', label: 'ShareX', place: 'Tools', isFound: true },
  { id: 'share', group: 'settings', label: 'Share pages' },
  { id: 'extend', group: 'selection', label: 'Extend' },
  { id: 'dark', group: 'commands', label: 'Theme: dark' },
  { id: 'browser', group: 'settings', label: 'This browser', synonyms: 'theme' },
].map((row) => ({ ...row, Icon: Info, run: () => {} }) as Command)

test.each([
  ['', ['account', 'app', 'share', 'extend', 'dark', 'browser']],
  ['theme', ['dark', 'browser']],
  ['2fa', ['app']],
  ['account', ['account', 'app']],
  ['share', ['sharex', 'share']],
  ['sharex', ['sharex']],
  ['settings', ['account']],
  ['account totp', ['app']],
  ['accounts', ['account', 'app']],
  ['totps', ['app']],
  ['e', ['extend']],
])('by synonym and place, %j finds %j', (typed, ids) => {
  expect(filterCommands(places, typed).map(({ id }) => id)).toEqual(ids)
})

test('what was used last stands after the actions on images and before the pages, where it is not repeated', () => {
  const shown = filterCommands(withUsed(places, ['sharex', 'gone', 'account']), '')
  expect(shown.map(({ id, group }) => `${group} ${id}`)).toEqual([
    'selection extend',
    'used sharex',
    'used account',
    'settings app',
    'settings share',
    'commands dark',
    'settings browser',
  ])
})
