// The toast area: top right on every route, under the header across the whole width on a phone.
import { clsx } from 'clsx'
import { Check, CircleAlert, LoaderCircle, X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useToaster, type Toast } from 'react-hot-toast/headless'
import { common } from './messages.ts'
import { notify } from './toast.ts'

/** Drawn where it was put last: a full-screen dialog has one of its own, since what lies under it is neither seen nor read out. */
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
  const { startPause, endPause } = handlers
  const region = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(false)
  const isEmpty = toasts.length === 0

  useEffect(() => {
    // A toast that goes while the pointer or the focus is on it says no goodbye: nothing would end the pause.
    if (isEmpty) endPause()
  }, [isEmpty, endPause])

  useEffect(() => {
    const focusRegion = (event: KeyboardEvent) => {
      if (event.key === 'F8') region.current?.focus()
    }
    const pauseWhileHidden = () => (document.hidden ? startPause() : endPause())
    document.addEventListener('keydown', focusRegion)
    document.addEventListener('visibilitychange', pauseWhileHidden)
    return () => {
      document.removeEventListener('keydown', focusRegion)
      document.removeEventListener('visibilitychange', pauseWhileHidden)
    }
  }, [startPause, endPause])

  const shown = toasts.filter((toast) => toast.visible)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- nothing is operated here; time stands still while it is read
    <section
      ref={region}
      className={clsx('toasts', isOpen && 'toasts-open')}
      tabIndex={-1}
      aria-label={common.toasts}
      onMouseEnter={startPause}
      onMouseLeave={endPause}
      onFocus={startPause}
      onBlur={endPause}
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
      {shown.length > 1 && !isOpen && (
        <button type="button" className="toasts-more btn btn-quiet btn-sm" onClick={() => setOpen(true)}>
          {common.moreToasts(shown.length - 1)}
        </button>
      )}
    </section>
  )
}

const icons = { success: Check, error: CircleAlert, loading: LoaderCircle, blank: null, custom: null }

function ToastCard({ toast }: { toast: Toast }) {
  const Icon = icons[toast.type]
  return (
    <div className={clsx('toast', `toast-${toast.type}`, !toast.visible && 'toast-gone')}>
      {Icon && <Icon className={clsx('size-5 shrink-0', toast.type === 'loading' && 'spin')} aria-hidden />}
      <p {...toast.ariaProps} className="min-w-0 flex-1 py-0.5 wrap-anywhere">
        {typeof toast.message === 'string' ? toast.message : null}
      </p>
      <button type="button" className="btn-icon btn-icon-sm" onClick={() => notify.dismiss(toast.id)}>
        <X className="size-4" aria-hidden />
        <span className="sr-only">{common.dismiss}</span>
      </button>
    </div>
  )
}
