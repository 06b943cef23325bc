import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { notify } from '../../../ui/toast/toast.ts'
import { createToastSteps } from './toast-steps.ts'

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
  const steps = createToastSteps('x')
  steps.loading('a')
  steps.success('b')
  steps.loading('c')
  expect(shown).toEqual(['loading a x'])
  vi.advanceTimersByTime(250)
  expect(shown).toEqual(['loading a x', 'success b x'])
  vi.advanceTimersByTime(450)
  expect(shown).toEqual(['loading a x', 'success b x', 'loading c x'])
})

test('an error is shown at once and drops the waiting steps', () => {
  const steps = createToastSteps('x')
  steps.loading('a')
  steps.success('b')
  steps.error('c')
  vi.advanceTimersByTime(5000)
  expect(shown).toEqual(['loading a x', 'error c x'])
})

test('a dismissal drops the waiting steps', () => {
  const steps = createToastSteps('x')
  steps.loading('a')
  steps.success('b')
  steps.dismiss()
  vi.advanceTimersByTime(5000)
  expect(shown).toEqual(['loading a x', 'dismiss x'])
})
