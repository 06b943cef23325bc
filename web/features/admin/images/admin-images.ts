// Everyone's images for admins, newest first, page by page, and the decisions about them.
import { queryOptions, type Query } from '@tanstack/react-query'
import { imageUrls, type Client } from '../../../../contract/derive/client.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { client, send } from '../../../model/http.ts'
import { queryClient } from '../../../model/query-client.ts'
import { mapPages, pagedList, withoutRows, type Pages } from '../../../model/row-list.ts'

export interface AdminImageQuery {
  q: string
  status: 'quarantined' | undefined
}
export const allImagesQuery: AdminImageQuery = { q: '', status: undefined }

export type Decision = Parameters<Client['moderateImages']>[0]['body']['action']

const listKey = 'admin images'
const pageSize = 100

/** Its total is Infinity when a search found more than are counted. */
export const adminImageList = ({ q, status }: AdminImageQuery) => ({
  ...pagedList([listKey, q, status], async (cursor) => {
    const query = { q: q === '' ? undefined : q, status, cursor, limit: String(pageSize) }
    const page = await client.listAllImages({ query })
    const isCounted = (q === '' && status === undefined) || page.total <= limits.list.maxCounted
    return isCounted ? page : { ...page, total: Infinity }
  }),
  // A refetch would load every page that was scrolled to.
  staleTime: Infinity,
  gcTime: 0,
})

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
    await updateLists((list) => withDecision(list, action, batch, new Date().toISOString()))
  }
  return counts
}

async function updateLists(change: (list: Pages<ModeratedImage>) => Pages<ModeratedImage>): Promise<void> {
  const filter = { queryKey: [listKey], predicate: ({ state }: Query) => state.data !== undefined }
  // A page that is being loaded would be added to the pages from before the decision.
  await queryClient.cancelQueries(filter)
  queryClient.setQueriesData<Pages<ModeratedImage>>(filter, (list) => list && change(list))
}

/** Removed images leave the list; a restored one stays where the filter no longer matches, to show the effect. */
export function withDecision(
  list: Pages<ModeratedImage>,
  action: Decision,
  chosen: readonly ModeratedImage[],
  now: string,
): Pages<ModeratedImage> {
  const ids = new Set(chosen.map(({ id }) => id))
  const digests = new Set(action === 'block' ? chosen.map(({ sha256 }) => sha256) : [])
  const changed = (image: ModeratedImage): ModeratedImage => {
    const isHidden = digests.has(image.sha256) || (action === 'quarantine' && ids.has(image.id))
    if (isHidden) return { ...image, quarantined_at: image.quarantined_at ?? now }
    return action === 'restore' && ids.has(image.id) ? { ...image, quarantined_at: null } : image
  }
  const left = action === 'remove' || action === 'block' ? withoutRows(list, ({ id }) => ids.has(id)) : list
  return mapPages(left, (page) => ({ ...page, items: page.items.map(changed) }))
}

/** Whether the image is shown to everyone who has its URL. */
export const isAvailable = ({ quarantined_at, owner }: ModeratedImage): boolean =>
  quarantined_at === null && owner?.status !== 'Inactive'
