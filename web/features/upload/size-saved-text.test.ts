import { expect, test } from 'vitest'
import { keptHint } from './size-saved-text.ts'

const file = new File([], 'harbour.jpg')
const hint = '. It may fit once “Keep photographs as they are” is off'

test.each([
  ['a kept photograph over a limit', 'kept', 'image_over_limit', hint],
  ['a kept photograph with too many bytes', 'kept', 'file_too_large', hint],
  ['a kept photograph that is blocked', 'kept', 'image_blocked', ''],
  ['a converted one over a limit', 'converted', 'image_over_limit', ''],
] as const)('%s is told what would help: %#', (_, outcome, code, expected) => {
  expect(keptHint({ prepared: { file, outcome }, problem: { kind: 'failed', text: 'no', code } })).toBe(expected)
})

test('a photograph that was not refused needs no hint', () => {
  expect(keptHint({ prepared: { file, outcome: 'kept' }, problem: undefined })).toBe('')
})
