import { useCallback, useState } from 'react'
import type { Image } from '../../contract/images.ts'
import { ApiError, serverText } from '../data/api-error.ts'
import { type Deleted, deleteImages, extendImages, restoreImages } from '../data/images.ts'
import { selection, undo as undoText } from '../texts/dashboard-messages.ts'
import { gallery } from '../texts/gallery-messages.ts'
import { notify } from '../ui/toast/toast.ts'

interface Undoable extends Pick<Deleted, 'taken'> {
  key: number
  text: string
}

/** Deleting and extending one's images, and taking the last deletion back. */
export function useDeletion(onDeleted: () => void) {
  const [undoable, setUndoable] = useState<Undoable>()

  const removeAll = useCallback(
    async (images: readonly Image[]): Promise<string | undefined> => {
      const { count, taken, failure } = await deleteImages(images)
      if (taken.length > 0) setUndoable((before) => ({ key: (before?.key ?? 0) + 1, taken, text: textOf(taken) }))
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
    const { key, taken } = undoable
    const { left, failure } = await restoreImages(taken)
    // What was deleted meanwhile has a bar of its own; what is left may be asked for again.
    setUndoable((now) =>
      now?.key !== key ? now : left.length === 0 ? undefined : { key: key + 1, taken: left, text: textOf(left) },
    )
    if (failure === undefined) {
      notify.success(undoText.done(taken.length))
    } else {
      console.info(undoText.failed, failure)
      tellFailure(failure, undoText.failed)
    }
  }

  return { undoable, remove, removeAll, extend, undo, forget: () => setUndoable(undefined) }
}

const textOf = (taken: Deleted['taken']) =>
  taken.length === 1 ? undoText.one(taken[0]?.image.original_name ?? '') : undoText.some(taken.length)

async function extend(images: readonly Image[]): Promise<void> {
  try {
    await extendImages(images)
    notify.success(images.length === 1 ? gallery.extended : selection.extendedSome(images.length))
  } catch (error) {
    console.info(gallery.extendFailed, error)
    tellFailure(error, gallery.extendFailed)
  }
}

/** The end of a session is told already, wherever it is noticed. */
const endsSession = (error: unknown) => error instanceof ApiError && error.endsSession

function tellFailure(error: unknown, text: string): void {
  if (!endsSession(error)) notify.error(text)
}
