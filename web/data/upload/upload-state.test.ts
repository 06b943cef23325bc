import { expect, test } from 'vitest'
import type { UploadedImage } from '../../../contract/images.ts'
import { ApiError } from '../api-error.ts'
import {
  afterError,
  afterEvent,
  newItem,
  toPrepare,
  toSend,
  UnreadableFile,
  type UploadEvent,
  type UploadItem,
} from './upload-state.ts'

const file = new File([new Uint8Array(1000)], 'a.png', { type: 'image/png' })
const webp = { file: new File([new Uint8Array(100)], 'a.webp'), outcome: 'converted' } as const
const image = { id: 'image' } as UploadedImage
const at = (stage: UploadItem['stage'], more: Partial<UploadItem> = {}): UploadItem => ({
  ...newItem(stage, file, 0, true),
  stage,
  ...more,
})
const after = (...events: UploadEvent[]) =>
  events.reduce((item, event, now) => afterEvent(item, event, now), at('waiting'))
const sent: UploadEvent[] = [{ type: 'converting' }, { type: 'prepared', prepared: webp }, { type: 'sending' }]
const failed = (kind: 'failed' | 'unreadable'): UploadEvent => ({ type: 'failed', problem: { kind, text: '' } })

test.each([
  ['is read', [{ type: 'reading' }], { stage: 'reading' }],
  ['is converted', sent.slice(0, 2), { stage: 'ready', prepared: webp }],
  ['is half sent', [...sent, { type: 'progress', sent: 0.5 }], { stage: 'sending', sent: 0.5, since: 2 }],
  ['is all sent', [...sent, { type: 'progress', sent: 1 }], { stage: 'sending', sent: 1, since: 3 }],
  [
    'is all sent and reports it twice',
    [...sent, { type: 'progress', sent: 1 }, { type: 'progress', sent: 1 }],
    { since: 3 },
  ],
  ['is done', [...sent, { type: 'done', image }], { stage: 'done', image }],
  [
    'is postponed',
    [...sent, { type: 'progress', sent: 1 }, { type: 'postponed', notBefore: 9, failures: 1 }],
    { stage: 'ready', sent: 0, notBefore: 9, failures: 1, prepared: webp },
  ],
  [
    'is retried by the user and keeps its conversion',
    [...sent, failed('failed'), { type: 'retry' }],
    { id: 'waiting', stage: 'ready', prepared: webp, problem: undefined, failures: 0, isPasted: false },
  ],
  [
    'is retried before its conversion',
    [{ type: 'converting' }, failed('unreadable'), { type: 'retry' }],
    { stage: 'waiting', prepared: undefined },
  ],
] as [string, UploadEvent[], Partial<UploadItem>][])('the state of an item that %s', (_, events, expected) => {
  expect(after(...events)).toMatchObject(expected)
})

test.each([
  [1, ['waiting', 'waiting'], 1],
  [2, ['waiting', 'waiting', 'waiting'], 2],
  [1, ['converting', 'waiting'], 0],
  [1, ['reading', 'waiting'], 0],
  [2, ['converting', 'waiting', 'waiting'], 1],
  [1, ['ready', 'ready', 'ready', 'ready', 'ready', 'ready', 'waiting'], 0],
] as [number, UploadItem['stage'][], number][])(
  'with %i workers and the stages %j the number of started preparations is right',
  (workers, stages, expected) => {
    const items = stages.map((stage) => at(stage))
    expect(toPrepare(items, workers, 3)).toHaveLength(expected)
  },
)

test('at most maxSending items are sent at a time, and none before its time', () => {
  expect(toSend([at('sending'), at('ready'), at('ready'), at('ready')], 3, 5)).toHaveLength(2)
  expect(toSend([at('ready', { notBefore: 6 }), at('ready', { notBefore: 5 })], 3, 5)).toHaveLength(1)
})

const status = (code: number) => new ApiError(code, { error: 'no' })
test.each([
  [0, 0, 1000],
  [500, 1, 2000],
  [503, 2, 4000],
  [503, 3, undefined],
  [400, 0, undefined],
  [413, 0, undefined],
  [429, 0, undefined],
])('status %i after %i failures is retried after %s ms', (code, failures, delayMs) => {
  const expected =
    delayMs === undefined
      ? { type: 'failed', problem: { kind: 'failed', text: 'no' } }
      : { type: 'postponed', notBefore: 7 + delayMs, failures: failures + 1 }
  expect(afterError(at('sending', { failures }), status(code), 3, true, 7)).toEqual(expected)
})

test('an attempt while offline does not count', () => {
  const event = afterError(at('sending', { failures: 1 }), status(0), 3, false, 7)
  expect(event).toEqual({ type: 'postponed', notBefore: 7, failures: 1 })
})

test.each([
  ['an unreadable file', at('reading'), new UnreadableFile(), 3, 'unreadable'],
  ['an error while preparing', at('converting'), new Error('bug'), 3, 'unexpected'],
  ['a server error without automatic retries', at('sending'), status(503), 0, 'failed'],
  ['a lost connection without automatic retries', at('sending'), status(0), 0, 'failed'],
])('%s fails at once', (_, item, error, maxRetries, kind) => {
  expect(afterError(item, error, maxRetries, false, 7)).toMatchObject({ type: 'failed', problem: { kind } })
})
