import { expect, test } from 'vitest'
import {
  afterEvent,
  figuresOf,
  newItem,
  retryDelayMs,
  toConvert,
  toSend,
  type UploadEvent,
  type UploadItem,
} from './upload-items.ts'

const file = (bytes: number) => new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' })
const webp = { file: file(100), outcome: 'converted' } as const
const at = (stage: UploadItem['stage'], more: Partial<UploadItem> = {}): UploadItem => ({
  ...newItem(stage, 0, file(1000), 0),
  stage,
  ...more,
})
const all = (...events: UploadEvent[]) =>
  events.reduce((item, event, now) => afterEvent(item, event, now), at('waiting'))
const sent: UploadEvent[] = [{ type: 'converting' }, { type: 'prepared', prepared: webp }, { type: 'sending' }]

test.each([
  ['converted', sent.slice(0, 2), { stage: 'ready', prepared: webp }],
  ['half sent', [...sent, { type: 'progress', sent: 0.5 }], { stage: 'sending', sent: 0.5, since: 2 }],
  ['all sent', [...sent, { type: 'progress', sent: 1 }], { stage: 'sending', sent: 1, since: 3 }],
  ['all sent, said twice', [...sent, { type: 'progress', sent: 1 }, { type: 'progress', sent: 1 }], { since: 3 }],
  ['done', [...sent, { type: 'done' }], { stage: 'done' }],
  [
    'tried again later',
    [...sent, { type: 'progress', sent: 1 }, { type: 'postponed', notBefore: 9, failures: 1 }],
    { stage: 'ready', sent: 0, notBefore: 9, failures: 1, prepared: webp },
  ],
  [
    'retried by hand: what was converted is kept',
    [...sent, { type: 'failed', problem: { kind: 'failed', text: 'no' } }, { type: 'retry' }],
    { stage: 'ready', prepared: webp, problem: undefined, failures: 0 },
  ],
  [
    'retried before it was converted',
    [{ type: 'converting' }, { type: 'failed', problem: { kind: 'unreadable', text: '' } }, { type: 'retry' }],
    { stage: 'waiting' },
  ],
] as [string, UploadEvent[], Partial<UploadItem>][])('afterEvent: %s', (_, events, expected) => {
  expect(all(...events)).toMatchObject(expected)
})

test.each([
  [1, ['waiting', 'waiting'], 1],
  [2, ['waiting', 'waiting', 'waiting'], 2],
  [1, ['converting', 'waiting'], 0],
  [2, ['converting', 'waiting', 'waiting'], 1],
  [1, ['ready', 'ready', 'ready', 'ready', 'ready', 'ready', 'waiting'], 0],
] as [number, UploadItem['stage'][], number][])('toConvert: %i workers, %j', (workers, stages, expected) => {
  expect(
    toConvert(
      stages.map((stage) => at(stage)),
      workers,
    ),
  ).toHaveLength(expected)
})

test('three are sent at once, and none before its time', () => {
  expect(toSend([at('sending'), at('ready'), at('ready'), at('ready')], 5)).toHaveLength(2)
  expect(toSend([at('ready', { notBefore: 6 }), at('ready', { notBefore: 5 })], 5)).toHaveLength(1)
})

test.each([
  [0, 0, 1000],
  [500, 1, 2000],
  [503, 2, 4000],
  [503, 3, undefined],
  [400, 0, undefined],
  [413, 0, undefined],
  [429, 0, undefined],
])('retryDelayMs: status %i after %i failures', (status, failures, expected) => {
  expect(retryDelayMs(status, failures)).toBe(expected)
})

test('figuresOf', () => {
  const items = [
    at('done', { prepared: webp }),
    at('done', { prepared: { file: file(1000), outcome: 'kept' } }),
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
