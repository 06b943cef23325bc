import { expect, test } from 'vitest'
import { emptyDigits, isFull, pasteInto, clearPrevious, typeInto } from './pin-digits.ts'

const boxes = (text: string) => text.split('').map((sign) => (sign === '_' ? '' : sign))
const said = ({ digits, at }: { digits: readonly string[]; at: number }) =>
  `${digits.map((digit) => digit || '_').join('')} ${at}`

test.each([
  ['a digit moves on', '____', 0, '1', '1___ 1'],
  ['the last one stays', '123_', 3, '4', '1234 3'],
  ['a letter is nothing', '1___', 1, 'a', '1___ 1'],
  ['a full-width digit', '____', 0, '７', '7___ 1'],
  ['a digit after the old one', '1___', 0, '19', '9___ 1'],
  ['a digit before the old one', '1___', 0, '91', '9___ 1'],
  ['the same digit again', '1___', 0, '11', '1___ 1'],
  ['taken away', '12__', 1, '', '1___ 1'],
  ['all at once, by a keyboard', '____', 0, '1234', '1234 3'],
  ['more than there are boxes', '____', 2, '1234', '__12 3'],
])('typing: %s', (_, before, at, value, after) => {
  expect(said(typeInto(boxes(before), at, value))).toBe(after)
})

test.each([
  ['a whole PIN fills all, wherever the focus is', '9___', 2, '1234', '1234 3'],
  ['with words around it', '____', 0, 'PIN: 12-34\n', '1234 3'],
  ['a part goes on from the box', '1___', 1, '23', '123_ 3'],
  ['too many', '____', 0, '123456', '1234 3'],
  ['none', '1___', 1, 'none', '1___ 1'],
])('pasting: %s', (_, before, at, text, after) => {
  expect(said(pasteInto(boxes(before), at, text))).toBe(after)
})

test('Backspace moves back to the first box', () => {
  expect(said(clearPrevious(boxes('12__'), 2))).toBe('1___ 1')
  expect(said(clearPrevious(boxes('1___'), 0))).toBe('____ 0')
})

test('only four digits form a PIN', () => {
  expect([emptyDigits(4), boxes('123_'), boxes('1234')].map(isFull)).toEqual([false, false, true])
})
