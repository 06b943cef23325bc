// The toasts of one upload, each in the place of the one before. Every step stays long enough to be read; the work does not
// wait for that, so on a fast line the words come a moment after it.
import { notify } from '../../ui/toast/toast.ts'

const shownMs = { loading: 250, success: 450 }

export interface ToastSteps {
  /** Before the first step: what an earlier upload had still to say is of no interest any more. */
  begin: () => void
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
    waiting.push({ kind, text })
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
    freeAt = Date.now() + shownMs[next.kind]
    show()
  }

  function clear(): void {
    clearTimeout(timer)
    waiting = []
    freeAt = 0
  }

  return {
    begin: clear,
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
