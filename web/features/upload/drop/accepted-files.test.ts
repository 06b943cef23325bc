import { expect, test } from 'vitest'
import { refusalOf, rulesOf } from './accepted-files.ts'

const guestRules = rulesOf('guest')
const userRules = rulesOf('user')

const file = (name: string, type: string, bytes = 10) => new File([new Uint8Array(bytes)], name, { type })
const wrongType = 'File type must be PNG, JPG, JPEG or WebP'

test.each([
  ['a PNG', file('a.png', 'image/png'), guestRules, undefined],
  ['no type, known extension', file('A.JPEG', ''), guestRules, undefined],
  ['no type, unknown extension', file('a.bmp', ''), guestRules, wrongType],
  ['a GIF by a guest', file('a.gif', 'image/gif'), guestRules, wrongType],
  ['a GIF by a user', file('a.gif', 'image/gif'), userRules, undefined],
  ['an SVG by a user', file('a.svg', 'image/svg+xml'), userRules, undefined],
  ['a text by a user', file('a.txt', 'text/plain'), userRules, 'File type must be PNG, JPG, JPEG, WebP, GIF or SVG'],
  ['an SVG by a guest', file('a.svg', 'image/svg+xml'), guestRules, wrongType],
  ['a GIF that is called PNG', file('a.png', 'image/gif'), guestRules, wrongType],
  ['5 MB by a guest', file('a.png', 'image/png', 5_242_880), guestRules, undefined],
  ['a byte more', file('a.png', 'image/png', 5_242_881), guestRules, 'File is larger than 5242880 bytes'],
  [
    '10 MB and a byte by a user',
    file('a.png', 'image/png', 10_485_761),
    userRules,
    'File is larger than 10485760 bytes',
  ],
  ['nothing in it', file('a.png', 'image/png', 0), guestRules, 'File is smaller than 1 byte'],
])('refusalOf: %s', (_, given, rules, expected) => {
  expect(refusalOf(given, rules)).toBe(expected)
})
