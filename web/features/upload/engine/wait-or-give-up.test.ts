import { expect, test } from 'vitest'
import { boundary } from '../../../texts/messages.ts'
import { afterEvent, canRetry, newItem, type UploadItem, type UploadWait } from './upload-state.ts'
import { afterError, MissingScript, SendError, UnreadableFile } from './wait-or-give-up.ts'

const file = new File([new Uint8Array(1000)], 'a.png', { type: 'image/png' })
const at = (stage: UploadItem['stage'], failures = 0): UploadItem => ({ ...newItem(stage, file, 0), stage, failures })
const waitFor = (reason: UploadWait['reason'], notBefore: number, text = ''): UploadWait => ({
  reason,
  text,
  notBefore,
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
    expect(afterError(at('sending', failures), error, { ...now, outage })).toEqual(expected)
  },
)

test('what failed at the same time is not repeated at the same time', () => {
  const delayOf = (error: Error, random: number) =>
    (afterError(at('sending'), error, { ...now, now: 0, random }) as { wait: UploadWait }).wait.notBefore
  expect([delayOf(refused(0), 0), delayOf(refused(0), 1)]).toEqual([500, 1000])
  expect([delayOf(refused(503, 7000), 0), delayOf(refused(503, 7000), 1)]).toEqual([7000, 8000])
})

test('an attempt while offline does not count', () => {
  const event = afterError(at('sending', 1), refused(0), { ...now, isOnline: false })
  expect(event).toEqual({ type: 'postponed', wait: waitFor('connection', 7), failures: 1 })
})

test.each([
  ['an unreadable file', at('reading'), new UnreadableFile(), 'unreadable', ''],
  ['an unreadable file while it is sent', at('sending'), new UnreadableFile(), 'unreadable', ''],
  ['an error while preparing', at('converting'), new Error('bug'), 'unexpected', ''],
  ['an error of the page', at('sending'), new Error('bug'), 'unexpected', ''],
  ['a refusal', at('sending'), refused(400), 'failed', 'no'],
  ['a file that is too large', at('sending'), refused(413), 'failed', 'no'],
  ['the fourth failure of the server', at('sending', 3), refused(500), 'failed', 'no'],
  ['a script that is gone', at('sending', 3), missing, 'failed', boundary.notLoaded],
])('%s is final', (_, item, error, kind, text) => {
  expect(afterError(item, error, now)).toMatchObject({ type: 'failed', problem: { kind, text } })
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
