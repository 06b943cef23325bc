// The queue of a guest, who uploads several files on the landing.
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { addGuestImage, parseGuestImages } from '../../../model/images/guest-images.ts'
import { readGuestStorage } from '../../../model/images/guest-storage.ts'
import { completeImage } from '../../../model/images/stored-image.ts'
import { randomUuid } from '../../../model/uuid.ts'
import { readGuestBatch, writeGuestBatch } from './guest-batch-mark.ts'
import { sendImage } from './send-image.ts'
import { endStarted } from './started-uploads.ts'
import { createStoredQueue, type StoredQueue } from './stored-queue.ts'
import type { NewUpload } from './upload-engine.ts'
import { guestId, hasStoredUploads } from './upload-storage.ts'
import { afterEvent, canRetry, isUnderWay, newItem, type UploadItem } from './upload-state.ts'

/** The server accepts this many of an address at a time. */
const parallelUploads = 2

/** The batch that files are added to. */
let batch = readGuestBatch()

export const guestQueue: StoredQueue = createStoredQueue(
  {
    async send(file, options) {
      const image = await sendImage(file, { ...options, isGuest: true })
      // First: a reload right after the upload must not lose a guest's only delete token.
      const place = batch === null ? {} : { batch, batch_at: guestQueue.orderOf(options.key) }
      addGuestImage({ ...image, ...place })
      return image
    },
    maxSending: parallelUploads,
    onCancelled: ({ id }) => endStarted(id),
  },
  () => guestId,
)

guestQueue.store.subscribe(endBatchIfOver)

function endBatchIfOver(): void {
  if (batch === null || guestQueue.store.get().some((item) => isUnderWay(item) || canRetry(item))) return
  batch = null
  void forgetBatch()
}

/** Another tab may still send a part of the batch: it then ends the batch, or the next visit does. */
async function forgetBatch(): Promise<void> {
  if (!(await hasStoredUploads(guestId))) writeGuestBatch(null)
}

function startBatch(): void {
  if (batch === null) writeGuestBatch((batch = randomUuid()))
}

/** Files that are added while others are uploaded belong to their batch. */
export function enqueueGuestFiles(uploads: readonly NewUpload[]): void {
  startBatch()
  guestQueue.enqueue(uploads)
}

/** Goes on with what the landing was sending by itself when its guest opened another page. */
export function takeGuestUploads(items: readonly UploadItem[]): void {
  startBatch()
  guestQueue.take(items)
}

/** Goes on with the batch of an earlier visit, if another tab does not, and if there is still one. */
export async function restoreGuestBatch(): Promise<void> {
  if (await guestQueue.restore()) {
    // Single uploads of other tabs: another reload finds them by this mark.
    startBatch()
    guestQueue.list(doneBefore())
  }
  endBatchIfOver()
}

/** What earlier visits have uploaded of the batch. Their files are gone: each has its name, and the image for a picture. */
function doneBefore(): { item: UploadItem; order: number }[] {
  const now = Date.now()
  const images = parseGuestImages(readGuestStorage(), now).filter((image) => batch !== null && image.batch === batch)
  return images.map((shown) => {
    const image = completeImage(shown as UploadedImage)
    const item = newItem(image.id, new File([], image.original_name), now)
    return { item: afterEvent(item, { type: 'done', image }, now), order: shown.batch_at ?? 0 }
  })
}
