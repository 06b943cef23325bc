import { Info } from 'lucide-react'
import { expect, test } from 'vitest'
import { type Command, filterCommands } from './palette-commands.ts'

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
