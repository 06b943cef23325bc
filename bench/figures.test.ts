import { expect, test } from 'vitest'
import { at, inTurns, medianOf, ratesRow, ratioOfRates, roundsInTurns, timesRow } from './figures.ts'

const to100 = Array.from({ length: 100 }, (_, n) => 100 - n)

test('percentiles are of what was measured, by nearest rank', () => {
  expect(at([], 0.5)).toBe(0)
  expect(at([1, 2, 3], 0.99)).toBe(3)
  expect(medianOf([3, 1, 2])).toBe(2)
  expect(timesRow('x', to100)).toEqual({ what: 'x', unit: 'ms', median: 51, spread: [11, 91], p99Ms: 100 })
})

test('a rate is of each round, CPU time of each item, a peak of all rounds', () => {
  const rounds = [
    { items: 10, tookMs: 1000, cpuMs: 50, times: [1, 2], peakMB: [10, 30] },
    { items: 20, tookMs: 1000, cpuMs: 100, times: [9], peakMB: [20, 5] },
    { items: 30, tookMs: 1000, cpuMs: 150 },
  ]
  const row = { what: 'x', unit: '/s', median: 20, spread: [10, 30], p99Ms: 9, cpuMs: 5, peakMB: [20, 30] }
  expect(ratesRow('x', rounds)).toEqual(row)
})

test('a ratio is the median of the ratios of the rounds', () => {
  const of = (...rates: number[]) => rates.map((items) => ({ items, tookMs: 1000 }))
  expect(ratioOfRates(of(20, 40, 10), of(10, 10, 10))).toBe(2)
})

test('works take turns, and warm-ups are not counted', async () => {
  const calls: string[] = []
  const work = (name: string) => async () => calls.push(name)
  expect(await roundsInTurns([work('a'), work('b')], 2, 0)).toEqual([
    [1, 3],
    [2, 4],
  ])
  expect(calls.join('')).toBe('abab')
  expect((await inTurns([work('c')], 3, 2))[0]).toHaveLength(3)
  expect(calls.join('')).toBe('ababccccc')
})
