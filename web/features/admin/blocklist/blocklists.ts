// The blocklists for admins, newest first, page by page.
import { dayMs } from '../../../../contract/plain/limits.ts'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import type { List } from '../../../../contract/derive/client.ts'
import { client } from '../../../model/http.ts'
import { refresh } from '../../../model/query-client.ts'
import { pagedList } from '../../../model/row-list.ts'

export const lists = ['images', 'networks'] as const
export interface BlocklistQuery {
  list: (typeof lists)[number]
  q: string
}

interface PageQuery {
  q: string | undefined
  cursor: string | undefined
}

const blocklist =
  <Row>(name: string, load: (query: PageQuery) => Promise<List<Row>>) =>
  (q: string) =>
    pagedList([name, q], (cursor) => load({ q: q === '' ? undefined : q, cursor }))
export type BlocklistOptions<Row> = ReturnType<typeof blocklist<Row>>

const [imagesKey, networksKey] = ['blocked images', 'blocked networks']
export const blockedImageList = blocklist(imagesKey, (query) => client.listBlockedImages({ query }))
export const blockedNetworkList = blocklist(networksKey, (query) => client.listBlockedNetworks({ query }))

/** @returns counts, and those of the given images that the server does not know */
export async function blockImages(images: string[], reason: string) {
  const result = await client.blockImages({ body: { images, reason } })
  await refresh({ queryKey: [imagesKey] })
  return result
}

/** @param endsInDays undefined: the block does not end by itself */
export async function blockNetworks(networks: string[], note: string, endsInDays?: number): Promise<number> {
  const result = await client.blockNetworks({ body: { networks, note, ...endIn(endsInDays) } })
  await refresh({ queryKey: [networksKey] })
  return result.networks.length
}

/** Blocks the network from which an image was uploaded. @param endsInDays as blockNetworks has it */
export async function blockUploader(id: string, note: string, endsInDays?: number): Promise<void> {
  await client.blockUploader({ params: { id }, body: { note, ...endIn(endsInDays) } })
  await refresh({ queryKey: [networksKey] })
}

const endIn = (days?: number) =>
  days === undefined ? {} : { expires_at: new Date(Date.now() + days * dayMs).toISOString() }

/** @returns the number of removed blocks */
export async function unblockImages(sha256: readonly string[]): Promise<number> {
  return inRequests(imagesKey, sha256, (some) => client.unblockImages({ body: { sha256: some } }))
}

/** @returns the number of removed blocks */
export async function unblockNetworks(networks: readonly string[]): Promise<number> {
  return inRequests(networksKey, networks, (some) => client.unblockNetworks({ body: { networks: some } }))
}

async function inRequests(
  key: string,
  all: readonly string[],
  remove: (some: string[]) => Promise<{ removed: number }>,
): Promise<number> {
  let removed = 0
  try {
    for (let at = 0; at < all.length; at += moderationLimits.maxBlocks) {
      removed += (await remove(all.slice(at, at + moderationLimits.maxBlocks))).removed
    }
  } finally {
    await refresh({ queryKey: [key] })
  }
  return removed
}
