import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdKey, holdKeys, releaseKeys } from './held-keys.ts'

beforeEach(() => {
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
})
afterEach(() => vi.unstubAllGlobals())

/** A key press that tells whether the page would have received it. */
function press(key: string, modifiers: Partial<KeyboardEvent> = {}) {
  let isKept = false
  const event = {
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    isComposing: false,
    preventDefault: () => (isKept = true),
    stopImmediatePropagation: () => {},
    ...modifiers,
  } as KeyboardEvent
  return { isHeld: holdKey(event), isKept }
}

test('keys are the page’s own until they are held', () => {
  expect(press('e')).toEqual({ isHeld: false, isKept: false })
  holdKeys(() => {})
  expect(press('e')).toEqual({ isHeld: true, isKept: true })
  expect(releaseKeys()).toEqual({ text: 'e', isEntered: false })
  expect(press('e')).toEqual({ isHeld: false, isKept: false })
  expect(releaseKeys().text).toBe('')
})

test.each([
  [['e', 'x', 'a'], 'exa', false],
  [['E', ' ', '2', 'ü', '😀'], 'E 2ü😀', false],
  [['e', 'x', 'Backspace', 'Backspace', 'Backspace', 'a'], 'a', false],
  [['ArrowDown', 'Tab', 'Delete', 'F5', 'Shift', 'x'], 'x', false],
  [['e', 'Enter'], 'e', true],
  [['e', 'Enter', 'x'], 'ex', false],
  [['e', 'Enter', 'Escape'], '', false],
])('%j are %j', (keys, text, isEntered) => {
  holdKeys(() => {})
  for (const key of keys) press(key)
  expect(releaseKeys()).toEqual({ text, isEntered })
})

test('Escape closes what was asked for', () => {
  const close = vi.fn()
  holdKeys(close)
  press('e')
  expect(close).not.toHaveBeenCalled()
  press('Escape')
  expect(close).toHaveBeenCalledOnce()
  expect(press('e').isHeld).toBe(false)
})

test('shortcuts of the browser and words of an input method stay theirs', () => {
  holdKeys(() => {})
  expect(press('r', { ctrlKey: true }).isKept).toBe(false)
  expect(press('Process').isKept).toBe(false)
  expect(press('n', { isComposing: true }).isKept).toBe(false)
  expect(press('k', { ctrlKey: true }).isKept, 'pressed twice').toBe(true)
  expect(releaseKeys().text).toBe('')
})
