// The images of an album: a page of them, and adding, moving and removing.
import { type Kysely, sql } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { Schema } from '../../db/schema.ts'
import { isListed } from '../images/lists/image-list-filters.ts'
import type { ImageRow } from '../images/image-row.ts'
import { findImages } from '../images/lists/list-images.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext, ResponseOrigins } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { type Page, readCursor, toPage, writeCursor } from '../shared/keyset-page.ts'
import { albumFor, type OpenAlbum, type RoleInAlbum } from './album-access.ts'
import { lockAlbum, placeImages, positionsAt, writePositions } from './album-order.ts'
import { countShown, scopeOfLive, shownImages } from './album-contents.ts'
import { toAlbumImage } from './show-albums.ts'

/** @throws {Failure} album_not_found; invalid_input: an invalid cursor */
export async function listAlbumImages(
  deps: Deps,
  {
    caller,
    params,
    query,
    ...origins
  }: RequestContext<UserCaller> & Pick<Input<'listAlbumImages'>, 'params' | 'query'>,
): Promise<Page<Image>> {
  const album = await albumFor(deps, caller, params.id, 'view')
  const page = await pageOfAlbum(deps, album, query)
  return { ...page, items: page.items.map((row) => toAlbumImage(deps, row, album, { caller, origins })) }
}

