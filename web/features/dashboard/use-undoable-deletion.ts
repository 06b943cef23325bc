import { useCallback } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { ApiError, serverText } from '../../model/api-error.ts'
import { type DeletionResult, deleteImages, restoreImages } from '../../model/images/images.ts'
import { trashDays } from '../../model/site.ts'
import { undo as undoText } from '../../texts/dashboard-messages.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { useUndo } from '../../ui/undo/use-undo.ts'
import { shownName } from '../../model/images/stored-image.ts'

type Removed = DeletionResult['removed']

/** How long the key undoes. */
const undoMs = Math.max(limits.undoMs, trashDays * dayMs)

/** Deletes images, and restores them. */
export function useUndoableDeletion(onDeleted: () => void) {
  const { add, ...deletions } = useUndo(undoMs, restore)

  const removeAll = useCallback(
    async (images: readonly Image[]): Promise<string | undefined> => {
      const { count, removed, failure } = await deleteImages(images)
      if (removed.length > 0) add(deletionOf(removed))
      // Otherwise the offer to undo says so.
      else if (count > 0) notify.success(gallery.deleted)
      if (failure !== undefined) {
        console.info(gallery.deleteFailed, failure)
        return endsSession(failure) ? '' : serverText(failure, gallery.deleteFailed)
      }
      if (images.length > 1) onDeleted()
      return undefined
    },
    [add, onDeleted],
  )

  const remove = useCallback(
    async (image: Image) => {
      const reason = await removeAll([image])
      if (reason !== undefined && reason !== '') notify.error(gallery.deleteFailed)
    },
    [removeAll],
  )

  const removeSelected = async (images: readonly Image[]) => {
    const reason = await removeAll(images)
    // Empty when the session has ended, which is already reported.
    if (reason !== undefined && reason !== '') notify.error(reason)
  }

  return { ...deletions, remove, removeAll, removeSelected }
}

interface Deletion {
  removed: Removed
  text: string
  /** Of a single image. */
  name?: string | undefined
}

const deletionOf = (removed: Removed): Deletion =>
  removed.length === 1
    ? { removed, text: gallery.deleted, name: removed[0] && shownName(removed[0].image) }
    : { removed, text: undoText.some(removed.length) }

async function restore({ removed }: Deletion): Promise<Deletion | undefined> {
  const { count, left, failure } = await restoreImages(removed)
  if (count > 0) notify.success(undoText.done(count))
  const lost = removed.length - count - left.length
  if (lost > 0) notify.error(undoText.lost(lost))
  if (failure !== undefined) {
    console.info(undoText.failed(left.length), failure)
    if (!endsSession(failure)) notify.error(undoText.failed(left.length))
  }
  return left.length === 0 ? undefined : deletionOf(left)
}

/** app/logged-in.tsx reports the end of a session. */
const endsSession = (error: unknown) => error instanceof ApiError && error.endsSession
