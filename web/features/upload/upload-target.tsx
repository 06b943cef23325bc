import { useEffect, useRef, type ReactNode } from 'react'
import { dropZone } from '../../texts/messages.ts'
import type { Drag } from './drop/use-drop.ts'

interface Props {
  className: string
  drag: Drag
  /** What it shows, by a name: with the state the focused button may disappear. */
  state: string
  isBusy: boolean
  isDisabled?: boolean
  children: ReactNode
}

/** Where images are chosen and dropped, and where their upload is shown. */
export function UploadTarget({ className, drag, state, isBusy, isDisabled, children }: Props) {
  const target = useRef<HTMLDivElement>(null)
  // After a change of the state: the cleanup runs when the new content is there.
  useEffect(
    () => () => {
      if (document.activeElement === document.body) target.current?.focus({ preventScroll: true })
    },
    [state],
  )
  return (
    <div
      ref={target}
      className={className}
      role="group"
      aria-label={dropZone.label}
      aria-busy={isBusy}
      // Not while busy: it would also disable the Cancel button inside.
      aria-disabled={isDisabled}
      tabIndex={-1}
    >
      {/* Around the window: files can be dropped anywhere. */}
      {drag.isOver && <div className={drag.refusal === undefined ? 'drop-frame' : 'drop-frame drop-frame-refused'} />}
      {children}
    </div>
  )
}
