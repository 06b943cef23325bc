import { expect, it } from 'vitest'
import { isFromDecoder } from './protocol.ts'

it.each([
  [true, { type: 'ready' }],
  [true, { type: 'started' }],
  [true, { type: 'ended', rssBytes: 1, outcome: { kind: 'failed', message: 'x' } }],
  [false, { type: 'ended', rssBytes: 1, outcome: { kind: 'owned' } }],
  [false, { type: 'ended', rssBytes: 1, outcome: null }],
  [false, { type: 'ended', rssBytes: '1', outcome: { kind: 'done' } }],
  [false, { type: 'ended' }],
  [false, { type: 'other' }],
  [false, null],
  [false, 'ready'],
])('%s: %j', (isOurs, message) => {
  expect(isFromDecoder(message)).toBe(isOurs)
})
