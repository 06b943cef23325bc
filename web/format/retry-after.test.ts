import { afterEach, expect, test, vi } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

afterEach(() => vi.useRealTimers())

test.each([
  [null, undefined],
  ['', undefined],
  ['soon', undefined],
  ['0', 0],
  ['7', 7000],
  ['Fri, 27 Nov 2026 12:00:30 GMT', 30_000],
  ['Fri, 27 Nov 2026 11:00:00 GMT', 0],
])('Retry-After %j is %j ms', (header, expected) => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 27, 12) })
  expect(retryAfterMs(header)).toBe(expected)
})
