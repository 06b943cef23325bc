import { expect, test } from 'vitest'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import {
  afterEvent,
  newItem,
  toPrepare,
  toSend,
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
