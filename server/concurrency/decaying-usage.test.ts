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

it('expects the typical time of a new caller, approaches the mean of recent jobs, and returns to the typical time', () => {
  let now = 0
  const usage = new DecayingUsage(() => now)
  expect(usage.expectedMs('a', 50)).toBe(50)
  for (let n = 0; n < 4; n++) usage.charge('a', 250)
  expect(usage.expectedMs('a', 50)).toBe(150)
  expect(usage.expectedMs('b', 50)).toBe(50)
  now = 120_000
  expect(Math.round(usage.expectedMs('a', 50))).toBe(50)
})

it('an IPv6 network has used at least its share of what its site used', () => {
  const usage = new DecayingUsage(() => 0)
  for (let n = 0; n < 160; n++) usage.charge(`2001:db8:1:${n.toString(16)}::/64`, 100)
  expect(usage.usageMs('2001:db8:1:ffff::/64')).toBe(1000)
  expect(usage.usageMs('2001:db8:2:1::/64')).toBe(0)
  usage.charge('2001:db8:1:1::/64', 4900)
  expect(usage.usageMs('2001:db8:1:1::/64')).toBe(5000)
})
