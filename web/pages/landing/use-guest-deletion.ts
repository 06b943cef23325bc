import { useRef, useState } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { deleteGuestImage, type RemovedGuestImage, restoreGuestImage } from '../../model/images/guest-images.ts'
import type { ShownImage } from '../../model/images/stored-image.ts'
import { undo as undoText } from '../../texts/dashboard-messages.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { useUndoKey } from '../../ui/undo/use-undo-key.ts'

interface Deletion extends RemovedGuestImage {
  key: number
  deletedAtMs: number
  /** The offer is gone from the screen; the key still undoes. */
  isHidden?: boolean
}

/** Of the bars: each has its own time. */
let keys = 0

/** Deletes a guest's images, and restores the last one, then the one before it. */
export function useGuestDeletion() {
  const [deletions, setDeletions] = useState<readonly Deletion[]>([])
  const isUndoing = useRef(false)
  const last = deletions.at(-1)

  async function remove(image: ShownImage): Promise<void> {
    const removed = await deleteGuestImage(image)
    if (removed === null) notify.success(gallery.deletedGuest)
    else setDeletions((before) => [...before, { ...removed, key: ++keys, deletedAtMs: Date.now() }])
  }

  async function undo(): Promise<void> {
    if (last === undefined || isUndoing.current) return
    isUndoing.current = true
    try {
      const isBack = await restoreGuestImage(last)
      setDeletions((now) => now.filter(({ key }) => key !== last.key).map((one) => ({ ...one, isHidden: true })))
      if (isBack) notify.success(undoText.done(1))
      else notify.error(undoText.lost(1))
    } catch (error) {
      console.info(undoText.failed(1), error)
      notify.error(undoText.failed(1))
      // A bar of its own: it can be tried again.
      setDeletions((now) => now.map((one) => (one.key === last.key ? { ...one, key: ++keys } : one)))
    }
    isUndoing.current = false
  }

  useUndoKey(last?.deletedAtMs, limits.undoMs, undo)

  return {
    undoable: last?.isHidden === true ? undefined : last,
    remove,
    undo,
    hide: () => setDeletions((now) => now.map((one) => ({ ...one, isHidden: true }))),
  }
}
