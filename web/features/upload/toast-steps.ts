// The toasts of one upload, each in the place of the one before. What has happened stays long enough to be read, and the
// work does not wait for it; what has ended before its turn came is not shown at all.
import { notify } from '../../notify/toast.ts'

const readMs = 600

export interface ToastSteps {
  loading: (text: string) => void
  success: (text: string) => void
  /** At once, whatever was to be said before. */
  error: (text: string) => void
  dismiss: () => void
}

export function createToastSteps(id: string): ToastSteps {
  let waiting: { kind: 'loading' | 'success'; text: string }[] = []
  let freeAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function add(kind: 'loading' | 'success', text: string): void {
    waiting = [...waiting.filter((step) => step.kind === 'success'), { kind, text }]
    show()
  }

  function show(): void {
    clearTimeout(timer)
    const [next, ...rest] = waiting
    if (next === undefined) return
    const delay = freeAt - Date.now()
    if (delay > 0) {
      timer = setTimeout(show, delay)
      return
    }
    waiting = rest
    notify[next.kind](next.text, id)
    freeAt = next.kind === 'success' ? Date.now() + readMs : 0
    show()
  }

  function clear(): void {
    clearTimeout(timer)
    waiting = []
    freeAt = 0
  }

  return {
    loading: (text) => add('loading', text),
    success: (text) => add('success', text),
    error(text) {
      clear()
      notify.error(text, id)
    },
    dismiss() {
      clear()
      notify.dismiss(id)
    },
  }
}
