import { Undo2, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { undo } from '../../texts/dashboard-messages.ts'
import { LiveText } from '../live-text.tsx'
import { focusMain } from '../focus-main.ts'

const undoShownMs = 10_000

interface Props {
  text: string
  name?: string | undefined
  onUndo: () => Promise<void>
  onGone: () => void
  /** A way to what was deleted. */
  children?: ReactNode
}

/** Offers to undo a change for 10 seconds, longer while hovered or focused. */
export function UndoBar({ text, name, onUndo, onGone, children }: Props) {
  const [isPointedAt, setPointedAt] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const isHeld = isPointedAt || isFocused || isBusy
  const leave = useEffectEvent(onGone)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => leave(), undoShownMs)
    return () => clearTimeout(timer)
  }, [isHeld])

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handlers only pause the timer
    <section
      className="undo-bar"
      aria-label={undo.label}
      // A touch pointer that leaves does not count.
      onPointerEnter={({ pointerType }) => setPointedAt(pointerType !== 'touch')}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <LiveText className="undo-text">
        {text}
        {name !== undefined && <span className="ml-3 text-text-2 max-md:hidden">{name}</span>}
      </LiveText>
      <button
        type="button"
        className="btn btn-quiet btn-sm"
        disabled={isBusy}
        aria-keyshortcuts="Control+Z Meta+Z"
        onClick={async () => {
          setBusy(true)
          focusMain()
          await onUndo()
        }}
      >
        <Undo2 className="size-4" aria-hidden />
        {undo.action}
      </button>
      {children}
      <button
        type="button"
        className="btn-icon btn-icon-sm"
        aria-label={undo.dismiss}
        onClick={() => {
          onGone()
          focusMain()
        }}
      >
        <X className="size-4" aria-hidden />
      </button>
    </section>
  )
}
