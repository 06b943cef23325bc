import { expect, it } from 'vitest'
import { TimeHad } from './decaying-usage.ts'

it('is forgotten by halves: after a minute it is next to nothing', () => {
  let now = 0
  const had = new TimeHad(() => now)
  had.charge('a', 4000)
  now = 10_000
  expect(had.hadMs('a')).toBe(2000)
  had.charge('a', 1000)
  expect(had.hadMs('a')).toBe(3000)
  now = 70_000
  expect(had.hadMs('a')).toBeLessThan(50)
})
