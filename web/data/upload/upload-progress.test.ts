import { expect, test } from 'vitest'
import { etaMs, figuresOf, nextPace, percentOf, startPace } from './upload-progress.ts'
import { newItem, type UploadItem } from './upload-state.ts'

test.each([
  ['waiting', 0, 0, 0],
  ['reading', 0, 1500, 7.5],
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
] as [UploadItem['stage'], number, number, number][])(
  'the percentage of stage %s with a share of %f sent after %i ms',
  (stage, sent, elapsed, expected) => {
    expect(percentOf({ stage, sent, since: 1000 }, 1000 + elapsed)).toBeCloseTo(expected, 5)
  },
)

test('a clock that is set back makes no negative percentage', () => {
  expect(percentOf({ stage: 'converting', sent: 0, since: 1000 }, 0)).toBe(0)
})

test('there is no estimate within the first second', () => {
  const pace = nextPace(startPace(0, 0), 900, 900)
  expect(etaMs(pace, 5000)).toBeUndefined()
  expect(etaMs(nextPace(pace, 1000, 1000), 5000)).toBe(5000)
})

test('there is no estimate while nothing moves', () => {
  expect(etaMs(nextPace(startPace(0, 0), 2000, 0), 5000)).toBeUndefined()
})

test('the weight of an old speed halves in two seconds', () => {
  const steady = nextPace(startPace(0, 0), 1000, 1000)
  expect(nextPace(steady, 3000, 1000).speed).toBeCloseTo(0.5)
  expect(nextPace(steady, 5000, 1000).speed).toBeCloseTo(0.25)
})

test('the number of samples makes no difference to the speed', () => {
  let pace = nextPace(startPace(0, 0), 1000, 1000)
  for (let at = 1250; at <= 3000; at += 250) pace = nextPace(pace, at, 1000)
  expect(pace.speed).toBeCloseTo(0.5)
})

test('the figures add up progress, bytes and savings of a queue', () => {
  const file = (bytes: number) => new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' })
  const webp = { file: file(100), outcome: 'converted' } as const
  const at = (stage: UploadItem['stage'], more: Partial<UploadItem> = {}): UploadItem => ({
    ...newItem(stage, file(1000), 0),
    stage,
    ...more,
  })
  const items = [
    at('done', { prepared: webp }),
    at('done', { prepared: { file: file(1000), outcome: 'unchanged' } }),
    at('sending', { prepared: webp, sent: 0.5 }),
    at('waiting'),
    at('failed'),
    at('refused'),
  ]
  expect(figuresOf(items, 0)).toEqual({
    total: 5,
    done: 2,
    bad: 2,
    underWay: 2,
    percent: (100 + 100 + 55 + 0 + 100) / 5,
    bytesLeft: 50 + 1000,
    work: 3550,
    allWork: 5000,
    saved: { from: 1000, to: 100 },
  })
  expect(figuresOf([], 0)).toMatchObject({ percent: 0, saved: undefined })
})
