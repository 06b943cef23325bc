// What an album shows: its images, how many they are, and its cover. A list of a thousand takes as many queries as one.
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { isAvailable } from '../images/availability.ts'
import { lastDeletedExpiry } from '../images/deletion/deletion-states.ts'
import { isListed } from '../images/lists/image-list-filters.ts'
import type { ListScope } from '../images/lists/search-by-index.ts'
import { findImages } from '../images/lists/list-images.ts'
import { isPlaceShown, withoutIndex } from '../images/lists/query-terms-as-sql.ts'
import type { Deps } from '../shared/deps.ts'
import type { OpenAlbum } from './album-access.ts'

/** Albums whose covers and counts one statement reads. */
export const albumsPerQuery = 1000

/**
 * Selects what an album shows: neither deleted, expired nor hidden by an admin, nor of a suspended user.
 * @param albumId or a reference to it
 */
export function shownImages(deps: Pick<Deps, 'db' | 'config' | 'now'>, albumId: string | RawBuilder<string>) {
  const placed = deps.db
    .selectFrom('album_images')
    .innerJoin('images', 'images.id', 'album_images.image_id')
    .where('album_id', '=', albumId)
    .where(isPlaceShown)
  return placed.where((row) => {
    // The other table has none of the columns of these conditions.
    const image = row as unknown as ExpressionBuilder<Schema, 'images'>
    return image.and([isListed(deps, {}, null)(image), isAvailable(image)])
  })
}

/** The number of images that a list of this album has, which is not live. */
export async function countShown(deps: Deps, album: OpenAlbum): Promise<number> {
  return (await contentsOfStored(deps, [album])).get(album.id)?.images ?? 0
}

interface Contents {
  images: number
  coverId: string | null
}

export async function contentsOf(deps: Deps, albums: readonly OpenAlbum[]): Promise<Map<string, Contents>> {
  const contents = new Map<string, Contents>()
  const stored = albums.filter(({ query }) => query === null)
  for (let n = 0; n < stored.length; n += albumsPerQuery) {
    const part = stored.slice(n, n + albumsPerQuery)
    for (const [id, found] of await contentsOfStored(deps, part)) contents.set(id, found)
  }
  for (const [id, found] of await contentsOfAllLive(deps, albums)) contents.set(id, found)
  return contents
}

async function contentsOfStored(deps: Deps, albums: readonly OpenAlbum[]): Promise<Map<string, Contents>> {
  if (albums.length === 0) return new Map()
  const ids = albums.map(({ id }) => id)
  const shown = () => shownImages(deps, sql.ref('albums.id')).select('images.id')
  const rows = await deps.db
    .selectFrom('albums')
    .leftJoin('album_counts', 'album_counts.album_id', 'albums.id')
    .select(['albums.id', 'album_counts.images'])
    .select(shown().where('image_id', '=', sql.ref<string>('albums.cover_id')).as('chosen'))
    .select(shown().orderBy('position').orderBy('image_id').limit(1).as('first'))
    .where('albums.id', 'in', ids)
    .execute()
  const hidden = await countHidden(deps, albums)
  return new Map(
    rows.map(({ id, images, chosen, first }) => [
      id,
      { images: Math.max(0, Number(images ?? 0) - (hidden.get(id) ?? 0)), coverId: chosen ?? first },
    ]),
  )
}

/** Counted images that no list shows: expired ones that are not swept yet, and quarantined ones. An index has both. */
async function countHidden({ db, now }: Deps, albums: readonly OpenAlbum[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const ids = new Set(albums.map(({ id }) => id))
  for (const ownerId of new Set(albums.flatMap((album) => album.owner_id ?? []))) {
    const hidden = db
      .selectFrom('images')
      .innerJoin('album_images', 'album_images.image_id', 'images.id')
      .select((row) => ['album_id', row.fn.countAll<number>().as('images')])
      .where('images.owner_id', '=', ownerId)
      .groupBy('album_id')
    const [expired, quarantined] = await Promise.all([
      hidden.where('expires_at', '>', lastDeletedExpiry).where('expires_at', '<=', now()).execute(),
      hidden.where('quarantined_at', '>', 0).where(withoutIndex('expires_at'), '>', now()).execute(),
    ])
    for (const { album_id: id, images } of [...expired, ...quarantined])
      if (ids.has(id)) counts.set(id, (counts.get(id) ?? 0) + Number(images))
  }
  return counts
}

/** Live albums that are searched at the same time: other requests need connections of PostgreSQL too. */
const liveAtOnce = 4

async function contentsOfAllLive(deps: Deps, albums: readonly OpenAlbum[]): Promise<[id: string, Contents][]> {
  const live = albums.filter(({ query }) => query !== null)
  const scopes = new Map<string | null, ListScope>()
  for (const album of live) if (!scopes.has(album.owner_id)) scopes.set(album.owner_id, await scopeOfLive(deps, album))
  const contents: [id: string, Contents][] = []
  for (let n = 0; n < live.length; n += liveAtOnce) {
    const part = live.slice(n, n + liveAtOnce).map(async (album): Promise<[string, Contents]> => {
      const scope = scopes.get(album.owner_id) ?? (await scopeOfLive(deps, album))
      return [album.id, await contentsOfLive(deps, scope, album)]
    })
    contents.push(...(await Promise.all(part)))
  }
  return contents
}

/** Newest first, as its list is. */
async function contentsOfLive(deps: Deps, scope: ListScope, album: OpenAlbum): Promise<Contents> {
  const { items, total } = await findImages(deps, scope, { q: album.query ?? '', limit: 1 })
  const chosen =
    album.cover_id === null ? null : await findImages(deps, scope, { q: album.query ?? '', id: album.cover_id })
  return { images: total ?? 0, coverId: (chosen?.items[0] ?? items[0])?.id ?? null }
}

/** Whose images a live album finds. */
export async function scopeOfLive(
  { db }: Pick<Deps, 'db'>,
  { owner_id: ownerId }: Pick<OpenAlbum, 'owner_id'>,
): Promise<ListScope> {
  const owner = await db
    .selectFrom('users')
    .select('image_count')
    .where('id', '=', ownerId ?? '')
    .executeTakeFirst()
  return { ownerId: ownerId ?? '', storedImages: owner?.image_count ?? 0 }
}
