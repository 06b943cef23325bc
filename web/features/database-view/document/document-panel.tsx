// One document, for reading or editing. The layout works from a 320 px column to a full-width sheet.
import { FileQuestion, X } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import { readDraft } from '../document-drafts.ts'
import { panel } from '../../../texts/database-view/database-panel-messages.ts'
import { common } from '../../../texts/messages.ts'
import { DocumentReader } from './document-reader.tsx'
import { consumeEditRequest, useEditRequest } from './edit-request.ts'
import { DocumentEditor } from './document-editor.tsx'
import { useDocument } from './use-document.ts'
import './document-panel.css'

interface Props {
  collection: string
  id: string
  /** Called after a save, so that the table shows the new version. */
  onSaved: () => void
  onClose: () => void
}

export function DocumentPanel({ collection, id, onSaved, onClose }: Props) {
  const { document, problem, read, replace } = useDocument(collection, id)
  // An unsaved draft continues.
  const [isEditing, setEditing] = useState(() => readDraft(collection, id) !== undefined)
  const [isClosing, setClosing] = useState(false)
  const title = useId()
  const editButton = useRef<HTMLButtonElement>(null)
  const close = useClosing(onClose)

  const isWished = useEditRequest(id)
  const wished = useEffectEvent(() => consumeEditRequest(id) && setEditing(true))
  useEffect(() => {
    if (isWished) wished()
  }, [isWished])

  /** The button exists again after the next render. */
  function leave(): void {
    setEditing(false)
    setClosing(false)
    requestAnimationFrame(() => editButton.current?.focus())
  }

  function saved(next: Document): void {
    replace(next)
    leave()
    onSaved()
  }

  const isOpen = document !== undefined && (problem !== 'missing' || isEditing)
  return (
    <section className="doc-panel" aria-labelledby={title}>
      <div className="doc-head">
        <h2 id={title} tabIndex={-1} className="mr-auto text-reading font-semibold">
          {panel.title}
        </h2>
        {isOpen && !isEditing && (
          <button
            ref={editButton}
            type="button"
            className="btn btn-quiet btn-sm coarse:h-11"
            aria-keyshortcuts="E"
            onClick={() => setEditing(true)}
          >
            {panel.edit}
          </button>
        )}
        <button type="button" className="btn-icon" onClick={() => (isEditing ? setClosing(true) : close())}>
          <X className="size-4" aria-hidden />
          <span className="sr-only">{panel.close}</span>
        </button>
      </div>
      {isOpen && isEditing && (
        <DocumentEditor
          collection={collection}
          document={document}
          isClosing={isClosing}
          onStay={() => setClosing(false)}
          onClose={close}
          onSaved={saved}
          onStale={read}
          onLeave={leave}
        />
      )}
      {isOpen && !isEditing && <DocumentReader document={document} onEdit={() => setEditing(true)} onClose={close} />}
      {!isOpen && problem === undefined && <Skeleton />}
      {!isOpen && problem !== undefined && (
        <Missing isMissing={problem === 'missing'} onRetry={() => void read()} onClose={close} />
      )}
    </section>
  )
}

/** Closes, and returns the focus to the element that opened the panel. */
function useClosing(onClose: () => void): () => void {
  const [opener] = useState(() => document.activeElement)
  return () => {
    onClose()
    requestAnimationFrame(() => {
      if (document.activeElement !== null && document.activeElement !== document.body) return
      const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
      const target = isThere ? opener : document.getElementById('main')
      target?.focus({ preventScroll: true })
    })
  }
}

function Skeleton() {
  return (
    <div role="status" className="grid gap-2">
      <span className="sr-only">{panel.loading}</span>
      <div className="skeleton h-60" />
    </div>
  )
}

function Missing({ isMissing, onRetry, onClose }: { isMissing: boolean; onRetry: () => void; onClose: () => void }) {
  return (
    <div role="alert" className="doc-missing">
      <FileQuestion className="size-6 text-text-3" aria-hidden />
      <p className="font-medium">{isMissing ? panel.gone : panel.fetchFailed}</p>
      {isMissing ? (
        <>
          <p className="text-dense text-text-2">{panel.goneText}</p>
          <button type="button" className="btn btn-quiet btn-sm mt-2 coarse:h-11" onClick={onClose}>
            {common.close}
          </button>
        </>
      ) : (
        <button type="button" className="btn btn-quiet btn-sm mt-2 coarse:h-11" onClick={onRetry}>
          {common.tryAgain}
        </button>
      )}
    </div>
  )
}