/** @throws {Failure} invalid_input: an invalid cursor */
export async function pageOfAlbum(
  deps: Deps,
  album: OpenAlbum,
  { limit = limits.list.defaultLimit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<ImageRow>> {
  if (album.query !== null)
    return findImages(deps, await scopeOfLive(deps, album), {
      q: album.query,
      limit,
      ...(cursor !== undefined && { cursor }),
    })
  const after = cursor === undefined ? undefined : readCursor('album', 'string', cursor)
  const rows = await shownImages(deps, album.id)
    .selectAll('images')
    .select('album_images.position')
    .$if(after !== undefined, (page) =>
      page.where(sql<boolean>`(position, image_id) > (${after?.value}, ${after?.id})`),
    )
    .orderBy('position')
    .orderBy('image_id')
    .limit(limit + 1)
    .execute()
  return toPage(rows, limit, await countShown(deps, album), {
    show: (row) => row,
    cursorOf: ({ position, id }) => writeCursor('album', { value: position, id }),
  })
}

interface PageByNumber extends ResponseOrigins {
  caller: UserCaller
  albumId: string
  offset: number
  limit: number
}

/**
 * Lists the images of an album from a number on, for clients that page by numbers instead of cursors.
 * @throws {Failure} album_not_found
 */
export async function listAlbumImagesByNumber(
  deps: Deps,
  { caller, albumId, offset, limit, ...origins }: PageByNumber,
): Promise<{ images: Image[]; total: number }> {
  const album = await albumFor(deps, caller, albumId, 'view')
  const { rows, total } = await (album.query === null ? storedFrom : liveFrom)(deps, album, { offset, limit })
  return { images: rows.map((row) => toAlbumImage(deps, row, album, { caller, origins })), total }
}

type Slice = Pick<PageByNumber, 'offset' | 'limit'>

async function storedFrom(deps: Deps, album: OpenAlbum, { offset, limit }: Slice) {
  const ordered = shownImages(deps, album.id).selectAll('images').orderBy('position').orderBy('image_id')
  return { rows: await ordered.limit(limit).offset(offset).execute(), total: await countShown(deps, album) }
}

/** A search has no offset: the pages before are read. */
async function liveFrom(deps: Deps, album: OpenAlbum, { offset, limit }: Slice) {
  let page = await pageOfAlbum(deps, album, { limit })
  const total = page.total ?? 0
  for (let from = 0; from < offset; from += limit) {
    if (page.nextCursor === null) return { rows: [], total }
    page = await pageOfAlbum(deps, album, { limit, cursor: page.nextCursor })
  }
  return { rows: page.items, total }
}

type Change<N extends 'addToAlbum' | 'moveInAlbum' | 'removeFromAlbum'> = { caller: UserCaller } & Pick<
  Input<N>,
  'params' | 'body'
>

/** @throws {Failure} album_not_found, album_role, album_is_live; image_not_found: `before` is not in the album */
export async function addToAlbum(deps: Deps, { caller, params, body: { ids, before = null } }: Change<'addToAlbum'>) {
  const added = await changeImages(deps, { caller, id: params.id, needed: 'add' }, (db, album) =>
    addImages({ ...deps, db }, { caller, albumId: album.id, ids, before }),
  )
  return { success: true as const, added }
}

/**
 * @param deps.db a transaction that holds the lock of the album
 * @returns those of the caller's images that were not in it
 */
export async function addImages(
  deps: Deps,
  {
    caller,
    albumId,
    ids,
    before = null,
  }: { caller: UserCaller; albumId: string; ids: readonly string[]; before?: string | null },
): Promise<string[]> {
  const { db } = deps
  const own = await db
    .selectFrom('images')
    .select('id')
    .where('id', 'in', ids)
    .where('owner_id', '=', caller.account.id)
    .where(isListed(deps, {}, caller.account.id))
    .execute()
  const isOwn = new Set(own.map(({ id }) => id))
  const isIn = await placedOf(db, albumId, ids)
  const added = [...new Set(ids)].filter((id) => isOwn.has(id) && !isIn.has(id))
  if (added.length === 0) return []
  await placeImages(db, { albumId, ids: added, before, addedBy: caller.account.id, now: deps.now() })
  return added
}

/** @throws {Failure} as addToAlbum; invalid_input: an image is to be before itself */
export async function moveInAlbum(deps: Deps, { caller, params, body: { ids, before = null } }: Change<'moveInAlbum'>) {
  if (before !== null && ids.includes(before))
    throw new Failure('invalid_input', { field: 'before', problem: 'is one of the images that move' })
  await changeImages(deps, { caller, id: params.id, needed: 'manage' }, async (db, { id: albumId }) => {
    const isIn = await placedOf(db, albumId, ids)
    const moved = [...new Set(ids)].filter((id) => isIn.has(id))
    if (moved.length === 0) return
    await writePositions(db, albumId, await positionsAt(db, { albumId, ids: moved, before }))
  })
  return { success: true as const }
}

/**
 * Gives an album these images of the caller alone, in this order, in one transaction.
 * @throws {Failure} album_not_found, album_role, album_is_live; image_not_found: one is not the caller's, nor in the album
 */
export async function setAlbumImages(deps: Deps, { caller, params, body: { ids } }: Change<'addToAlbum'>) {
  await changeImages(deps, { caller, id: params.id, needed: 'manage' }, async (db, { id: albumId }) => {
    await addImages({ ...deps, db }, { caller, albumId, ids })
    const isIn = await placedOf(db, albumId, ids)
    if (ids.some((id) => !isIn.has(id))) throw new Failure('image_not_found')
    await db.deleteFrom('album_images').where('album_id', '=', albumId).where('image_id', 'not in', ids).execute()
    await writePositions(db, albumId, await positionsAt(db, { albumId, ids, before: null }))
  })
}

/** @throws {Failure} album_not_found, album_role, album_is_live */
export async function removeFromAlbum(deps: Deps, { caller, params, body: { ids } }: Change<'removeFromAlbum'>) {
  const removed = await changeImages(deps, { caller, id: params.id, needed: 'add' }, (db, album) =>
    db
      .deleteFrom('album_images')
      .where('album_id', '=', album.id)
      .where('image_id', 'in', ids)
      .$if(album.role === 'add', (rows) => rows.where('added_by', '=', caller.account.id))
      .returning('image_id')
      .execute(),
  )
  return { success: true as const, removed: removed.map(({ image_id: id }) => id) }
}

/** Changes the images of an album in a transaction that no other change of them overlaps. */
function changeImages<T>(
  deps: Deps,
  { caller, id, needed }: { caller: UserCaller; id: string; needed: RoleInAlbum },
  change: (db: Kysely<Schema>, album: OpenAlbum) => Promise<T>,
): Promise<T> {
  return deps.db.transaction().execute(async (db) => {
    await lockAlbum(db, id)
    const album = await albumFor({ db }, caller, id, needed)
    if (album.query !== null) throw new Failure('album_is_live')
    return change(db, album)
  })
}

async function placedOf(db: Kysely<Schema>, albumId: string, ids: readonly string[]): Promise<Set<string>> {
  const placed = await db
    .selectFrom('album_images')
    .select('image_id')
    .where('album_id', '=', albumId)
    .where('image_id', 'in', ids)
    .execute()
  return new Set(placed.map(({ image_id: id }) => id))
}
