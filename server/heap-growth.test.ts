import { expect, it } from 'vitest'
import { growthPercent } from './heap-growth.ts'

const MiB = 1024 * 1024

it.each([
  [5, 200],
  [28, 200],
  [42, 100],
  [56, 50],
  [70, 30],
  [1000, 30],
])('a heap of %i MiB may grow by %i %%', (used, percent) => {
  expect(growthPercent(used * MiB)).toBe(percent)
})

it('an idle server has space for the bodies that V8 allocates before it collects', () => {
  for (const live of [24, 27, 30])
    for (const dead of [0, 3, 6]) expect((live * growthPercent((live + dead) * MiB)) / 100).toBeGreaterThan(32)
})

it('a heap may grow to 84 MiB, or by 30 %', () => {
  for (let used = 1; used < 500; used++)
    expect(used * (1 + growthPercent(used * MiB) / 100)).toBeLessThan(Math.max(84, used * 1.3) * 1.01)
})
