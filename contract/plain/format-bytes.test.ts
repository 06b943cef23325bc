import { expect, test } from 'vitest'
import { formatBytes } from './format-bytes.ts'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [429_056, '419 KB'],
  [1024 * 1024 - 1, '1 MB'],
  [5 * 1024 * 1024, '5 MB'],
  [10.19 * 1024 * 1024, '10 MB'],
  [3.1 * 1024 ** 3, '3.1 GB'],
  [2 * 1024 ** 5, '2048 TB'],
])('formatBytes(%d) is %s', (bytes, expected) => {
  expect(formatBytes(bytes)).toBe(expected)
})
