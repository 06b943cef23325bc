import { expect, test } from 'vitest'
import { medianOf, ratesRow, ratioOfRates, timesRow } from './statistics.ts'

const to100 = Array.from({ length: 100 }, (_, n) => 100 - n)

test('percentiles use the nearest rank of the measured values', () => {
  expect(medianOf([3, 1, 2])).toBe(2)
  expect(timesRow('x', to100)).toEqual({ what: 'x', unit: 'ms', median: 50, spread: [10, 90], p99Ms: 99 })
})

test('figures of an empty measurement throw', () => {
  for (const figure of [
    () => medianOf([]),
    () => timesRow('x', []),
    () => ratesRow('x', []),
    () => ratioOfRates([], []),
  ])
    expect(figure).toThrow('Nothing was measured')
})

test('a rate is per round, CPU time per item, and a peak is the maximum of all rounds', () => {
  const rounds = [
    { items: 10, tookMs: 1000, cpuMs: 50, times: [1, 2], peakMB: [10, 30] },
    { items: 20, tookMs: 1000, cpuMs: 100, times: [9], peakMB: [20] },
    { items: 30, tookMs: 1000, cpuMs: 150 },
  ]
  const row = { what: 'x', unit: '/s', median: 20, spread: [10, 30], p99Ms: 9, cpuMs: 5, peakMB: [20, 30] }
  expect(ratesRow('x', rounds)).toEqual(row)
})

test('a ratio is the median of the ratios of the rounds', () => {
  const of = (...rates: number[]) => rates.map((items) => ({ items, tookMs: 1000 }))
  expect(ratioOfRates(of(20, 40, 10), of(10, 10, 10))).toBe(2)
})
