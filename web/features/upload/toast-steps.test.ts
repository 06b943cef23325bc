import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { notify } from '../../ui/toast/toast.ts'
import { createToastSteps } from './toast-steps.ts'

let said: string[] = []
beforeEach(() => {
  vi.useFakeTimers()
  said = []
  for (const kind of ['loading', 'success', 'error'] as const)
    vi.spyOn(notify, kind).mockImplementation(
      (text, id) => said.push(`${kind} ${text as string} ${id}`) as unknown as string,
    )
  vi.spyOn(notify, 'dismiss').mockImplementation((id) => void said.push(`dismiss ${id}`))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('steps that follow at once are all shown, one after another in one place', () => {
  const steps = createToastSteps('x')
  steps.loading('a')
  steps.success('b')
  steps.loading('c')
  expect(said).toEqual(['loading a x'])
  vi.advanceTimersByTime(250)
  expect(said).toEqual(['loading a x', 'success b x'])
  vi.advanceTimersByTime(450)
  expect(said).toEqual(['loading a x', 'success b x', 'loading c x'])
})

test('an error is said at once, and nothing after it', () => {
  const steps = createToastSteps('x')
  steps.loading('a')
  steps.success('b')
  steps.error('c')
  vi.advanceTimersByTime(5000)
  expect(said).toEqual(['loading a x', 'error c x'])
})

test('after a dismissal nothing comes any more', () => {
  const steps = createToastSteps('x')
  steps.loading('a')
  steps.success('b')
  steps.dismiss()
  vi.advanceTimersByTime(5000)
  expect(said).toEqual(['loading a x', 'dismiss x'])
})
