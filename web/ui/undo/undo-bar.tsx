import { Undo2, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { undo as texts } from '../../texts/dashboard-messages.ts'
import { Link } from '../link.tsx'
import { LiveText } from '../live-text.tsx'
import { focusMain } from '../focus-main.ts'
import type { UndoableChange, useUndo } from './use-undo.ts'

const undoShownMs = 10_000

/** Offers to undo the last change. */
export const UndoBar = ({ of: { undoable, undo, hide } }: { of: Omit<ReturnType<typeof useUndo>, 'add'> }) =>
  undoable && <Offer key={undoable.key} change={undoable} onUndo={undo} onGone={hide} />

interface Props {
  change: UndoableChange
  onUndo: () => Promise<void>
  onGone: () => void
}

/** For 10 seconds, longer while hovered or focused. */
function Offer({ change: { text, name, link }, onUndo, onGone }: Props) {
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
      aria-label={texts.label}
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
        {texts.action}
      </button>
      {link && (
        <Link to={link.to} className="btn btn-ghost btn-sm">
          {link.label}
        </Link>
      )}
      <button
        type="button"
        className="btn-icon btn-icon-sm"
        aria-label={texts.dismiss}
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
