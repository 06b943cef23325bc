import { useCallback, useRef, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { ApiError, serverText } from '../../model/api-error.ts'
import { type DeletionResult, deleteImages, restoreImages } from '../../model/images/images.ts'
import { trashDays } from '../../model/trash-days.ts'
import { undo as undoText } from '../../texts/dashboard-messages.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { useUndoKey } from '../../ui/undo/use-undo-key.ts'
import { shownName } from '../../model/images/stored-image.ts'

interface Undoable extends Pick<DeletionResult, 'removed'> {
  key: number
  text: string
  /** Of a single image. */
  name?: string | undefined
  deletedAtMs: number
  /** The offer is gone from the screen; the key still undoes. */
  isHidden?: boolean
}

/** How long the key undoes. */
const undoMs = Math.max(limits.undoMs, trashDays * dayMs)

/** Of the bars: each has its own time. */
let keys = 0

/** Deletes images, and restores those of the last deletion, then those of the deletion before it. */
export function useUndoableDeletion(onDeleted: () => void) {
  const [deletions, setDeletions] = useState<readonly Undoable[]>([])
  const isUndoing = useRef(false)
  const undoable = deletions.at(-1)

  const removeAll = useCallback(
    async (images: readonly Image[]): Promise<string | undefined> => {
      const { count, removed, failure } = await deleteImages(images)
      if (removed.length > 0)
        setDeletions((before) => [...before, { key: ++keys, removed, deletedAtMs: Date.now(), ...textOf(removed) }])
      // Otherwise the offer to undo says so.
      else if (count > 0) notify.success(gallery.deleted)
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

  const removeSelected = async (images: readonly Image[]) => {
    const reason = await removeAll(images)
    // Empty when the session has ended, which is already reported.
    if (reason !== undefined && reason !== '') notify.error(reason)
  }

  async function undo(): Promise<void> {
    if (undoable === undefined || isUndoing.current) return
    isUndoing.current = true
    const { count, left, failure } = await restoreImages(undoable.removed)
    isUndoing.current = false
    // A deletion made meanwhile has its own bar; what could not be restored can be tried again.
    setDeletions((now) =>
      now.flatMap((one) => {
        if (one.key !== undoable.key) return [{ ...one, isHidden: true }]
        return left.length === 0 ? [] : [{ ...one, key: ++keys, removed: left, ...textOf(left) }]
      }),
    )
    if (count > 0) notify.success(undoText.done(count))
    const lost = undoable.removed.length - count - left.length
    if (lost > 0) notify.error(undoText.lost(lost))
    if (failure !== undefined) {
      console.info(undoText.failed(left.length), failure)
      if (!endsSession(failure)) notify.error(undoText.failed(left.length))
    }
  }

  useUndoKey(undoable?.deletedAtMs, undoMs, undo)

  return {
    undoable: undoable?.isHidden === true ? undefined : undoable,
    remove,
    removeAll,
    removeSelected,
    undo,
    hide: () => setDeletions((now) => now.map((one) => ({ ...one, isHidden: true }))),
  }
}

const textOf = (removed: DeletionResult['removed']) =>
  removed.length === 1
    ? { text: gallery.deleted, name: removed[0] && shownName(removed[0].image) }
    : { text: undoText.some(removed.length) }

/** app/logged-in.tsx reports the end of a session. */
const endsSession = (error: unknown) => error instanceof ApiError && error.endsSession
