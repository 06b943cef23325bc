// What a link shares: images that it names, or an album with those inside it (docs/decisions/0070).
import { type Kysely, sql } from 'kysely'
import { parseImageQuery } from '../../../../contract/plain/image-query.ts'
import { withAlbumsAround } from '../../../db/nested-albums.ts'
import type { AlbumsTable, ImagesTable, LinksTable, Schema } from '../../../db/schema.ts'
import { isAvailable } from '../availability.ts'
import { isListed } from '../lists/image-list-filters.ts'
import { isPlaceShown } from '../lists/query-terms-as-sql.ts'
import type { UserCaller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { findMembership } from './memberships.ts'

type Db = Kysely<Schema>
export type LinkTarget = Pick<LinksTable, 'id' | 'album_id' | 'shows_private'>

/** An album and those around it, itself first. */
export async function albumsAround(db: Db, albumId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${withAlbumsAround(sql`${albumId}`)} select id from around order by level`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether an account owns the album, or may manage it as a member of it or of one around it. */
const mayShareAlbum = async (db: Db, album: AlbumsTable, userId: string): Promise<boolean> =>
  album.owner_id === userId || (await findMembership(db, userId, album.id))?.role === 'manage'

/** Whether the owner of a link may share its album: whoever shared it as a member may not manage it any more. */
export async function isStillShared(db: Db, link: Pick<LinksTable, 'album_id' | 'owner_id'>): Promise<boolean> {
  if (link.album_id === null) return true
  const album = await db.selectFrom('albums').selectAll().where('id', '=', link.album_id).executeTakeFirst()
  if (!album) return false
  // A guest's album and its link have no owner.
  return album.owner_id === link.owner_id || (link.owner_id !== null && mayShareAlbum(db, album, link.owner_id))
}

/** @returns their ids without repetitions. @throws {Failure} image_not_found: one is not the caller's, or was deleted */
export async function ownImages(deps: Pick<Deps, 'db' | 'now'>, caller: UserCaller, ids: readonly string[]) {
  const unique = [...new Set(ids)]
  const own = await deps.db
    .selectFrom('images')
    .select('id')
    .where('id', 'in', unique)
    .where('owner_id', '=', caller.account.id)
    .where('expires_at', '>', deps.now())
    .execute()
  if (own.length < unique.length) throw new Failure('image_not_found')
  return unique
}

/** Images that visitors of a link may see at all: not expired, deleted or quarantined, nor private where the link does not say so. */
export const visibleImages = ({ db, now }: Pick<Deps, 'db' | 'now'>, link: Omit<LinkTarget, 'id'>) =>
  db
    .selectFrom('images')
    .where(isAvailable)
    .where('images.expires_at', '>', now())
    .where((image) => image.or([image('images.views_left', 'is', null), image('images.views_left', '>', 0)]))
    .$if(!showsPrivate(link), (images) => images.where('images.visibility', '=', 'public'))

/** A named image is always shown. */
const showsPrivate = (link: Omit<LinkTarget, 'id'>) => link.album_id === null || link.shows_private === 1

type LiveDeps = Pick<Deps, 'db' | 'now' | 'config'>
type LiveAlbum = Pick<AlbumsTable, 'owner_id' | 'query'>

/** What the query of a live album finds, of what visitors may see. */
export function liveImages(deps: LiveDeps, link: Omit<LinkTarget, 'id'>, { owner_id: ownerId, query }: LiveAlbum) {
  const terms = parseImageQuery(query ?? '').terms
  return visibleImages(deps, link)
    .where('images.owner_id', '=', ownerId)
    .where(isListed(deps, { terms }, ownerId))
}

/** The live album of this id; undefined: it is not live. */
export const findLiveAlbum = ({ db }: Pick<Deps, 'db'>, albumId: string): Promise<LiveAlbum | undefined> =>
  db
    .selectFrom('albums')
    .select(['owner_id', 'query'])
    .where('id', '=', albumId)
    .where('query', 'is not', null)
    .executeTakeFirst()

/** Where a page of a link's images ended. */
export interface ImagePosition {
  position: string | number
  id: string
}

export type PlacedImage = ImagesTable & { position: string | number }

/** The images of an album, or without one those that the link names, in their order. */
export async function placedImages(
  deps: LiveDeps,
  link: LinkTarget,
  { albumId, after, limit }: { albumId: string | null; after?: ImagePosition | undefined; limit: number },
): Promise<PlacedImage[]> {
  const visible = visibleImages(deps, link)
  if (albumId === null) {
    return visible
      .innerJoin('link_images', 'link_images.image_id', 'images.id')
      .selectAll('images')
      .select('link_images.position as position')
      .where('link_images.link_id', '=', link.id)
      .$if(after !== undefined, (images) =>
        // A cursor may say any number: PostgreSQL would refuse it as one of the column.
        images.where('link_images.position', '>', sql<number>`cast(${Number(after?.position)} as bigint)`),
      )
      .orderBy('link_images.position')
      .limit(limit)
      .execute()
  }
  const live = await findLiveAlbum(deps, albumId)
  if (live) {
    return liveImages(deps, link, live)
      .selectAll('images')
      .select('images.created_at as position')
      .$if(after !== undefined, (images) =>
        images.where(sql<boolean>`(images.created_at, images.id) < (${Number(after?.position)}, ${after?.id})`),
      )
      .orderBy('images.created_at', 'desc')
      .orderBy('images.id', 'desc')
      .limit(limit)
      .execute()
  }
  return visible
    .innerJoin('album_images', 'album_images.image_id', 'images.id')
    .selectAll('images')
    .select('album_images.position as position')
    .where('album_images.album_id', '=', albumId)
    .where(isPlaceShown)
    .$if(after !== undefined, (images) =>
      images.where(
        sql<boolean>`(album_images.position, album_images.image_id) > (${String(after?.position)}, ${after?.id})`,
      ),
    )
    .orderBy('album_images.position')
    .orderBy('album_images.image_id')
    .limit(limit)
    .execute()
}
