import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { notify } from '../../../ui/toast/toast.ts'
import { createQueuedToasts } from './queued-toasts.ts'

let shown: string[] = []
beforeEach(() => {
  vi.useFakeTimers()
  shown = []
  for (const kind of ['loading', 'success', 'error'] as const)
    vi.spyOn(notify, kind).mockImplementation(
      (text: unknown, id?: string) => shown.push(`${kind} ${text as string} ${id}`) as unknown as string,
    )
  vi.spyOn(notify, 'dismiss').mockImplementation((id) => void shown.push(`dismiss ${id}`))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('steps that follow each other at once are all shown, one after another in one toast', () => {
  const toasts = createQueuedToasts('x')
  toasts.loading('a')
  toasts.success('b')
  toasts.loading('c')
  expect(shown).toEqual(['loading a x'])
  vi.advanceTimersByTime(250)
  expect(shown).toEqual(['loading a x', 'success b x'])
  vi.advanceTimersByTime(450)
  expect(shown).toEqual(['loading a x', 'success b x', 'loading c x'])
})

test('an error is shown at once and drops the waiting steps', () => {
  const toasts = createQueuedToasts('x')
  toasts.loading('a')
  toasts.success('b')
  toasts.error('c')
  vi.advanceTimersByTime(5000)
  expect(shown).toEqual(['loading a x', 'error c x'])
})

test('a dismissal drops the waiting steps', () => {
  const toasts = createQueuedToasts('x')
  toasts.loading('a')
  toasts.success('b')
  toasts.dismiss()
  vi.advanceTimersByTime(5000)
  expect(shown).toEqual(['loading a x', 'dismiss x'])
})
