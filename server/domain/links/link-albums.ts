// Albums inside the one that a link shares, and sums over their images.
import { sql } from 'kysely'
import { limits } from '../../../contract/plain/limits.ts'
import { countRows } from '../../db/count-rows.ts'
import { withAlbumsInside } from '../../db/nested-albums.ts'
import type { AlbumsTable, ImagesTable, LinksTable } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { findLiveAlbum, liveImages, placedImages, visibleImages } from '../images/sharing/link-targets.ts'
import { isPlaceShown } from '../images/query-terms.ts'

type Db = Pick<Deps, 'db' | 'now' | 'config'>

export interface LinkedAlbum {
  id: string
  title: string
  /** How many images visitors see, to limits.list.maxCounted + 1. */
  images: number
  cover: ImagesTable | null
}

/** Directly inside, by their titles. */
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
    found.push({ id, title, images: await countImages(deps, link, id), cover: await coverOf(deps, link, id, coverId) })
  }
  return found
}

/** The chosen image if visitors see it, else the first one. */
export async function coverOf(
  deps: Db,
  link: LinksTable,
  albumId: string,
  coverId: string | null,
): Promise<ImagesTable | null> {
  const isLive = (await findLiveAlbum(deps, albumId)) !== undefined
  const chosen =
    coverId === null || isLive
      ? undefined
      : await visibleImages(deps, link)
          .innerJoin('album_images', 'album_images.image_id', 'images.id')
          .selectAll('images')
          .where('album_images.album_id', '=', albumId)
          .where('images.id', '=', coverId)
          .executeTakeFirst()
  return chosen ?? (await placedImages(deps, link, { albumId, limit: 1 }))[0] ?? null
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
  const albums = albumId === null ? [] : await albumTree(deps, albumId)
  const ids = albums.map(({ id }) => id)
  const parts = [placesIn(deps, link, albumId === null ? null : ids)]
  for (const { owner_id, query } of albums) if (query !== null) parts.push(liveImages(deps, link, { owner_id, query }))
  let images = 0
  let sum = 0
  for (const part of parts) {
    const some = part
      .select('images.bytes')
      .limit(maxCounted + 1 - images)
      .as('some')
    const { count, bytes } = await deps.db
      .selectFrom(some)
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('bytes').as('bytes')])
      .executeTakeFirstOrThrow()
    images += count
    sum += Number(bytes ?? 0)
    if (images > maxCounted) return null
  }
  return sum
}

/** The album and all inside it. */
async function albumTree({ db }: Db, albumId: string): Promise<Pick<AlbumsTable, 'id' | 'owner_id' | 'query'>[]> {
  const { rows } = await sql<Pick<AlbumsTable, 'id' | 'owner_id' | 'query'>>`
    ${withAlbumsInside(sql`${albumId}`)}
    select albums.id, owner_id, query from inside join albums on albums.id = inside.id`.execute(db)
  return rows
}
