import { expect, test } from 'vitest'
import { type KeyPress, shortcutOf } from './site-keymap.ts'

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  ...held,
})
const free = { isTyping: false, isOn: true, isAfterG: false }

const table: [name: string, KeyPress, Partial<typeof free>, ReturnType<typeof shortcutOf>][] = [
  ['palette by Ctrl', press('k', { ctrlKey: true }), {}, 'palette'],
  ['palette by Cmd', press('k', { metaKey: true }), {}, 'palette'],
  ['palette with capitals locked', press('K', { ctrlKey: true }), {}, 'palette'],
  ['palette in a text field', press('k', { ctrlKey: true }), { isTyping: true }, 'palette'],
  ['palette with single keys off', press('k', { ctrlKey: true }), { isOn: false }, 'palette'],
  ['not with Alt as well', press('k', { ctrlKey: true, altKey: true }), {}, undefined],
  ['help', press('?'), {}, 'help'],
  ['search', press('/'), {}, 'search'],
  ['choose', press('u'), {}, 'chooseImage'],
  ['not in a text field', press('u'), { isTyping: true }, undefined],
  ['not switched off', press('u'), { isOn: false }, undefined],
  ['not with a modifier', press('u', { ctrlKey: true }), {}, undefined],
  ['not while a word is composed', press('u', { isComposing: true }), {}, undefined],
  ['G waits', press('g'), {}, 'g'],
  ['G D', press('d'), { isAfterG: true }, 'dashboard'],
  ['G N', press('N'), { isAfterG: true }, 'notifications'],
  ['G K', press('k'), { isAfterG: true }, 'apiKeys'],
  ['G and another key', press('u'), { isAfterG: true }, undefined],
  ['D alone', press('d'), {}, undefined],
  ['a name every object has', press('constructor'), {}, undefined],
]

test.each(table)('%s', (_, pressed, situation, wish) => {
  expect(shortcutOf(pressed, { ...free, ...situation })).toBe(wish)
})
