// The toast area: top right on every route, full width below the header on a phone.
import { clsx } from 'clsx'
import { Check, CircleAlert, LoaderCircle, X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore, useCallback } from 'react'
import { useToaster, type Toast } from 'react-hot-toast/headless'
import { common } from '../../texts/messages.ts'
import { notify } from './toast.ts'
import { useDocumentKeys } from '../use-document-keys.ts'

/** Rendered at its last mount point: a full-screen dialog has its own, since content below it is neither visible nor announced. */
export function Toaster() {
  const [place] = useState(() => Symbol('toaster'))
  useEffect(() => {
    setPlaces([...places, place])
    return () => setPlaces(places.filter((other) => other !== place))
  }, [place])
  const last = useSyncExternalStore(
    subscribe,
    () => places.at(-1),
    () => undefined,
  )
  return last === place ? <Toasts /> : null
}

let places: readonly symbol[] = []
const listeners = new Set<() => void>()

function setPlaces(next: readonly symbol[]): void {
  places = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function Toasts() {
  const { toasts, handlers } = useToaster({ removeDelay: 200 })
  const region = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(false)
  const isEmpty = toasts.length === 0
  const { hold, release } = usePause(handlers.startPause, handlers.endPause, isEmpty)
  const newest = toasts[0]?.id

  // On a phone the stack is collapsed again for the next toasts.
  if (isEmpty && isOpen) setOpen(false)

  useEffect(() => {
    if (newest !== undefined) raise(region.current)
  }, [newest])

  useDocumentKeys((event) => {
    if (event.key === 'F8') region.current?.focus()
  })

  /** Removing the button fires no leave event, so the pause is ended here; else the other toasts would stay forever. */
  function dismiss(id: string, isByKey: boolean): void {
    notify.dismiss(id)
    release('pointer')
    if (isByKey) region.current?.focus()
    else release('focus')
  }

  const shown = toasts.filter((toast) => toast.visible)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hovering only pauses the timers
    <section
      ref={region}
      popover="manual"
      className={clsx('toasts', isOpen && 'toasts-open')}
      tabIndex={-1}
      aria-label={common.toasts}
      aria-live="polite"
      onMouseMove={() => hold('pointer')}
      onMouseLeave={() => release('pointer')}
      onFocus={() => hold('focus')}
      onBlur={() => release('focus')}
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onDismiss={(isByKey) => dismiss(toast.id, isByKey)} />
      ))}
      {shown.length > 1 && !isOpen && (
        <button type="button" className="toasts-more btn btn-quiet btn-sm" onClick={() => setOpen(true)}>
          {common.moreToasts(shown.length - 1)}
        </button>
      )}
    </section>
  )
}

/** Shown over a dialog that was opened later; there it is visible but not operable. */
function raise(region: HTMLElement | null): void {
  if (region === null || region.contains(document.activeElement)) return
  if (document.querySelector('dialog:modal') === null) return
  region.hidePopover()
  region.showPopover()
}

const icons = { success: Check, error: CircleAlert, loading: LoaderCircle, blank: null, custom: null }

function ToastCard({ toast, onDismiss }: { toast: Toast; onDismiss: (isByKey: boolean) => void }) {
  const Icon = icons[toast.type]
  return (
    <div className={clsx('toast', `toast-${toast.type}`, !toast.visible && 'toast-gone')}>
      {Icon && <Icon className={clsx('size-5 shrink-0', toast.type === 'loading' && 'spin')} aria-hidden />}
      <p
        {...(toast.ariaProps['aria-live'] !== 'polite' && toast.ariaProps)}
        className="min-w-0 flex-1 py-0.5 wrap-anywhere"
      >
        {typeof toast.message === 'function' ? null : toast.message}
      </p>
      <button
        type="button"
        aria-live="off"
        className="btn-icon btn-icon-sm"
        onClick={({ detail }) => onDismiss(detail === 0)}
      >
        <X className="size-4" aria-hidden />
        <span className="sr-only">{common.dismiss}</span>
      </button>
    </div>
  )
}

type Reason = 'pointer' | 'focus' | 'hidden'

/**
 * Pauses the toast timers while there is a reason: the pointer or the focus is on a toast, or the page is hidden. The
 * library loses the elapsed time when a pause starts twice, so only the first and the last reason are passed on.
 */
function usePause(start: () => void, end: () => void, isEmpty: boolean) {
  const reasons = useRef(new Set<Reason>())
  const hold = useCallback(
    (reason: Reason) => {
      if (reasons.current.size === 0) start()
      reasons.current.add(reason)
    },
    [start],
  )
  const release = useCallback(
    (reason: Reason) => {
      if (reasons.current.delete(reason) && reasons.current.size === 0) end()
    },
    [end],
  )

  useEffect(() => {
    // A toast that is removed under the pointer or with the focus fires no leave event: nothing else would end the pause.
    if (isEmpty) for (const reason of ['pointer', 'focus'] as const) release(reason)
  }, [isEmpty, release])

  useEffect(() => {
    const look = () => (document.hidden ? hold('hidden') : release('hidden'))
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [hold, release])

  return { hold, release }
}
