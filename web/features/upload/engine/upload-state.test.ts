import { expect, test } from 'vitest'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { boundary } from '../../../texts/messages.ts'
import {
  afterError,
  afterEvent,
  canRetry,
  MissingScript,
  newItem,
  SendError,
  toPrepare,
  toSend,
  UnreadableFile,
  type UploadEvent,
  type UploadItem,
  type UploadWait,
  waitOf,
} from './upload-state.ts'

const file = new File([new Uint8Array(1000)], 'a.png', { type: 'image/png' })
const webp = { file: new File([new Uint8Array(100)], 'a.webp'), outcome: 'converted' } as const
const image = { id: 'image' } as UploadedImage
const at = (stage: UploadItem['stage'], more: Partial<UploadItem> = {}): UploadItem => ({
  ...newItem(stage, file, 0, { isPasted: true }),
  stage,
  ...more,
})
const after = (...events: UploadEvent[]) =>
  events.reduce((item, event, now) => afterEvent(item, event, now), at('waiting'))
const sent: UploadEvent[] = [{ type: 'converting' }, { type: 'prepared', prepared: webp }, { type: 'sending' }]
const waitFor = (reason: UploadWait['reason'], notBefore = 9, text = ''): UploadWait => ({ reason, text, notBefore })
const lost: UploadEvent = { type: 'postponed', wait: waitFor('connection'), failures: 1 }
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
    [...sent, { type: 'progress', sent: 0.7 }, lost],
    { stage: 'ready', sent: 0.7, wait: waitFor('connection'), failures: 1, prepared: webp },
  ],
  [
    'is tried again but gets no further',
    [...sent, lost, { type: 'sending' }],
    { stage: 'sending', wait: waitFor('connection'), failures: 1 },
  ],
  [
    'gets further again',
    [...sent, lost, { type: 'sending' }, { type: 'progress', sent: 0.1 }],
    { stage: 'sending', sent: 0.1, wait: undefined, failures: 0 },
  ],
  [
    'is sent again from the start',
    [...sent, { type: 'progress', sent: 0.7 }, lost, { type: 'sending' }, { type: 'restarted' }],
    { stage: 'sending', sent: 0, isRestarted: true },
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

test('at most maxSending items are sent at a time, and none before the time of all', () => {
  expect(toSend([at('sending'), at('ready'), at('ready'), at('ready')], 3, 5)).toHaveLength(2)
  const waiting = [
    at('ready', { wait: waitFor('server', 6) }),
    at('ready', { wait: waitFor('server', 5) }),
    at('ready'),
  ]
  expect([5, 6].map((now) => toSend(waiting, 3, now).length)).toEqual([0, 3])
})

test('what got no response is sent after the others', () => {
  const [failed, fresh] = [at('ready', { wait: waitFor('connection', 5), failures: 2 }), at('ready')]
  expect(toSend([failed, fresh], 1, 5)).toEqual([fresh])
})

const refused = (status: number, retryAfterMs?: number) => new SendError(status, { error: 'no' }, { retryAfterMs })
const missing = new MissingScript()
const now = { isOnline: true, now: 7, random: 0 }
test.each([
  ['a lost connection', refused(0), 0, 'connection', 500],
  ['the fourth lost connection', refused(0), 3, 'connection', 4000],
  ['the hundredth lost connection', refused(0), 99, 'connection', 15_000],
  ['a busy server that names a time', refused(503, 7000), 5, 'server', 7000],
  ['a busy server that names none', refused(503), 1, 'server', 1000],
  ['a restarting server', refused(502), 50, 'server', 15_000],
  ['a short limit', refused(429, 60_000), 0, 'server', 60_000],
  ['an hourly limit', refused(429, 1_800_000), 0, 'limit', 1_800_000],
  ['a failure of the server', refused(500), 2, 'server', 2000],
  ['a script that was not loaded', missing, 2, 'connection', 2000],
  ['a full server', refused(507), 3, 'space', 4000, 'no'],
] as [string, Error, number, UploadWait['reason'], number, string?][])(
  '%s is waited for',
  (_, error, failures, reason, delayMs, text) => {
    const expected = { type: 'postponed', wait: waitFor(reason, 7 + delayMs, text), failures: failures + 1 }
    const outage = { attempts: failures, until: 7 }
    expect(afterError(at('sending', { failures }), error, { ...now, outage })).toEqual(expected)
  },
)

test('what failed at the same time is not repeated at the same time', () => {
  const delayOf = (error: Error, random: number) =>
    (afterError(at('sending'), error, { ...now, now: 0, random }) as { wait: UploadWait }).wait.notBefore
  expect([delayOf(refused(0), 0), delayOf(refused(0), 1)]).toEqual([500, 1000])
  expect([delayOf(refused(503, 7000), 0), delayOf(refused(503, 7000), 1)]).toEqual([7000, 8000])
})

test('an attempt while offline does not count', () => {
  const event = afterError(at('sending', { failures: 1 }), refused(0), { ...now, isOnline: false })
  expect(event).toEqual({ type: 'postponed', wait: waitFor('connection', 7), failures: 1 })
})

test.each([
  ['an unreadable file', at('reading'), new UnreadableFile(), 'unreadable', ''],
  ['an unreadable file while it is sent', at('sending'), new UnreadableFile(), 'unreadable', ''],
  ['an error while preparing', at('converting'), new Error('bug'), 'unexpected', ''],
  ['an error of the page', at('sending'), new Error('bug'), 'unexpected', ''],
  ['a refusal', at('sending'), refused(400), 'failed', 'no'],
  ['a file that is too large', at('sending'), refused(413), 'failed', 'no'],
  ['the fourth failure of the server', at('sending', { failures: 3 }), refused(500), 'failed', 'no'],
  ['a script that is gone', at('sending', { failures: 3 }), missing, 'failed', boundary.notLoaded],
])('%s is final', (_, item, error, kind, text) => {
  expect(afterError(item, error, now)).toMatchObject({ type: 'failed', problem: { kind, text } })
})

test.each([
  ['nothing', ['ready', 'sending'], undefined],
  ['the connection', ['ready-connection', 'sending-connection'], 'connection'],
  ['nothing while another item gets further', ['ready-server', 'sending'], undefined],
  ['nothing while another item is converted', ['ready-server', 'converting'], undefined],
  ['nothing after all is done', ['done', 'failed-server'], undefined],
])('a queue waits for %s', (_, stages, expected) => {
  const items = stages.map((name) => {
    const [stage, reason] = name.split('-') as [UploadItem['stage'], UploadWait['reason']?]
    return at(stage, { wait: reason && waitFor(reason) })
  })
  expect(waitOf(items)?.reason).toBe(expected)
})

test.each([
  ['an unsupported type', new SendError(415), false],
  ['a blocked image', new SendError(403, { code: 'image_blocked' }), false],
  ['an image that is held for review', new SendError(451), false],
  ['a refusal of any kind', new SendError(400), false],
  ['an ended login', new SendError(401), true],
  ['an unsolved challenge', new SendError(428, undefined, { challenge: 'a' }), true],
  ['a full storage of the account', new SendError(413, { code: 'quota_exceeded' }), true],
])('after %s, another attempt may help: %#', (_, error, expected) => {
  const sending = afterEvent(newItem('a', new File([], 'a'), 0), { type: 'sending' }, 0)
  expect(canRetry(afterEvent(sending, afterError(sending, error, now), 0))).toBe(expected)
})
