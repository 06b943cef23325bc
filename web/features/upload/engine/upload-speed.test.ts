import { expect, test } from 'vitest'
import { nextPace, type Pace, speedOf } from './upload-speed.ts'

const paceOf = (...samples: [at: number, bytesSent: number][]) =>
  samples.reduce<Pace>((pace, [at, bytesSent]) => nextPace(pace, { at, bytesSent, work: 2 * bytesSent }), [])

test.each([
  ['without a sample', [], undefined],
  [
    'within the first second',
    [
      [0, 0],
      [900, 900],
    ],
    undefined,
  ],
  [
    'after the first second',
    [
      [0, 0],
      [1000, 500],
    ],
    0.5,
  ],
  [
    'while nothing moves',
    [
      [0, 0],
      [2000, 0],
    ],
    undefined,
  ],
  [
    'after a standstill that is longer than the window',
    [
      [0, 0],
      [1000, 1000],
      [17_000, 1000],
      [18_000, 3000],
    ],
    2,
  ],
  [
    'in steps',
    [
      [0, 0],
      [5000, 0],
      [5001, 500],
      [10_000, 500],
      [10_001, 1000],
    ],
    1000 / 10_001,
  ],
  [
    'of a new batch',
    [
      [0, 9000],
      [1000, 9500],
      [2000, 0],
      [3000, 300],
    ],
    0.3,
  ],
  [
    'after the clock was set back',
    [
      [9000, 0],
      [10_000, 100],
      [5000, 100],
      [6000, 300],
    ],
    0.2,
  ],
] as [string, [number, number][], number | undefined][])('the speed %s', (_, samples, expected) => {
  const pace = paceOf(...samples)
  if (expected === undefined) return expect(speedOf(pace, 'bytesSent')).toBeUndefined()
  expect(speedOf(pace, 'bytesSent')).toBeCloseTo(expected, 6)
  expect(speedOf(pace, 'work')).toBeCloseTo(2 * expected, 6)
})
