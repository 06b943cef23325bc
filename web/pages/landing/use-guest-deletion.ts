import { limits } from '../../../contract/plain/limits.ts'
import { deleteGuestImage, type RemovedGuestImage, restoreGuestImage } from '../../model/images/guest-images.ts'
import type { ShownImage } from '../../model/images/stored-image.ts'
import { undo as undoText } from '../../texts/dashboard-messages.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { useUndo } from '../../ui/undo/use-undo.ts'

/** Deletes a guest's images, and restores them. */
export function useGuestDeletion() {
  const { add, ...deletions } = useUndo(limits.undoMs, restore)

  async function remove(image: ShownImage): Promise<void> {
    const removed = await deleteGuestImage(image)
    if (removed === null) notify.success(gallery.deletedGuest)
    else add(removed)
  }

  return { ...deletions, remove }
}

async function restore(removed: RemovedGuestImage): Promise<RemovedGuestImage | undefined> {
  try {
    const isBack = await restoreGuestImage(removed)
    if (isBack) notify.success(undoText.done(1))
    else notify.error(undoText.lost(1))
    return undefined
  } catch (error) {
    console.info(undoText.failed(1), error)
    notify.error(undoText.failed(1))
    return removed
  }
}
