import { expect, it } from 'vitest'
import { averageColour } from './average-colour.ts'

it.each([
  ['colour', 3, [255, 0, 0, 0, 0, 255], '#800080'],
  ['colour and alpha, which weighs', 4, [255, 0, 0, 255, 0, 0, 255, 0], '#ff0000'],
  ['nothing visible', 4, [9, 9, 9, 0], '#ffffff'],
  ['grey', 1, [0, 16], '#080808'],
  ['grey and alpha', 2, [0, 0, 51, 255], '#333333'],
] as const)('the average of %s', (_name, channels, bytes, expected) => {
  expect(averageColour({ data: Buffer.from(bytes), widthPx: bytes.length / channels, heightPx: 1, channels })).toBe(
    expected,
  )
})
