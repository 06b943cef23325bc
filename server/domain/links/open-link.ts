// What a visitor of a link sees: the link is found, its password and views are checked, and its images are read (docs/decisions/0070).
import { limits } from '../../../contract/plain/limits.ts'
import type { AlbumsTable, ImagesTable, LinksTable } from '../../db/schema.ts'
import { linkViewKeyOf } from '../images/sharing/view-keys.ts'
import { titleOf } from '../images/shared-image.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { readCursor, writeCursor } from '../shared/keyset-page.ts'
import { hasCookie } from './link-cookies.ts'
import { countVisit, type Visit } from './count-visit.ts'
import { findOpenLink, isStorable } from './find-open-link.ts'
import { albumsInside, bytesOfImages, countImages, coverOf, type LinkedAlbum } from './link-albums.ts'
import { givesOriginals, isRestricted } from '../images/sharing/link-state.ts'
import { albumsAround, placedImages } from '../images/sharing/link-targets.ts'

interface Opening extends Visit {
  slug: string
  /** The header Cookie. */
  cookie: string | undefined
  /** An album inside the one that the link shares. */
  albumId?: string | undefined
  /** Of the next page of images. */
  cursor?: string | undefined
  /** Images on a page. */
  limit?: number
}

export interface OpenLink {
  kind: 'open'
  link: LinksTable
  /** The album that is shown; null: the link names its images. */
  album: AlbumsTable | null
  /** Those around it, from the one that the link shares on. */
  around: Pick<AlbumsTable, 'id' | 'title'>[]
  /** Of the album, or of the only image; '' for several images. */
  title: string
  description: string
  /** null: of a guest, or its owner has not chosen to show their name. */
  ownerName: string | null
  /** Inside the shown one. */
  albums: LinkedAlbum[]
  images: ImagesTable[]
  /** How many images it shows in all, without those of albums inside; counted to limits.list.maxCounted + 1. */
  total: number
  nextCursor: string | null
  /** The `key` for the addresses of an image; undefined: it needs none. */
  keyOf: (row: Pick<ImagesTable, 'id' | 'visibility'>) => string | undefined
  /** Of all originals, also those in albums inside; null where they are not given, or too many to add up. */
  downloadBytes: number | null
  /** The header Set-Cookie of a new visit. */
  setCookie: string | undefined
}

/** The visitor has to enter the password. Nothing but that is known of the link. */
export interface LockedLink {
  kind: 'password'
}

/**
 * Opens a link, and counts the visit.
 * @throws {Failure} link_not_found: there is none, it has not started, has ended, was revoked or its views are used up, or its
 * owner is suspended, all alike; robot_excluded: it has limited views; invalid_input: cursor
 */
export async function openLink(deps: Deps, visit: Opening): Promise<OpenLink | LockedLink> {
  const { link, ownerName } = await findOpenLink(deps, visit)
  const { cookie } = visit
  const isVisiting = hasCookie(deps, 'visit', link, cookie)
  // Before the password: its form would say that there was such a link.
  if (link.views_left === 0 && !isVisiting) throw new Failure('link_not_found')
  if (link.password_hash !== null && !hasCookie(deps, 'pass', link, cookie)) return { kind: 'password' }
  const album = await findShownAlbum(deps, link, visit.albumId)
  const albumId = album?.id ?? null
  const setCookie = isVisiting ? undefined : await countVisit(deps, link, visit)
  const [page, total, albums, bytes] = await Promise.all([
    readImages(deps, link, album, visit),
    countImages(deps, link, albumId),
    album ? albumsInside(deps, link, album.id) : [],
    givesOriginals(link) ? bytesOfImages(deps, link, albumId) : null,
  ])
  return {
    kind: 'open',
    link,
    album,
    around: album ? await around(deps, link, album) : [],
    title: album?.title ?? titleOfOnly(page.images, total),
    description: album?.description ?? '',
    ownerName,
    albums,
    ...page,
    total,
    keyOf: keyFor(deps, link),
    downloadBytes: bytes,
    setCookie,
  }
}

/** @returns '' for several images */
function titleOfOnly([first]: ImagesTable[], total: number): string {
  return total === 1 && first ? titleOf(first) : ''
}

/** @returns a function that returns the `key` of an image; undefined: it needs none */
export const keyFor =
  (deps: Pick<Deps, 'jwtSecret' | 'now'>, link: LinksTable) =>
  (row: Pick<ImagesTable, 'id' | 'visibility'>): string | undefined =>
    row.visibility === 'private' || isRestricted(link) ? linkViewKeyOf(deps, row, link) : undefined

/** @throws {Failure} link_not_found: the album is not inside the one of the link, or visitors see nothing in it */
async function findShownAlbum(deps: Deps, link: LinksTable, albumId: string | undefined): Promise<AlbumsTable | null> {
  const id = albumId ?? link.album_id
  if (id === null) return null
  if (!isStorable(id)) throw new Failure('link_not_found')
  const isInside =
    id === link.album_id || (link.album_id !== null && (await albumsAround(deps.db, id)).includes(link.album_id))
  const album = isInside
    ? await deps.db.selectFrom('albums').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined
  const isEmpty = id !== link.album_id && album !== undefined && (await coverOf(deps, link, id, null)) === null
  if (!album || isEmpty) throw new Failure('link_not_found')
  return album
}

async function around(
  { db }: Deps,
  link: LinksTable,
  { id }: AlbumsTable,
): Promise<Pick<AlbumsTable, 'id' | 'title'>[]> {
  const ids = await albumsAround(db, id)
  const shared = ids.slice(1, ids.indexOf(link.album_id ?? '') + 1).toReversed()
  if (shared.length === 0) return []
  const rows = await db.selectFrom('albums').select(['id', 'title']).where('id', 'in', shared).execute()
  return shared.flatMap((one) => rows.find((row) => row.id === one) ?? [])
}

async function readImages(
  deps: Deps,
  link: LinksTable,
  album: AlbumsTable | null,
  { cursor, limit = limits.list.defaultLimit }: Opening,
): Promise<Pick<OpenLink, 'images' | 'nextCursor'>> {
  const type = album !== null && album.query === null ? 'string' : 'number'
  const last = cursor === undefined ? undefined : readCursor('place', type, cursor)
  const after = last && { position: last.value, id: last.id }
  const rows = await placedImages(deps, link, { albumId: album?.id ?? null, after, limit: limit + 1 })
  const images = rows.slice(0, limit)
  const end = images.at(-1)
  const nextCursor = rows.length > limit && end ? writeCursor('place', { value: end.position, id: end.id }) : null
  return { images, nextCursor }
}
