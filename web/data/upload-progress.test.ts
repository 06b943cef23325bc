import { expect, test } from 'vitest'
import { etaMs, nextPace, percentOf, startPace, type Step } from './upload-progress.ts'

test.each([
  ['waiting', 0, 0, 0],
  ['converting', 0, 0, 0],
  ['converting', 0, 1500, 7.5],
  ['converting', 0, 1e9, 15],
  ['ready', 0, 0, 15],
  ['sending', 0, 0, 15],
  ['sending', 0.5, 99_999, 55],
  ['sending', 1, 0, 95],
  ['sending', 1, 1500, 97.5],
  ['sending', 1, 1e9, 100],
  ['done', 1, 0, 100],
  ['failed', 0, 0, 100],
  ['refused', 0, 0, 0],
] as [Step['stage'], number, number, number][])(
  'percentOf: %s, %f sent, for %i ms',
  (stage, sent, elapsed, expected) => {
    expect(percentOf({ stage, sent, since: 1000 }, 1000 + elapsed)).toBeCloseTo(expected, 5)
  },
)

test('a clock that was put back makes nothing negative', () => {
  expect(percentOf({ stage: 'converting', sent: 0, since: 1000 }, 0)).toBe(0)
})

test('no estimate within the first second', () => {
  const pace = nextPace(startPace(0, 0), 900, 900)
  expect(etaMs(pace, 5000)).toBeUndefined()
  expect(etaMs(nextPace(pace, 1000, 1000), 5000)).toBe(5000)
})

test('nor while nothing moves', () => {
  expect(etaMs(nextPace(startPace(0, 0), 2000, 0), 5000)).toBeUndefined()
})

test('half of the old speed is forgotten in two seconds', () => {
  const steady = nextPace(startPace(0, 0), 1000, 1000)
  expect(nextPace(steady, 3000, 1000).speed).toBeCloseTo(0.5)
  expect(nextPace(steady, 5000, 1000).speed).toBeCloseTo(0.25)
})

test('in how many looks the time passes makes no difference', () => {
  let pace = nextPace(startPace(0, 0), 1000, 1000)
  for (let at = 1250; at <= 3000; at += 250) pace = nextPace(pace, at, 1000)
  expect(pace.speed).toBeCloseTo(0.5)
})
