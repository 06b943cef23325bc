// What a visitor of a link sees: the link is looked up, its password and views are checked, and its images are read (docs/decisions/0070).
import { limits } from '../../../contract/plain/limits.ts'
import type { AlbumsTable, ImagesTable, LinksTable } from '../../db/schema.ts'
import { passwordMatches } from '../accounts/passwords.ts'
import { linkViewKeyOf } from '../images/sharing/view-keys.ts'
import { titleOf } from '../images/shared-image.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { readCursor, writeCursor } from '../shared/keyset-page.ts'
import { hasCookie, linkCookie } from './link-cookies.ts'
import { throttleLinkPasswords } from './throttle-link-passwords.ts'
import { albumsInside, bytesOfImages, countImages, coverOf, type LinkedAlbum } from './link-albums.ts'
import { givesOriginals, isRestricted } from '../images/sharing/link-state.ts'
import { albumsAround, isStillShared, type PlacedImage, placedImages } from '../images/sharing/link-targets.ts'

interface Visit {
  slug: string
  /** The header Cookie. */
  cookie: string | undefined
  /** An album inside the one that the link shares. */
  albumId?: string | undefined
  /** Of the next page of images. */
  cursor?: string | undefined
  /** Images on a page. */
  limit?: number
  /** A crawler or a link preview, which is not a visitor. */
  isRobot: boolean
  /** HEAD: nobody sees anything. */
  isHead: boolean
  /** From a page of this site, as the owner of the link opens it. */
  isFromOwnPage: boolean
  /** Where visitors open the link: cookies are for its scheme. */
  siteUrl: string
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
export async function openLink(deps: Deps, visit: Visit): Promise<OpenLink | LockedLink> {
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

interface PasswordEntry extends Pick<Visit, 'slug' | 'cookie' | 'siteUrl'> {
  password: string
  /** Of the client. */
  address: string
}

/**
 * Checks the password, and counts the visit: the page that follows is opened from a page of this site.
 * @returns the headers Set-Cookie
 * @throws {Failure} link_not_found, as openLink; wrong_link_password; too_many_requests, busy
 */
export async function enterLink(
  deps: Deps,
  { slug, cookie, password, address, siteUrl }: PasswordEntry,
): Promise<string[]> {
  const { link } = await findOpenLink(deps, { slug, cookie })
  if (link.views_left === 0 && !hasCookie(deps, 'visit', link, cookie)) throw new Failure('link_not_found')
  const { password_hash: hash } = link
  if (hash === null || password.length > limits.account.maxPasswordLength) throw new Failure('wrong_link_password')
  const matched = await throttleLinkPasswords(deps, { link, address }, async () =>
    (await passwordMatches(password, hash)) ? true : null,
  )
  if (!matched) throw new Failure('wrong_link_password')
  const pass = linkCookie(deps, 'pass', link, siteUrl)
  // Of limited views, the page takes one.
  if (link.views_left !== null || hasCookie(deps, 'visit', link, cookie)) return [pass]
  const visit = await countVisit(deps, link, { siteUrl, isRobot: false, isHead: false, isFromOwnPage: false })
  return [pass, ...(visit === undefined ? [] : [visit])]
}

/** Yields the images of an open link for a ZIP file, in their order, each with the folder of its album. */
export async function* imagesOfLink(
  deps: Deps,
  link: LinksTable,
  albumId: string | null = link.album_id,
  path: readonly string[] = [],
): AsyncGenerator<ImagesTable & { folder: readonly string[] }> {
  let after: PlacedImage | undefined
  for (;;) {
    const rows = await placedImages(deps, link, { albumId, after, limit: batchSize })
    for (const row of rows) yield { ...row, folder: path }
    after = rows.at(-1)
    if (rows.length < batchSize) break
  }
  if (albumId === null || path.length > limits.albums.maxDepth) return
  for (const { id, title } of await albumsInside(deps, link, albumId)) {
    yield* imagesOfLink(deps, link, id, [...path, title])
  }
}

const batchSize = 500

/** PostgreSQL stores no NUL, and refuses to look for one. */
const isStorable = (text: string) => !text.includes('\0')

/**
 * Every reason not to open it looks the same, and takes one query that finds nothing, so that the time of the response tells
 * nothing either.
 */
async function findOpenLink(
  deps: Deps,
  { slug, cookie }: Pick<Visit, 'slug' | 'cookie'>,
): Promise<{ link: LinksTable; ownerName: string | null }> {
  if (!isStorable(slug)) throw new Failure('link_not_found')
  const found = await deps.db
    .selectFrom('links')
    .leftJoin('users', 'users.id', 'links.owner_id')
    .leftJoin('albums', 'albums.id', 'links.album_id')
    .selectAll('links')
    .select(['users.name as ownerName', 'users.show_name', 'albums.owner_id as albumOwner'])
    .where('links.slug', '=', slug.slice(0, limits.share.maxSlugLength + 1).toLowerCase())
    .where('users.status', 'is distinct from', 'Inactive')
    .where('links.revoked_at', 'is', null)
    .where((link) => link.or([link('starts_at', 'is', null), link('starts_at', '<=', deps.now())]))
    .where((link) => link.or([link('ends_at', 'is', null), link('ends_at', '>', deps.now())]))
    // Whoever has no cookie has not visited it while there were views left.
    .$if(cookie === undefined, (links) =>
      links.where((link) => link.or([link('views_left', 'is', null), link('views_left', '>', 0)])),
    )
    .executeTakeFirst()
  if (!found) throw new Failure('link_not_found')
  const { ownerName, show_name: showsName, albumOwner, ...link } = found
  if (albumOwner !== link.owner_id && !(await isStillShared(deps.db, link))) throw new Failure('link_not_found')
  return { link, ownerName: showsName === 1 ? ownerName : null }
}

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

/**
 * Takes one of the views that are left: of two visitors at once, only one gets the last. With limited views each opening is one,
 * whatever the client says it is.
 * @returns the header Set-Cookie; undefined: it is no visit
 */
async function countVisit(
  deps: Deps,
  link: LinksTable,
  visit: Pick<Visit, 'isRobot' | 'isHead' | 'isFromOwnPage' | 'siteUrl'>,
): Promise<string | undefined> {
  const isLimited = link.views_left !== null
  if (isLimited && visit.isRobot) throw new Failure('robot_excluded')
  if (visit.isRobot || visit.isHead || (visit.isFromOwnPage && !isLimited)) return undefined
  const counted = await deps.db
    .updateTable('links')
    .set((row) => ({
      views: row('views', '+', 1),
      last_viewed_at: deps.now(),
      ...(isLimited && { views_left: row('views_left', '-', 1) }),
    }))
    .where('id', '=', link.id)
    .where((row) => row.or([row('views_left', 'is', null), row('views_left', '>', 0)]))
    .returning('id')
    .executeTakeFirst()
  if (!counted) throw new Failure('link_not_found')
  return linkCookie(deps, 'visit', link, visit.siteUrl)
}

async function readImages(
  deps: Deps,
  link: LinksTable,
  album: AlbumsTable | null,
  { cursor, limit = limits.list.defaultLimit }: Visit,
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
