// Everyone's images for admins, newest first, page by page, and the decisions about them.
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  type InfiniteData,
  type Query,
} from '@tanstack/react-query'
import { imageUrls, type Client, type List } from '../../../../contract/derive/client.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { client, send } from '../../../model/http.ts'
import { queryClient } from '../../../model/query-client.ts'

export interface AdminImageQuery {
  q: string
  status: 'quarantined' | undefined
}
export const allImagesQuery: AdminImageQuery = { q: '', status: undefined }

export type Decision = Parameters<Client['moderateImages']>[0]['body']['action']
type Pages = InfiniteData<List<ModeratedImage>>

const listKey = 'admin images'
const pageSize = 100

const adminImageList = ({ q, status }: AdminImageQuery) =>
  infiniteQueryOptions({
    queryKey: [listKey, q, status],
    async queryFn({ pageParam: cursor }) {
      const query = { q: q === '' ? undefined : q, status, cursor, limit: String(pageSize) }
      const page = await client.listAllImages({ query })
      const isCounted = (q === '' && status === undefined) || page.total <= limits.list.maxCounted
      return isCounted ? page : { ...page, total: Infinity }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    select: mergeImagePages,
    // A refetch would load every page that was scrolled to.
    staleTime: Infinity,
    gcTime: 0,
  })

/** While another query loads, the images of the previous one stay. */
export const useAdminImages = (query: AdminImageQuery) => useInfiniteQuery(adminImageList(query), queryClient)

/** The images of the loaded pages, and how many there are on all pages: Infinity when a search found more than are counted. */
export function mergeImagePages({ pages }: Pages): { images: ModeratedImage[]; total: number } {
  return { images: pages.flatMap(({ items }) => items), total: pages.at(-1)?.total ?? 0 }
}

/** Also shows an image that is not served. It stays loaded for a minute, for stepping back to it. */
export const imagePreview = (id: string) =>
  queryOptions({
    queryKey: ['image preview', id],
    queryFn: async () => (await send({ method: 'GET', path: imageUrls.preview('', id) })).blob(),
    staleTime: Infinity,
    gcTime: 60_000,
  })

/**
 * Decides about images, in as many requests as needed, and shows the result in the loaded lists.
 * @param reason stored with blocked bytes
 * @returns the images changed, and the copies that were quarantined with blocked ones
 */
export async function decide(
  action: Decision,
  chosen: readonly ModeratedImage[],
  reason?: string,
): Promise<{ images: number; copies: number }> {
  const counts = { images: 0, copies: 0 }
  for (let at = 0; at < chosen.length; at += moderationLimits.maxIds) {
    const batch = chosen.slice(at, at + moderationLimits.maxIds)
    const ids = batch.map(({ id }) => id)
    const { images, copies } = await client.moderateImages({ body: { action, ids, ...(reason ? { reason } : {}) } })
    counts.images += images
    counts.copies += copies
    await updateLists((pages) => withDecision(pages, action, batch, new Date().toISOString()))
  }
  return counts
}

async function updateLists(change: (pages: Pages) => Pages): Promise<void> {
  const filter = { queryKey: [listKey], predicate: ({ state }: Query) => state.data !== undefined }
  // A page that is being loaded would be added to the pages from before the decision.
  await queryClient.cancelQueries(filter)
  queryClient.setQueriesData<Pages>(filter, (pages) => pages && change(pages))
}

/** Removed images leave the list; a restored one stays where the filter no longer matches, to show the effect. */
export function withDecision(
  { pages, pageParams }: Pages,
  action: Decision,
  chosen: readonly ModeratedImage[],
  now: string,
): Pages {
  const ids = new Set(chosen.map(({ id }) => id))
  const digests = new Set(action === 'block' ? chosen.map(({ sha256 }) => sha256) : [])
  const isRemoved = ({ id }: ModeratedImage) => (action === 'remove' || action === 'block') && ids.has(id)
  const changed = (image: ModeratedImage): ModeratedImage => {
    const isHidden = digests.has(image.sha256) || (action === 'quarantine' && ids.has(image.id))
    if (isHidden) return { ...image, quarantined_at: image.quarantined_at ?? now }
    return action === 'restore' && ids.has(image.id) ? { ...image, quarantined_at: null } : image
  }
  const removed = pages.flatMap(({ items }) => items).filter(isRemoved).length
  return {
    pageParams,
    pages: pages.map(({ items, total, next }) => ({
      items: items.filter((image) => !isRemoved(image)).map(changed),
      total: Math.max(0, total - removed),
      next,
    })),
  }
}

/** Whether the image is shown to everyone who has its URL. */
export const isAvailable = ({ quarantined_at, owner }: ModeratedImage): boolean =>
  quarantined_at === null && owner?.status !== 'Inactive'
