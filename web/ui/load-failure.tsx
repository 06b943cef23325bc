import { clsx } from 'clsx'
import { Hourglass, TriangleAlert, WifiOff } from 'lucide-react'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { common, failures } from '../texts/messages.ts'
import { focusMain } from './focus-main.ts'

interface Props {
  /** What could not be loaded. */
  title: string
  /** Why. As model/api-error.ts describes an error: this and the two below. */
  reason: string
  kind: 'offline' | 'busy' | 'failed'
  canRetry: boolean
  onRetry: () => unknown
  /** One row, above content that is shown already or in a small space. */
  isBar?: boolean
  /** Further buttons. */
  children?: ReactNode
}

/** What an error means for the reader. */
export type Trouble = Pick<Props, 'reason' | 'kind' | 'canRetry'>

const icons = { offline: WifiOff, busy: Hourglass, failed: TriangleAlert }

/** In place of content that could not be loaded: what happened, and a button that loads it again. */
export function LoadFailure({ title, reason, kind, canRetry, onRetry, isBar = false, children }: Props) {
  const Icon = icons[kind]
  return (
    <div role="alert" className={clsx('card load-failure', isBar && 'load-failure-bar')} data-kind={kind}>
      <span className="load-failure-icon">
        <Icon aria-hidden />
      </span>
      <div className="load-failure-text">
        <p>{title}</p>
        {reason !== '' && reason !== title && <p>{reason}</p>}
      </div>
      {(canRetry || children !== undefined) && (
        <div className="flex flex-wrap items-center gap-2">
          {canRetry && <TryAgain onRetry={onRetry} />}
          {children}
        </div>
      )}
    </div>
  )
}

/** Tries again by itself when the browser is online again. During an attempt it stays focusable, so that the focus is not lost. */
export function TryAgain({ onRetry }: { onRetry: () => unknown }) {
  const [isTrying, setTrying] = useState(false)

  async function retry(): Promise<void> {
    if (isTrying) return
    setTrying(true)
    try {
      await onRetry()
    } finally {
      setTrying(false)
    }
  }

  const whenOnline = useEffectEvent(() => void retry())
  useEffect(() => {
    addEventListener('online', whenOnline)
    return () => removeEventListener('online', whenOnline)
  }, [])

  return (
    <button
      ref={keepFocus}
      type="button"
      className="btn btn-quiet btn-sm coarse:h-11 aria-disabled:opacity-50"
      aria-disabled={isTrying}
      onClick={() => void retry()}
    >
      {isTrying ? failures.trying : common.tryAgain}
    </button>
  )
}

/** After a success the focused button disappears. */
const keepFocus = (button: HTMLButtonElement) => () => {
  if (document.activeElement === button) focusMain()
}
