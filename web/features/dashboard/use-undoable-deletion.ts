import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { ApiError, serverText } from '../../model/api-error.ts'
import { type DeletionResult, deleteImages, restoreImages } from '../../model/images/images.ts'
import { undo as undoText } from '../../texts/dashboard-messages.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { notify } from '../../ui/toast/toast.ts'

interface Undoable extends Pick<DeletionResult, 'removed'> {
  key: number
  text: string
  /** Of a single image. */
  name?: string | undefined
  deletedAtMs: number
  /** The offer is gone from the screen; the key still undoes. */
  isHidden?: boolean
}

/** Deletes images, and restores those of the last deletion. */
export function useUndoableDeletion(onDeleted: () => void) {
  const [undoable, setUndoable] = useState<Undoable>()

  const removeAll = useCallback(
    async (images: readonly Image[]): Promise<string | undefined> => {
      const { count, removed, failure } = await deleteImages(images)
      if (removed.length > 0)
        setUndoable((before) => ({ key: (before?.key ?? 0) + 1, removed, deletedAtMs: Date.now(), ...textOf(removed) }))
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

  async function undo(): Promise<void> {
    if (undoable === undefined) return
    const { key, removed, deletedAtMs } = undoable
    const { left, failure } = await restoreImages(removed)
    // A deletion made meanwhile has its own bar; what could not be restored can be tried again.
    setUndoable((now) =>
      now?.key !== key
        ? now
        : left.length === 0
          ? undefined
          : { key: key + 1, removed: left, deletedAtMs, ...textOf(left) },
    )
    if (failure === undefined) {
      notify.success(undoText.done(removed.length))
    } else {
      console.info(undoText.failed, failure)
      if (!endsSession(failure)) notify.error(undoText.failed)
    }
  }

  const undoByKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isUndoKey(event) || undoable === undefined || Date.now() - undoable.deletedAtMs > limits.undoMs) return
    event.preventDefault()
    void undo()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => undoByKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  return {
    undoable: undoable?.isHidden === true ? undefined : undoable,
    remove,
    removeAll,
    undo,
    hide: () => setUndoable((now) => now && { ...now, isHidden: true }),
  }
}

/** Ctrl+Z or Cmd+Z, but not in a field, where it undoes typing. */
const isUndoKey = ({ key, ctrlKey, metaKey, shiftKey, altKey, target, defaultPrevented }: KeyboardEvent) =>
  key.toLowerCase() === 'z' &&
  (ctrlKey || metaKey) &&
  !shiftKey &&
  !altKey &&
  !defaultPrevented &&
  !(target instanceof Element && target.matches('input:not([type=checkbox], [type=range]), textarea, select'))

const textOf = (removed: DeletionResult['removed']) =>
  removed.length === 1
    ? { text: gallery.deleted, name: removed[0]?.image.original_name }
    : { text: undoText.some(removed.length) }

/** app/logged-in.tsx reports the end of a session. */
const endsSession = (error: unknown) => error instanceof ApiError && error.endsSession
