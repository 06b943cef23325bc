import { expect, test } from 'vitest'
import { figuresOf, percentOf } from './upload-progress.ts'
import { newItem, type UploadItem } from './upload-state.ts'

test.each([
  ['waiting', 0, 0, 0],
  ['reading', 0, 1500, 7.5],
  ['converting', 0, 0, 0],
  ['converting', 0, 1500, 7.5],
  ['converting', 0, 1e9, 15],
  ['ready', 0, 0, 15],
  ['ready', 0.5, 0, 55],
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

test('the figures add up progress, bytes and savings of a queue', () => {
  const file = (bytes: number) => new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' })
  const webp = { file: file(100), outcome: 'converted' } as const
  const at = (stage: UploadItem['stage'], more: Partial<UploadItem> = {}): UploadItem => ({
    ...newItem(stage, file(1000), 0),
    stage,
    ...more,
  })
  const items = [
    at('done', { prepared: webp, sent: 1 }),
    at('done', { prepared: { file: file(1000), outcome: 'unchanged' }, sent: 1 }),
    at('sending', { prepared: webp, sent: 0.5 }),
    at('waiting'),
    at('failed'),
    at('refused'),
  ]
  expect(figuresOf(items, 0)).toEqual({
    total: 5,
    done: 2,
    failed: 1,
    underWay: 2,
    percent: (100 + 100 + 55 + 0 + 100) / 5,
    bytesLeft: 50 + 1000,
    bytesSent: 100 + 1000 + 50,
    work: 3550,
    allWork: 5000,
    saved: { from: 1000, to: 100 },
  })
  expect(figuresOf([], 0)).toMatchObject({ percent: 0, saved: undefined })
})
