import { useCallback, useState } from 'react'
import type { Image } from '../../contract/images.ts'
import { serverText } from '../data/api-error.ts'
import { loadGallery } from '../data/gallery.ts'
import { type Deleted, deleteImages, extendImages, restoreImages } from '../data/images.ts'
import { selection, undo as undoText } from '../notify/dashboard-messages.ts'
import { gallery } from '../notify/gallery-messages.ts'
import { notify } from '../notify/toast.ts'

interface Undoable extends Pick<Deleted, 'taken'> {
  key: number
  text: string
}

/** Deleting and extending one's images, and taking the last deletion back. */
export function useDeletion(onDeleted: () => void) {
  const [undoable, setUndoable] = useState<Undoable>()

  const removeAll = useCallback(
    async (images: readonly Image[]): Promise<string | undefined> => {
      const { taken, failure } = await deleteImages(images)
      if (taken.length > 0) {
        setUndoable((before) => ({ key: (before?.key ?? 0) + 1, taken, text: textOf(taken) }))
        notify.success(gallery.deleted)
      }
      if (failure !== undefined) {
        console.info(gallery.deleteFailed, failure)
        return serverText(failure, gallery.deleteFailed)
      }
      if (images.length > 1) onDeleted()
      return undefined
    },
    [onDeleted],
  )

  const remove = useCallback(
    async (image: Image) => {
      const reason = await removeAll([image])
      if (reason !== undefined) notify.error(gallery.deleteFailed)
    },
    [removeAll],
  )

  async function undo(): Promise<void> {
    if (undoable === undefined) return
    try {
      await restoreImages(undoable.taken)
      notify.success(undoText.done(undoable.taken.length))
    } catch (error) {
      console.info(undoText.failed, error)
      notify.error(undoText.failed)
      // Of several, some may be back: only the server knows.
      void loadGallery()
    }
    setUndoable(undefined)
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
    notify.error(gallery.extendFailed)
  }
}
