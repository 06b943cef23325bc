// The state of editing a document: the changes, the version they apply to, and the result of saving.
import { useEffect, useRef, useState } from 'react'
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import { ApiError } from '../../../model/api-error.ts'
import { readDraft, storeDraft } from '../document-drafts.ts'
import { updateDocument } from '../documents.ts'
import { useOnline } from '../../../model/online.ts'
import { adminNotify } from '../../../ui/toast/admin-toast.tsx'
import { edit as texts } from '../../../texts/database-view/database-panel-messages.ts'
import { bannerTextOf, hideErrorBanner, showErrorBanner } from '../error-banner.ts'
import { changesOf, type Edit, type Edits, isSameVersion, withEdit } from './document-changes.ts'
import type { EditState } from './edit-footer.tsx'

interface Options {
  collection: string
  /** The current document, as far as it is known. */
  document: Document
  onSaved: (saved: Document) => void
  /** The server has another version: `document` becomes the base of the changes. */
  onStale: () => Promise<void>
}

const none: Edits = new Map()

export function useDocumentEdit({ collection, document, onSaved, onStale }: Options) {
  const id = document._id
  const [draft] = useState(() => readDraft<Edit>(collection, id))
  const [held, setHeld] = useState(draft ?? { base: document, edits: none })
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isRestored, setRestored] = useState(draft !== undefined)
  const isOnline = useOnline()
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => void (isHere.current = false)
  }, [])

  const { edits } = held
  // Without changes a newer version replaces the shown one.
  const base = edits.size === 0 ? document : held.base
  const newer = isSameVersion(base, document) ? undefined : document
  const { changed, problems } = changesOf(base, edits)
  const changes = changed.size + problems.size

  function hold(next: { base: Document; edits: Edits }): void {
    setHeld(next)
    setFailure(undefined)
    storeDraft(collection, id, next.edits.size === 0 ? undefined : next)
  }

  async function save(): Promise<void> {
    if (isSaving || stateOf() === 'conflict' || changed.size === 0 || problems.size > 0 || !isOnline) return
    setSaving(true)
    setFailure(undefined)
    hideErrorBanner()
    try {
      const saved = await updateDocument(collection, id, Object.fromEntries(changed), base.__v)
      storeDraft(collection, id, undefined)
      adminNotify.done(texts.saved)
      if (isHere.current) onSaved(saved)
    } catch (error) {
      await refused(error)
    }
    if (isHere.current) setSaving(false)
  }

  async function refused(error: unknown): Promise<void> {
    const isRefusal = error instanceof ApiError
    if (isRefusal && (error.code === 'document_changed' || error.code === 'document_not_found')) {
      console.info(texts.saveFailed, error)
      setFailure(error.code === 'document_changed' ? error.message || texts.saveFailed : texts.savedGone)
      return onStale()
    }
    const text = bannerTextOf(error, texts.saveFailed, texts.networkFailed)
    if (isRefusal) showErrorBanner(error, texts.saveFailed, texts.networkFailed)
    else console.info(texts.networkFailed, error)
    setFailure(text)
    if (text !== undefined) adminNotify.failed(text)
  }

  function stateOf(): EditState {
    if (isSaving) return 'saving'
    if (newer !== undefined) return 'conflict'
    if (problems.size > 0) return 'errors'
    if (changed.size === 0) return 'unchanged'
    if (!isOnline) return 'offline'
    return failure === undefined ? 'modified' : 'failed'
  }

  return {
    base,
    edits,
    newer,
    changes,
    failure: newer === undefined ? failure : undefined,
    state: stateOf(),
    isRestored,
    edit(name: string, next: Edit): void {
      hold({ base, edits: withEdit(base, edits, name, next) })
    },
    save,
    /** Discards all changes. */
    discard(): void {
      setRestored(false)
      hold({ base: document, edits: none })
    },
    /** Applies the changes to the new version; saving is a separate step. */
    keepMine(): void {
      hold({ base: document, edits })
    },
  }
}
