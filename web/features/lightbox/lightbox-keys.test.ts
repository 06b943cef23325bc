import { expect, it } from 'vitest'
import { keyAction } from './lightbox-keys.ts'

const pressed = (key: string, change = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  ...change,
})
const table = { c: () => {}, delete: () => {}, arrowright: () => {}, '+': () => {} }

it.each([
  ['a letter', pressed('c'), true, table.c],
  ['a letter with Caps Lock', pressed('C'), true, table.c],
  ['a letter where letters are off', pressed('c'), false, undefined],
  ['a key that is no letter, where letters are off', pressed('Delete'), false, table.delete],
  ['a symbol, where letters are off', pressed('+'), false, table['+']],
  ['a letter with Ctrl', pressed('c', { ctrlKey: true }), true, undefined],
  ['an arrow held down', pressed('ArrowRight', { repeat: true }), true, table.arrowright],
  ['Delete held down', pressed('Delete', { repeat: true }), true, undefined],
  ['a key without an action', pressed('constructor'), true, undefined],
])('%s runs the expected action', (_, event, hasLetters, action) => {
  expect(keyAction(event, table, hasLetters)).toBe(action)
})
