import { useId, useState } from 'react'
import { deleteCollection } from '../documents.ts'
import { useOnline } from '../../../model/online.ts'
import { adminNotify } from '../../../ui/toast/admin-toast.tsx'
import { database } from '../../../texts/database-view/database-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { hideErrorBanner, showErrorBanner } from '../error-banner.ts'

interface Props {
  name: string
  onDeleted: () => void
  onClose: () => void
}

/** Deletes a collection after its exact name is typed. */
export function DeleteCollectionDialog({ name, onDeleted, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const isOnline = useOnline()
  const id = useId()
  const [before, after] = database.typeToConfirm

  async function remove(): Promise<string | undefined> {
    hideErrorBanner()
    try {
      await deleteCollection(name)
    } catch (error) {
      const fallback = database.deleteCollectionFailed(name)
      return showErrorBanner(error, fallback, database.networkDelete) ?? fallback
    }
    onDeleted()
    adminNotify.done(database.collectionDeleted)
    return undefined
  }

  return (
    <ConfirmDialog
      title={database.deleteTitle}
      confirm={database.deleteCollection}
      busy={database.deleting}
      isDanger
      isLocked={typed !== name || !isOnline}
      onConfirm={remove}
      onClose={onClose}
    >
      <p className="mb-4">{database.deleteText}</p>
      <label htmlFor={id} className="mb-1.5 block wrap-anywhere">
        {before}
        <bdi className="db-name">{name}</bdi>
        {after}
      </label>
      <input
        id={id}
        className="field"
        // The name has its own text direction, like the name above.
        dir="auto"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <p role="status" className="mt-2 text-meta text-danger-text empty:hidden">
        {!isOnline && database.offline}
      </p>
    </ConfirmDialog>
  )
}
