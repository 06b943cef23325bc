// The trash of the signed-in user: what can still be restored.
import { useQuery } from '@tanstack/react-query'
import { imageUrls } from '../../../contract/derive/client.ts'
import type { TrashedImage } from '../../../contract/endpoints/trash.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { client } from '../http.ts'
import { adjustTotals } from './other-tabs.ts'
import { queryClient, refresh, updateCached } from '../query-client.ts'
import { pagedList, withoutRows } from '../row-list.ts'
import { expiringImages } from './expiring-images.ts'
import { imageByToken } from './own-image.ts'
import { partsOf } from './images.ts'

/** Tiles of a page: several windows of a phone, two of a large screen. */
const pageSize = '60'

export const trashedImages = pagedList(['trash'], (cursor) => client.listTrash({ query: { cursor, limit: pageSize } }))

/** The public addresses of a deleted image respond with 410. */
export const useTrashedPreview = ({ id }: Pick<TrashedImage, 'id'>) =>
  useQuery(imageByToken(imageUrls.trashed('', id)), queryClient)

/** @returns how many were restored: others are gone */
export async function restoreFromTrash(images: readonly TrashedImage[]): Promise<number> {
  let restored = 0
  for (const part of partsOf(images, limits.list.maxLimit)) {
    const ids = part.map(({ id }) => id)
    const back = (await client.restoreFromTrash({ body: { ids } })).images.length
    restored += back
    leaveTrash(ids)
    // At once: the next part may be refused.
    adjustTotals({ images: back, bytes: 0 })
  }
  void refresh(expiringImages)
  return restored
}

export async function deleteFromTrash(images: readonly TrashedImage[]): Promise<void> {
  for (const part of partsOf(images, limits.list.maxLimit)) {
    const ids = part.map(({ id }) => id)
    await client.deleteFromTrash({ body: { ids } })
    leaveTrash(ids)
    adjustTotals({ images: 0, bytes: -bytesOf(part) })
  }
}

/** @param loaded those on screen, whose sizes are known */
export async function emptyTrash(loaded: readonly TrashedImage[]): Promise<void> {
  await client.emptyTrash()
  updateCached(trashedImages, ({ pageParams }) => ({
    pages: [{ items: [], total: 0, next: undefined }],
    pageParams: pageParams.slice(0, 1),
  }))
  adjustTotals({ images: 0, bytes: -bytesOf(loaded) })
}

const bytesOf = (images: readonly TrashedImage[]) => images.reduce((sum, { size }) => sum + size, 0)

const leaveTrash = (ids: readonly string[]) =>
  updateCached(trashedImages, (list) => withoutRows(list, ({ id }) => ids.includes(id)))
