// The queue of a guest, who uploads several files on the landing.
import { addGuestImage } from '../../../model/images/guest-images.ts'
import { randomUuid } from '../../../model/uuid.ts'
import { readGuestBatch, writeGuestBatch } from './guest-batch.ts'
import { sendImage } from './send-image.ts'
import { endStarted } from './started-uploads.ts'
import { createStoredQueue, type StoredQueue } from './stored-queue.ts'
import type { NewUpload } from './upload-engine.ts'
import { canRetry, isUnderWay } from './upload-state.ts'

/** The server accepts this many of an address at a time. */
const parallelUploads = 2

export const guestQueue: StoredQueue = createStoredQueue(
  {
    async send(file, options) {
      const image = await sendImage(file, options)
      // First: a reload right after the upload must not lose a guest's only delete token.
      const batch = { batch: readGuestBatch() ?? '', batch_at: guestQueue.orderOf(options.key) }
      if (image.delete_token !== undefined) addGuestImage({ ...image, ...batch })
      // The guest has logged in meanwhile.
      else (await import('../../../model/images/images.ts')).addImage(image)
      return image
    },
    maxSending: parallelUploads,
    onCancelled: ({ id }) => endStarted(id),
  },
  () => 'guest',
)

guestQueue.store.subscribe(() => {
  const isOver = !guestQueue.store.get().some((item) => isUnderWay(item) || canRetry(item))
  if (isOver && readGuestBatch() !== null) writeGuestBatch(null)
})

/** Files that are added while others are uploaded belong to their batch. */
export function enqueueGuestFiles(uploads: readonly NewUpload[]): void {
  if (readGuestBatch() === null) writeGuestBatch(randomUuid())
  guestQueue.enqueue(uploads)
}
