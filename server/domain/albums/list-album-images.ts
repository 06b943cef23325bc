// The images of an album in pages, by a cursor or by numbers.
import { sql } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { ImageRow } from '../images/image-row.ts'
import { findImages } from '../images/lists/list-images.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext, ResponseOrigins } from '../shared/deps.ts'
import { type Page, readCursor, toPage, writeCursor } from '../shared/keyset-page.ts'
import { albumFor, type OpenAlbum } from './album-access.ts'
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
