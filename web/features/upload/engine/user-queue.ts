// The queue of a logged-in user, on every page.
import { addImage } from '../../../model/images/change-images.ts'
import { session } from '../../../model/session.ts'
import { readToken } from '../../../model/browser-storage.ts'
import { token } from '../../../model/token.ts'
import { keepAlbumPlaces } from './album-places.ts'
import { converterCount, prepareImage } from './prepare-image.ts'
import { sendImage } from './send-image.ts'
import { endAllStarted, endStarted } from './started-uploads.ts'
import { createFolderAlbums, takeFolders } from './folder-albums.ts'
import { createStoredQueue, type StoredQueue } from './stored-queue.ts'
import { clearStoredUploads } from './upload-storage.ts'

const parallelUploads = 3

const queue = createStoredQueue(
  {
    prepare: prepareImage,
    send: sendImage,
    maxPreparing: converterCount,
    maxSending: parallelUploads,
    onCancelled({ id }) {
      if (!isSuspended()) endStarted(id)
    },
    onEvent({ image }, { type }) {
      if (image !== undefined && type === 'done') addImage(image)
    },
  },
  () => {
    const current = session.get()
    return current.status === 'in' ? current.user.id : undefined
  },
  (folder) => folder !== undefined && folderAlbums.isWanted(folder.id),
)

export const folderAlbums = createFolderAlbums(queue)
keepAlbumPlaces(queue)

export const userQueue: StoredQueue = {
  ...queue,
  enqueue(uploads) {
    const { uploads: taken, folders } = takeFolders(uploads)
    queue.enqueue(taken)
    folderAlbums.offer(folders)
  },
}

/** The login may come back: another tab has replaced the token, or its user could not be loaded. */
const isSuspended = () => token.get() === null && readToken() !== null

// The next user of this browser must not see the uploads of this one.
token.subscribe(() => {
  if (token.get() !== null) return
  userQueue.stop()
  folderAlbums.stop()
  // Its user continues these, others delete them.
  if (isSuspended()) return
  endAllStarted()
  void clearStoredUploads()
})
