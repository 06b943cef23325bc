import { useCallback, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { ApiError, serverText } from '../../model/api-error.ts'
import { type DeletionResult, deleteImages, restoreImages } from '../../model/images/images.ts'
import { undo as undoText } from '../../texts/dashboard-messages.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { notify } from '../../ui/toast/toast.ts'

interface Undoable extends Pick<DeletionResult, 'removed'> {
  key: number
  text: string
}

/** Deletes images, and restores those of the last deletion. */
export function useUndoableDeletion(onDeleted: () => void) {
  const [undoable, setUndoable] = useState<Undoable>()

  const removeAll = useCallback(
    async (images: readonly Image[]): Promise<string | undefined> => {
      const { count, removed, failure } = await deleteImages(images)
      if (removed.length > 0) setUndoable((before) => ({ key: (before?.key ?? 0) + 1, removed, text: textOf(removed) }))
      if (count > 0) notify.success(gallery.deleted)
      if (failure !== undefined) {
        console.info(gallery.deleteFailed, failure)
        return endsSession(failure) ? '' : serverText(failure, gallery.deleteFailed)
      }
      if (images.length > 1) onDeleted()
      return undefined
    },
    [onDeleted],
  )

  const remove = useCallback(
    async (image: Image) => {
      const reason = await removeAll([image])
      if (reason !== undefined && reason !== '') notify.error(gallery.deleteFailed)
    },
    [removeAll],
  )

  async function undo(): Promise<void> {
    if (undoable === undefined) return
    const { key, removed } = undoable
    const { left, failure } = await restoreImages(removed)
    // A deletion made meanwhile has its own bar; what could not be restored can be tried again.
    setUndoable((now) =>
      now?.key !== key ? now : left.length === 0 ? undefined : { key: key + 1, removed: left, text: textOf(left) },
    )
    if (failure === undefined) {
      notify.success(undoText.done(removed.length))
    } else {
      console.info(undoText.failed, failure)
      if (!endsSession(failure)) notify.error(undoText.failed)
    }
  }

  return { undoable, remove, removeAll, undo, forget: () => setUndoable(undefined) }
}

const textOf = (removed: DeletionResult['removed']) =>
  removed.length === 1 ? undoText.one(removed[0]?.image.original_name ?? '') : undoText.some(removed.length)

/** app/logged-in.tsx reports the end of a session. */
const endsSession = (error: unknown) => error instanceof ApiError && error.endsSession
