import { expect, test } from 'vitest'
import { displayedBody } from './response-body.ts'

const shown = (text: string, type: string, max = 100) => displayedBody(new Blob([text], { type }), max)

test.each<[string, string, object]>([
  ['{"a":1}', 'application/json; charset=utf-8', { kind: 'json', text: '{\n  "a": 1\n}', length: 12 }],
  ['{"openapi":"3"}', 'application/vnd.oai+json', { kind: 'json' }],
  ['{"half":', 'application/json', { kind: 'text', text: '{"half":', length: 8 }],
  ['null', 'application/json', { kind: 'json', text: 'null', value: null }],
  ['OK', 'text/plain', { kind: 'text', text: 'OK' }],
  ['', 'application/json', { kind: 'none' }],
  ['x', 'image/svg+xml', { kind: 'image' }],
  ['x', 'application/gzip', { kind: 'file' }],
  ['x', '', { kind: 'file' }],
])('displays %j as %s', async (text, type, expected) => {
  expect(await shown(text, type)).toMatchObject(expected)
})

test('shows a body that is nested too deeply unformatted', async () => {
  const text = '['.repeat(99_999) + ']'.repeat(99_999)
  expect(await shown(text, 'application/json')).toMatchObject({ kind: 'text', text: '['.repeat(100), length: 199_998 })
})

test('truncates a long body without splitting a code point', async () => {
  expect(await shown('x'.repeat(500), 'text/plain')).toMatchObject({ text: 'x'.repeat(100), length: 500 })
  expect(await shown('😀😀', 'text/plain', 3)).toMatchObject({ text: '😀', length: 4 })
  expect(await displayedBody(undefined, 100)).toEqual({ kind: 'tooLarge' })
})
