import { useCallback } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { ApiError, serverText } from '../../model/api-error.ts'
import { type DeletionResult, deleteImages, restoreImages } from '../../model/images/images.ts'
import { setVisibility } from '../../model/images/visibility.ts'
import { trashDays } from '../../model/site.ts'
import { undo as undoText, visibility as visibilityText } from '../../texts/dashboard-messages.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { useUndo } from '../../ui/undo/use-undo.ts'
import { shownName } from '../../model/images/stored-image.ts'

type Removed = DeletionResult['removed']

/** How long the key undoes. */
const undoMs = Math.max(limits.undoMs, trashDays * dayMs)

/** Deletes images, and makes them public or private; both can be undone. */
export function useUndoableChanges(onDeleted: () => void) {
  const { add, ...changes } = useUndo<Deletion | VisibilityChange>(undoMs, undoChange)

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

  /** To everyone, or to their owner alone. */
  const changeVisibility = useCallback(
    async (images: readonly Image[], visibility: Visibility) => {
      try {
        const changed = await setVisibility(images, visibility)
        if (changed.length > 0) add(changeOf(changed, visibility))
        else notify.success(visibilityText.done(images.length, visibility))
      } catch (error) {
        console.info(visibilityText.failed, error)
        if (!endsSession(error)) notify.error(serverText(error, visibilityText.failed))
      }
    },
    [add],
  )

  return { ...changes, remove, removeAll, removeSelected, changeVisibility }
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

interface VisibilityChange {
  changed: readonly Image[]
  to: Visibility
  text: string
  /** Of a single image. */
  name?: string | undefined
}

const changeOf = (changed: readonly Image[], to: Visibility): VisibilityChange => ({
  changed,
  to,
  text: visibilityText.done(changed.length, to),
  name: changed.length === 1 ? changed[0] && shownName(changed[0]) : undefined,
})

const undoChange = (made: Deletion | VisibilityChange): Promise<Deletion | VisibilityChange | undefined> =>
  'removed' in made ? restore(made) : undoVisibility(made)

async function undoVisibility(made: VisibilityChange): Promise<VisibilityChange | undefined> {
  const back = made.to === 'private' ? 'public' : 'private'
  try {
    const changed = await setVisibility(made.changed, back)
    notify.success(visibilityText.done(changed.length, back))
    return undefined
  } catch (error) {
    console.info(visibilityText.failed, error)
    if (!endsSession(error)) notify.error(serverText(error, visibilityText.failed))
    return made
  }
}

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
