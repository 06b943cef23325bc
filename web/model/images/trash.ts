// The trash of the signed-in user: what can still be restored.
import { queryOptions } from '@tanstack/react-query'
import { imageUrls } from '../../../contract/derive/client.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { TrashedImage } from '../../../contract/endpoints/trash.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { client, send } from '../http.ts'
import { adjustTotals } from './other-tabs.ts'
import { refresh, updateCached } from '../query-client.ts'
import { pagedList, withoutRows } from '../row-list.ts'
import { expiringImages } from './expiring-images.ts'
import { deleteImages, inTurn, partsOf } from './change-images.ts'
import { retryInterval } from './own-image.ts'

/** Tiles of a page: several windows of a phone, two of a large screen. */
const pageSize = '60'

export const trashedImages = pagedList(['trash'], (cursor) => client.listTrash({ query: { cursor, limit: pageSize } }))

/** The public addresses of a deleted image respond with 410. It stays loaded for a minute after it left the screen. */
export const trashedPreview = ({ id }: Pick<TrashedImage, 'id'>) =>
  queryOptions({
    queryKey: ['trashed preview', id],
    queryFn: async () => (await send({ method: 'GET', path: imageUrls.trashed('', id) })).blob(),
    staleTime: Infinity,
    gcTime: 60_000,
    refetchInterval: retryInterval,
  })

/** @returns those that were restored: others are gone */
export async function restoreFromTrash(images: readonly TrashedImage[]): Promise<readonly Image[]> {
  const restored: Image[] = []
  for (const part of inTurn(partsOf(images, limits.list.maxLimit))) {
    const ids = part.map(({ id }) => id)
    const back = (await client.restoreFromTrash({ body: { ids } })).images
    restored.push(...back)
    leaveTrash(ids)
    // At once: the next part may be refused.
    adjustTotals({ images: back.length, bytes: 0 })
  }
  void refresh(expiringImages)
  return restored
}

export async function deleteFromTrash(images: readonly TrashedImage[]): Promise<void> {
  for (const part of inTurn(partsOf(images, limits.list.maxLimit))) {
    const ids = part.map(({ id }) => id)
    const { bytes } = await client.deleteFromTrash({ body: { ids } })
    leaveTrash(ids)
    adjustTotals({ images: 0, bytes: -bytes })
  }
}

/** Moves images that were just restored to the trash again. @returns why not */
export async function returnToTrash(images: readonly Image[]): Promise<unknown> {
  const { failure } = await deleteImages(images)
  await refresh(trashedImages)
  return failure
}

export async function emptyTrash(): Promise<void> {
  const { bytes } = await client.emptyTrash()
  updateCached(trashedImages, ({ pageParams }) => ({
    pages: [{ items: [], total: 0, next: undefined }],
    pageParams: pageParams.slice(0, 1),
  }))
  adjustTotals({ images: 0, bytes: -bytes })
}

const leaveTrash = (ids: readonly string[]) =>
  updateCached(trashedImages, (list) => withoutRows(list, ({ id }) => ids.includes(id)))
