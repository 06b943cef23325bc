import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { database } from '../../../texts/database-view/database-messages.ts'

interface Props {
  /** True: a sheet over the page, for screens without space for a column. */
  isSheet: boolean
  onClose: () => void
  children: ReactNode
}

/** The frame of a document: a column or a sheet. Its content is not remounted when the layout changes. */
export function PanelFrame({ isSheet, onClose, children }: Props) {
  const [content] = useState(() => Object.assign(document.createElement('div'), { className: 'db-panel-content' }))
  return (
    <>
      {isSheet ? <Sheet content={content} onClose={onClose} /> : <Column content={content} />}
      {createPortal(children, content)}
    </>
  )
}

function Column({ content }: { content: HTMLElement }) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => ref.current?.append(content), [content])
  return <div ref={ref} className="db-panel" />
}

function Sheet({ content, onClose }: { content: HTMLElement; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    dialog?.append(content)
    dialog?.showModal()
    // Closing before unmount lets the browser restore the focus.
    return () => dialog?.close()
  }, [content])
  return (
    <dialog
      ref={ref}
      className="dialog db-sheet"
      aria-label={database.panel}
      // An Escape that the content handles does not reach this listener.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      // Some browsers close the dialog on a second Escape even when the event was canceled.
      onClose={(event) => event.target === event.currentTarget && event.currentTarget.isConnected && onClose()}
    />
  )
}
