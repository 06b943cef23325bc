// The toasts of a user's single upload, each shown long enough to be read. The upload does not wait
// for that, so on a fast connection the toasts come a moment late.
import type { UploadEvent, UploadItem } from '../engine/upload-state.ts'
import { steps } from '../../../texts/upload-messages.ts'
import { notify } from '../../../ui/toast/toast.ts'
import type { UploadToasts } from '../use-single-upload.ts'

const shownMs = { loading: 250, success: 450 }

/** All have the id that they were created with. */
interface QueuedToasts extends UploadToasts {
  loading: (text: string) => void
  success: (text: string) => void
  error: (text: string) => void
  dismiss: () => void
  /** Drops the steps of an earlier upload that are not shown yet. */
  begin: () => void
}

/** The steps before the sending. */
export function showPreparation(toasts: QueuedToasts, { isPasted }: UploadItem, event: UploadEvent): void {
  if (event.type === 'reading' || event.type === 'retry') toasts.begin()
  if (event.type === 'reading' && isPasted) toasts.loading(steps.pasting)
  if (event.type === 'converting') {
    if (isPasted) toasts.success(steps.pasted)
    toasts.loading(steps.converting)
  }
  if (event.type === 'prepared') {
    const { outcome } = event.prepared
    if ((outcome === 'unchanged' || outcome === 'kept') && isPasted) toasts.success(steps.pasted)
    if (outcome === 'converted') toasts.success(steps.converted)
  }
}

/**
 * An error is shown at once; waiting steps are dropped.
 * @param id of the toast that all steps share
 */
export function createQueuedToasts(id: string): QueuedToasts {
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
