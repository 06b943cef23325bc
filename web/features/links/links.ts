// The user's links.
import { queryOptions } from '@tanstack/react-query'
import type { Client } from '../../../contract/derive/client.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Link } from '../../../contract/endpoints/links.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { client } from '../../model/http.ts'
import { isPrivate, setVisibility } from '../../model/images/visibility.ts'
import { completeImage } from '../../model/images/stored-image.ts'
import { refresh } from '../../model/query-client.ts'
import { pagedList } from '../../model/row-list.ts'

export type LinkChange = NonNullable<Parameters<Client['updateLink']>[0]['body']>

/** What a link shares. */
export type LinkTarget =
  | { kind: 'album'; id: string; title: string; images: number; hasPrivate: boolean }
  | { kind: 'images'; images: readonly Image[] }

const queryKey = ['links']
const limit = limits.list.maxLimit

/** @param state empty: any */
export const linkList = (state: Link['state'] | '') =>
  pagedList<Link>([...queryKey, 'all', state], async (cursor) => {
    const query = { limit: String(limit), ...(state !== '' && { state }), ...(cursor !== undefined && { cursor }) }
    const { items, ...page } = await client.listLinks({ query })
    return { ...page, items: items.map((link) => ({ ...link, cover: link.cover && completeImage(link.cover) })) }
  })

/** The links to the album; or those that name the first of the images, and as many as these. */
export const linksTo = (target: LinkTarget) =>
  queryOptions({
    queryKey: [...queryKey, target.kind, keyOf(target)],
    queryFn: async () => {
      if (target.kind === 'album') return (await client.listLinks({ query: { album: target.id } })).items
      const [first] = target.images
      if (first === undefined) return []
      const { items } = await client.listLinks({ query: { image: first.id } })
      return items.filter(({ named_images: named }) => named === target.images.length)
    },
  })

const keyOf = (target: LinkTarget): string =>
  target.kind === 'album' ? target.id : target.images.map(({ id }) => id).join(' ')

/** Open links with default options, by the images they name: the list does not say which these are. */
const made = new Map<string, Link>()

/** The open link with default options to the target, where it is known; else a new one. */
export async function plainLinkTo(target: LinkTarget, change: LinkChange): Promise<Link> {
  const known = made.get(keyOf(target))
  const { items } = await client.listLinks({ query: queryOf(target) })
  const found = items.find((link) => isPlain(link, change) && (isOnlyTo(target, link) || link.id === known?.id))
  return found ?? (await createLink(target, change))
}

const queryOf = (target: LinkTarget) =>
  target.kind === 'album' ? { album: target.id } : { image: target.images[0]?.id ?? '' }

/** Those that name an image may show others too: of several, the list does not say which. */
const isOnlyTo = (target: LinkTarget, { named_images: named }: Link): boolean =>
  target.kind === 'album' || (target.images.length === 1 && named === 1)

type Restriction = Exclude<keyof LinkChange, 'name' | 'note' | 'slug' | 'revoked' | 'shows_private'>

/** Whether the link does without it. A kind of restriction that is missing here does not compile. */
const isWithout: Record<Restriction, (link: Link) => boolean> = {
  password: (link) => !link.has_password,
  starts_at: (link) => link.state === 'open',
  ends_at: (link) => link.ends_at === null,
  max_views: (link) => link.views_left === null,
  can_download: (link) => link.can_download,
  max_size: (link) => link.max_size === null,
  watermark: (link) => link.watermark === '',
}

const isPlain = (link: Link, { shows_private: showsPrivate = false }: LinkChange): boolean =>
  link.state === 'open' &&
  Object.values(isWithout).every((test) => test(link)) &&
  (link.album_id === null || link.shows_private === showsPrivate)

export async function createLink(target: LinkTarget, options: LinkChange): Promise<Link> {
  const body =
    target.kind === 'album'
      ? { album_id: target.id, ...options }
      : { images: target.images.map(({ id }) => id), ...options }
  const link = await client.createLink({ body })
  if (target.kind === 'images' && isPlain(link, options)) made.set(keyOf(target), link)
  void refresh({ queryKey })
  return link
}

export async function updateLink(id: string, body: LinkChange): Promise<Link> {
  const link = await client.updateLink({ params: { id }, body })
  void refresh({ queryKey })
  return link
}

export async function deleteLink(id: string): Promise<void> {
  await client.deleteLink({ params: { id } })
  void refresh({ queryKey })
}

/** Images of the target that are public: null where only the server knows. */
export const publicImages = (target: LinkTarget): readonly Image[] | null =>
  target.kind === 'album' ? null : target.images.filter((image) => !isPrivate(image))

/** @returns how many were changed: others' images stay as they are */
export async function makePrivate(target: LinkTarget): Promise<number> {
  if (target.kind === 'images') return (await setVisibility(target.images, 'private')).length
  let changed = 0
  let cursor: string | undefined
  do {
    const query = { limit: String(limit), ...(cursor !== undefined && { cursor }) }
    const page = await client.listAlbumImages({ params: { id: target.id }, query })
    const shown = page.items.filter((image) => !isPrivate(image))
    if (shown.length > 0) changed += (await setVisibility(shown, 'private')).length
    cursor = page.next
  } while (cursor !== undefined)
  return changed
}
