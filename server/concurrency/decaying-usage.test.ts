import { expect, it } from 'vitest'
import { DecayingUsage } from './decaying-usage.ts'

it('halves the usage every 10 s: after a minute it is close to zero', () => {
  let now = 0
  const usage = new DecayingUsage(() => now)
  usage.charge('a', 4000)
  now = 10_000
  expect(usage.usageMs('a')).toBe(2000)
  usage.charge('a', 1000)
  expect(usage.usageMs('a')).toBe(3000)
  now = 70_000
  expect(usage.usageMs('a')).toBeLessThan(50)
})
