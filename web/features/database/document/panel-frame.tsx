import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { database } from '../../../texts/database-messages.ts'

interface Props {
  /** Over the page, where there is no room for a column. */
  isSheet: boolean
  onClose: () => void
  children: ReactNode
}

/** The place of a document: a column, or a sheet. What is in it lives on when the one becomes the other. */
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
    // Closed before it leaves the page: the focus goes back to where it was.
    return () => dialog?.close()
  }, [content])
  return (
    <dialog
      ref={ref}
      className="dialog db-sheet"
      aria-label={database.panel}
      // An Escape that the document itself has an answer to does not come here.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      // Some browsers close it on the second Escape whatever was said to the first.
      onClose={(event) => event.target === event.currentTarget && event.currentTarget.isConnected && onClose()}
    />
  )
}
