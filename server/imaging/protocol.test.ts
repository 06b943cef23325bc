import { expect, it } from 'vitest'
import { isJobFor } from './protocol.ts'

it.each([
  ['accepts', 'pixels', true, { kind: 'inspect', job: { sourcePath: '/a' } }],
  ['accepts', 'svg', true, { kind: 'rasterize', job: { sourcePath: '/a' } }],
  ['rejects', 'svg', false, { kind: 'inspect', job: { sourcePath: '/a' } }],
  ['rejects', 'pixels', false, { kind: 'rasterize', job: { sourcePath: '/a' } }],
  ['rejects', 'pixels', false, { kind: 'other', job: { sourcePath: '/a' } }],
  ['rejects', 'pixels', false, { kind: 'inspect', job: {} }],
  ['rejects', 'pixels', false, { kind: 'inspect', job: null }],
  ['rejects', 'pixels', false, null],
  ['rejects', 'pixels', false, 'inspect'],
] as const)('a decoder %s as a process for %s: %s, %j', (_, decodes, isAccepted, message) => {
  expect(isJobFor(decodes, message)).toBe(isAccepted)
})
