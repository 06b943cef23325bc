import { useState } from 'react'
import { RecentUploads } from '../../features/gallery/recent-uploads.tsx'
import { shownName, type ShownImage } from '../../model/images/stored-image.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { UndoBar } from '../../ui/undo/undo-bar.tsx'
import { CopyAllImages } from '../copy-all-images.tsx'
import { copyImage } from '../copy-image.ts'
import { type GuestDialog, GuestDialogs } from './guest-dialogs.tsx'
import { GuestBatchLink } from '../share/guest-batch-link.tsx'
import { limits } from '../../../contract/plain/limits.ts'
import { deleteGuestImage, type RemovedGuestImage, restoreGuestImage } from '../../model/images/guest-images.ts'
import { undo as undoText } from '../../texts/dashboard-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { type UndoableChange, useUndo } from '../../ui/undo/use-undo.ts'
import '../../styles/bars.css'

/** What a guest has uploaded, with what can be done with each image, and 'Copy all' for those uploaded together. */
export function LandingRecent() {
  const [dialog, setDialog] = useState<GuestDialog>()
  const { add, ...changes } = useUndo(limits.undoMs)

  async function remove(image: ShownImage): Promise<void> {
    const removed = await deleteGuestImage(image)
    if (removed === null) notify.success(gallery.deletedGuest)
    else add(deletionOf(removed))
  }

  return (
    <>
      <RecentUploads
        onCopy={copyImage}
        onShare={(image) => setDialog({ name: 'share', image })}
        onEmbed={(image) => setDialog({ name: 'embed', image })}
        onDelete={remove}
        batchActions={(images) => (
          <div className="flex min-w-0 flex-wrap items-center justify-end gap-2 max-md:w-full max-md:justify-start">
            <GuestBatchLink images={images} />
            <CopyAllImages images={images} />
          </div>
        )}
      />
      <div className="bars">
        <UndoBar of={changes} />
      </div>
      <GuestDialogs dialog={dialog} onClose={() => setDialog(undefined)} />
    </>
  )
}

const deletionOf = (removed: RemovedGuestImage): UndoableChange => ({
  text: gallery.deletedGuest,
  name: shownName(removed.image),
  undo: () => restore(removed),
})

async function restore(removed: RemovedGuestImage): Promise<UndoableChange | undefined> {
  try {
    const isBack = await restoreGuestImage(removed)
    if (isBack) notify.success(undoText.done(1))
    else notify.error(undoText.lost(1))
    return undefined
  } catch (error) {
    notify.failure(undoText.failed(1), error)
    return deletionOf(removed)
  }
}
