import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { common } from '../../texts/messages.ts'

interface Props {
  /** Text, or elements that are read as text. */
  title: ReactNode
  onClose: () => void
  children: ReactNode
  /** `side`: the feature that uses it provides its style. */
  size?: 'small' | 'normal' | 'wide' | 'side'
  /** The id of an element that is announced with the title. */
  describedBy?: string
  /** Neither Escape nor a click on the backdrop closes it, and it has no close button. */
  isFirm?: boolean
}

/** A modal dialog, open while mounted. The browser traps the focus, closes on Escape and restores the focus. */
export function Dialog({ title, onClose, children, size = 'normal', describedBy, isFirm = false }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  useEffect(() => {
    if (ref.current?.open !== false) return
    // Nobody opens a dialog to close it: its title is read, and Tab leads to what it is for. Before it opens, because each
    // move of the focus is styled.
    if (!isFirm && ref.current.querySelector('[autofocus]') === null) heading.current?.toggleAttribute('autofocus')
    ref.current.showModal()
  }, [isFirm])

  return (
    // A click on the dialog element itself is a click on the backdrop.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape and the button close it for keyboards
    <dialog
      ref={ref}
      className={clsx('dialog', size !== 'normal' && `dialog-${size}`)}
      role={isFirm ? 'alertdialog' : undefined}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      // The close event of a nested dialog bubbles to this one.
      onClose={(event) => event.target === ref.current && onClose()}
      onCancel={(event) => isFirm && event.preventDefault()}
      // A browser closes a dialog on the second Escape even when the event was canceled.
      onKeyDown={(event) => isFirm && event.key === 'Escape' && event.preventDefault()}
      onClick={(event) => !isFirm && event.target === ref.current && ref.current.close()}
    >
      <div className="dialog-inner">
        <div className="flex items-start justify-between gap-4">
          <h2
            ref={heading}
            id={titleId}
            tabIndex={-1}
            className={clsx('min-w-0 text-h2 wrap-anywhere', !isFirm && 'pt-1 coarse:pt-2')}
          >
            {title}
          </h2>
          {!isFirm && (
            <button type="button" className="btn-icon" onClick={() => ref.current?.close()}>
              <X className="size-5" aria-hidden />
              <span className="sr-only">{common.close}</span>
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  )
}
