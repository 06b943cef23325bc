// Albums inside the one that a link shares, and sums over their images.
import { sql } from 'kysely'
import { limits } from '../../../contract/plain/limits.ts'
import { countRows } from '../../db/count-rows.ts'
import { withAlbumsInside } from '../../db/nested-albums.ts'
import type { ImagesTable, LinksTable } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { findLiveAlbum, liveImages, placedImages, visibleImages } from '../images/sharing/link-targets.ts'
import { isPlaceShown } from '../images/lists/query-terms-as-sql.ts'

type Db = Pick<Deps, 'db' | 'now' | 'config'>

export interface LinkedAlbum {
  id: string
  title: string
  /** How many images visitors see, to limits.list.maxCounted + 1. */
  images: number
  cover: ImagesTable
}

/** Directly inside, by their titles. Those in which visitors see nothing are not there: not even their titles are told. */
export async function albumsInside(deps: Db, link: LinksTable, albumId: string): Promise<LinkedAlbum[]> {
  const albums = await deps.db
    .selectFrom('albums')
    .select(['id', 'title', 'cover_id'])
    .where('parent_id', '=', albumId)
    .orderBy('title')
    .orderBy('id')
    .execute()
  const found: LinkedAlbum[] = []
  for (const { id, title, cover_id: coverId } of albums) {
    const cover = await coverOf(deps, link, id, coverId)
    if (cover) found.push({ id, title, images: await countImages(deps, link, id), cover })
  }
  return found
}

/** The chosen image if visitors see it, else the first one, else one of the albums inside. @returns null: they see nothing */
export async function coverOf(
  deps: Db,
  link: LinksTable,
  albumId: string,
  coverId: string | null,
): Promise<ImagesTable | null> {
  const live = await findLiveAlbum(deps, albumId)
  const shown = live ? liveImages(deps, link, live) : placesIn(deps, link, [albumId])
  const chosen =
    coverId === null ? undefined : await shown.selectAll('images').where('images.id', '=', coverId).executeTakeFirst()
  const first = chosen ?? (await placedImages(deps, link, { albumId, limit: 1 }))[0]
  if (first) return first
  for (const inside of await imagesInTree(deps, link, albumId)) {
    const image = await inside.selectAll('images').limit(1).executeTakeFirst()
    if (image) return image
  }
  return null
}

const { maxCounted } = limits.list

/** @param albumId null: of those that the link names */
export async function countImages(deps: Db, link: LinksTable, albumId: string | null): Promise<number> {
  const live = albumId === null ? undefined : await findLiveAlbum(deps, albumId)
  const images = live ? liveImages(deps, link, live) : placesIn(deps, link, albumId === null ? null : [albumId])
  const some = images
    .select(sql`1`.as('one'))
    .limit(maxCounted + 1)
    .as('some')
  return countRows(deps.db.selectFrom(some))
}

/** @param albumIds null: the images that the link names */
function placesIn(deps: Db, link: LinksTable, albumIds: string[] | null) {
  const places =
    albumIds === null
      ? deps.db.selectFrom('link_images').select('image_id').where('link_id', '=', link.id)
      : deps.db.selectFrom('album_images').select('image_id').where('album_id', 'in', albumIds).where(isPlaceShown)
  return visibleImages(deps, link).innerJoin(places.as('place'), 'place.image_id', 'images.id')
}

/** @returns the bytes of all originals, also in albums inside; null: there are too many to add up for every visitor */
export async function bytesOfImages(deps: Db, link: LinksTable, albumId: string | null): Promise<number | null> {
  const all = albumId === null ? [placesIn(deps, link, null)] : await imagesInTree(deps, link, albumId)
  let left = maxCounted
  let total = 0
  for (const images of all) {
    const some = images
      .select('images.bytes')
      .limit(left + 1)
      .as('some')
    const { count, bytes } = await deps.db
      .selectFrom(some)
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('bytes').as('bytes')])
      .executeTakeFirstOrThrow()
    left -= Number(count)
    if (left < 0) return null
    total += Number(bytes ?? 0)
  }
  return total
}

/** The images of an album and of all inside it: one query for all that have places, and one for each live album. */
async function imagesInTree(deps: Db, link: LinksTable, albumId: string) {
  const { rows } = await sql<{ id: string; owner_id: string; query: string | null }>`
    ${withAlbumsInside(sql`${albumId}`)}
    select albums.id, owner_id, query from inside join albums on albums.id = inside.id`.execute(deps.db)
  const stored = rows.filter(({ query }) => query === null).map(({ id }) => id)
  const live = rows.filter(({ query }) => query !== null)
  return [
    ...(stored.length === 0 ? [] : [placesIn(deps, link, stored)]),
    ...live.map((album) => liveImages(deps, link, album)),
  ]
}
