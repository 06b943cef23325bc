import { useCallback } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { ApiError } from '../../model/api-error.ts'
import { type DeletionResult, deleteImages, restoreImages } from '../../model/images/change-images.ts'
import { shownName } from '../../model/images/stored-image.ts'
import { changeTags, type TagChange } from '../../model/images/tags.ts'
import { setExpiry } from '../../model/images/expiry.ts'
import { setVisibility } from '../../model/images/visibility.ts'
import { trashDays } from '../../model/site.ts'
import { trashPath } from '../../model/trash-path.ts'
import { shortDate } from '../../format/dates.ts'
import { expiring, tagging, undo as undoText, visibility as visibilityText } from '../../texts/dashboard-messages.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { trash } from '../../texts/trash-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { type UndoableChange, useUndo } from '../../ui/undo/use-undo.ts'

type Removed = DeletionResult['removed']

/** How long the key undoes. */
const undoMs = Math.max(limits.undoMs, trashDays * dayMs)

/** What can be undone: deleting images, making them public or private, changing their tags and their expiry. */
export function useUndoableChanges(onDeleted: () => void) {
  const { add, ...changes } = useUndo(undoMs)

  const removeAll = useCallback(
    async (images: readonly Image[]) => {
      const { count, removed, failure } = await deleteImages(images)
      if (removed.length > 0) add(deletionOf(removed))
      // Otherwise the offer to undo says so.
      else if (count > 0) notify.success(gallery.deleted)
      if (failure !== undefined) report(failure, gallery.deleteFailed)
      else if (images.length > 1) onDeleted()
    },
    [add, onDeleted],
  )

  const remove = useCallback((image: Image) => removeAll([image]), [removeAll])

  /** To everyone, or to their owner alone. */
  const changeVisibility = useCallback(
    async (images: readonly Image[], visibility: Visibility) => {
      try {
        const changed = await setVisibility(images, visibility)
        if (changed.length > 0) add(visibilityChange(changed, visibility))
        else notify.success(visibilityText.done(images.length, visibility))
      } catch (error) {
        report(error, visibilityText.failed)
      }
    },
    [add],
  )

  /** @param expiresAt null: they are kept. @throws {ApiError} the server refuses it */
  const changeExpiry = useCallback(
    async (images: readonly Image[], expiresAt: string | null) => {
      const before = await setExpiry(images, expiresAt)
      const done = expiryText(Math.max(1, before.length), expiresAt)
      if (before.length === 0) notify.success(done)
      else add({ text: done, name: nameOf(before), undo: () => undoExpiry(before) })
    },
    [add],
  )

  const keep = useCallback(
    (images: readonly Image[]) => changeExpiry(images, null).catch((error: unknown) => report(error, expiring.failed)),
    [changeExpiry],
  )

  /** Of tags, which their dialog has changed. @param undo the changes that restore them */
  const tagged = useCallback(
    (done: string, undo: readonly TagChange[]) => add({ text: done, undo: () => undoTags(undo) }),
    [add],
  )

  return { ...changes, add, remove, removeAll, changeVisibility, changeExpiry, keep, tagged }
}

const deletionOf = (removed: Removed): UndoableChange => ({
  text: removed.length === 1 ? gallery.deleted : undoText.some(removed.length),
  name: nameOf(removed.map(({ image }) => image)),
  ...(trashDays > 0 && { link: { to: trashPath, label: trash.title } }),
  undo: () => restore(removed),
})

async function restore(removed: Removed): Promise<UndoableChange | undefined> {
  const { count, left, failure } = await restoreImages(removed)
  if (count > 0) notify.success(undoText.done(count))
  const lost = removed.length - count - left.length
  if (lost > 0) notify.error(undoText.lost(lost))
  if (failure !== undefined) report(failure, undoText.failed(left.length))
  return left.length === 0 ? undefined : deletionOf(left)
}

const nameOf = ([only, ...others]: readonly Image[]) => (only && others.length === 0 ? shownName(only) : undefined)

const expiryText = (n: number, expiresAt: string | null) =>
  expiresAt === null ? expiring.kept(n) : expiring.on(n, shortDate(expiresAt))

/** @param images with the expiry that they had: each gets its own back */
async function undoExpiry(images: readonly Image[]): Promise<undefined> {
  try {
    for (const expiresAt of new Set(images.map((image) => image.expires_at))) {
      const some = images.filter((image) => image.expires_at === expiresAt)
      await setExpiry(some, expiresAt)
    }
    notify.success(expiring.undone)
  } catch (error) {
    report(error, expiring.undoFailed)
  }
}

const visibilityChange = (changed: readonly Image[], to: Visibility): UndoableChange => ({
  text: visibilityText.done(changed.length, to),
  name: nameOf(changed),
  undo: () => undoVisibility(changed, to),
})

async function undoVisibility(images: readonly Image[], to: Visibility): Promise<UndoableChange | undefined> {
  const back = to === 'private' ? 'public' : 'private'
  try {
    const changed = await setVisibility(images, back)
    notify.success(visibilityText.done(changed.length, back))
    return undefined
  } catch (error) {
    report(error, visibilityText.failed)
    return visibilityChange(images, to)
  }
}

async function undoTags(changes: readonly TagChange[]): Promise<undefined> {
  try {
    for (const change of changes) await changeTags(change)
    notify.success(tagging.undone)
  } catch (error) {
    report(error, tagging.undoFailed)
  }
}

/** app/logged-in.tsx reports the end of a session. */
function report(error: unknown, failed: string): void {
  if (endsSession(error)) console.info(failed, error)
  else notify.failure(failed, error)
}

const endsSession = (error: unknown) => error instanceof ApiError && error.endsSession
