import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { growthPercent, semiSpaceGrowthFactor } from './heap-growth.ts'

const MiB = 1024 * 1024

it.each([
  [5, 200],
  [25, 200],
  [38, 100],
  [50, 52],
  [70, 30],
  [1000, 30],
])('a heap of %i MiB may grow by %i %%', (used, percent) => {
  expect(growthPercent(used * MiB)).toBe(percent)
})

it('an idle server has space for the bodies that V8 allocates before it collects', () => {
  for (const live of [24, 27, 30])
    for (const dead of [0, 3, 6]) expect((live * growthPercent((live + dead) * MiB)) / 100).toBeGreaterThan(32)
})

it('a heap may grow to 76 MiB, or by 30 %', () => {
  for (let used = 1; used < 500; used++)
    expect(used * (1 + growthPercent(used * MiB) / 100)).toBeLessThan(Math.max(76, used * 1.3) * 1.01)
})

it.each([
  [1, 2],
  [4, 2],
  [4.5, 1],
  [8, 1],
  [16, 1],
])('a young generation of %f MiB grows by the factor %i', (size, factor) => {
  expect(semiSpaceGrowthFactor(size * MiB)).toBe(factor)
})

it('the young generation grows to about 8 MiB while much of it survives, and no further', () => {
  expect(youngGenerationMiB('')).toBeGreaterThan(32)
  const compiled = new URL('../dist/server/heap-growth.js', import.meta.url).href
  const limited = youngGenerationMiB(`(await import(${JSON.stringify(compiled)})).limitHeapGrowth()`)
  expect(limited).toBeGreaterThan(4)
  expect(limited).toBeLessThan(24) // during a collection V8 of Node 24 exceeds the capacity by up to 11 MiB
})

/** @returns its greatest capacity in a process that runs `first` and then allocates strings, most of which live on for a while */
function youngGenerationMiB(first: string): number {
  const script = `${first}
    const { getHeapSpaceStatistics } = await import('node:v8')
    let kept = []
    let most = 0
    for (let turn = 0; turn < 300; turn++) {
      await new Promise((resolve) => setTimeout(resolve))
      for (let i = 0; i < 2000; i++) kept.push(Buffer.alloc(200).toString('hex'))
      if (kept.length > 200_000) kept = kept.slice(100_000)
      const { space_used_size: used, space_available_size: free } =
        getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
      most = Math.max(most, 2 * (used + free))
    }
    console.log(most / 2 ** 20)`
  // V8's default for the size of a semispace depends on the memory of the machine.
  const args = ['--input-type=module', '--max-semi-space-size=32', '-e', script]
  return Number(execFileSync(process.execPath, args))
}
