import { expect, test } from 'vitest'
import { barAt, chartOf } from './chart-geometry.ts'

test.each([
  [[], [0, 1, 2]],
  [
    [0, 0],
    [0, 1, 2],
  ],
  [[1], [0, 1, 2]],
  [
    [3, 2],
    [0, 2, 4],
  ],
  [[7], [0, 4, 8]],
  [[9], [0, 5, 10]],
  [[11], [0, 10, 20]],
  [[61], [0, 40, 80]],
  [[1_000_001], [0, 1_000_000, 2_000_000]],
])('the grid lines for %j are %j', (values, lines) => {
  expect(chartOf(values).lines).toEqual(lines)
})

test('each bar is in its own part of the plot, as high as its value', () => {
  const { bars } = chartOf([0, 5, 10])
  expect(bars.map(({ height }) => height)).toEqual([0, 0.5, 1])
  for (const [at, { x, width }] of bars.entries()) {
    expect(x).toBeGreaterThan(at / 3)
    expect(x + width).toBeLessThan((at + 1) / 3)
  }
})

test.each([
  [-0.1, 0],
  [0, 0],
  [0.034, 1],
  [0.99, 29],
  [1, 29],
  [1.2, 29],
])('at %d is bar %d', (x, expected) => {
  expect(barAt(x, 30)).toBe(expected)
})
