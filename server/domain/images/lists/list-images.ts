// Lists of images in pages, and the caller's images that expire soon.
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Image } from '../../../../contract/endpoints/images.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { countRows } from '../../../db/count-rows.ts'
import type { Schema } from '../../../db/schema.ts'
import type { UserCaller } from '../../shared/caller.ts'
import type { Deps, RequestContext, ResponseOrigins } from '../../shared/deps.ts'
import { type Cursor, toPage, type Page, readCursor, writeCursor } from '../../shared/keyset-page.ts'
import { deletedExpiry, lastDeletedExpiry } from '../deletion/deletion-states.ts'
import { isAfterCursor, readImageBatches, type SortedImageQuery } from './image-batches.ts'
import {
  type ImageFilters,
  type ImageListQuery,
  isListed,
  imagesInOrder,
  imageSortOrders,
  isUnfiltered,
  readQuery,
  orderColumns,
  type SortOrder,
} from './image-list-filters.ts'
import { type ImageRow, toImage } from '../image-row.ts'
import { findByIndex, isLongSearch, type ListScope } from './search-by-index.ts'
import { withoutIndex } from './query-terms-as-sql.ts'

/** @throws {Failure} as findImages */
export async function listImages(
  deps: Deps,
  { caller, query, ...origins }: RequestContext<UserCaller> & { query: ImageListQuery },
): Promise<Page<Image>> {
  const page = await findImages(deps, scopeOf(caller), query)
  return { ...page, items: page.items.map((row) => toImage(deps, row, origins)) }
}

const scopeOf = ({ account }: UserCaller): ListScope => ({ ownerId: account.id, storedImages: account.image_count })

/** @throws {Failure} invalid_input: as readQuery, or a cursor issued for a different sort order */
export async function findImages(
  deps: Deps,
  scope: ListScope,
  { q, ...query }: ImageListQuery & ImageFilters,
): Promise<Page<ImageRow>> {
  const limit = query.limit ?? limits.list.defaultLimit
  const sort = query.sort ?? 'newest'
  const { by, type } = imageSortOrders[sort]
  const after = query.cursor === undefined ? undefined : readCursor(sort, type, query.cursor)
  const wanted = { ...query, ...(await readQuery(deps, scope.ownerId, q)), sort, after, limit }
  const { rows, total, shown } = await (isLongSearch(scope, wanted) ? searchPage : queryPage)(deps, scope, wanted)
  return toPage(rows, shown, total, {
    show: (row) => row,
    cursorOf: (row) => writeCursor(sort, { value: row[by], id: row.id }),
  })
}

/** Stands for all larger totals of a search or filter. */
const countedTotal = limits.list.maxCounted + 1

type Wanted = SortedImageQuery & { limit: number; after: Cursor | undefined }

interface Found {
  /** Rows of the page, and one more when there is a next page. */
  rows: ImageRow[]
  /** Page size. */
  shown: number
  /** Of all pages. */
  total: number
}

async function queryPage(deps: Deps, scope: ListScope, { limit, sort, after, ...filters }: Wanted): Promise<Found> {
  const { by, direction } = imageSortOrders[sort]
  const [column, id] = orderColumns(sort)
  let page = listedImages(deps, scope, filters, sort)
    .selectAll('images')
    // Expiring images are few and usually the oldest: sorting them is cheaper than scanning the index
    // of this order past all others (a million: 400 ms, during which SQLite blocks all queries).
    .orderBy(filters.expires === 'soon' && by !== 'expires_at' ? withoutIndex(column) : sql.ref(column), direction)
    .orderBy(sql.ref(id), direction)
    .limit(limit + 1)
  if (after) page = page.where(isAfterCursor(sort, after))
  // The index of expiry has the deleted ones too, all in the past.
  if (by === 'expires_at') page = page.where('expires_at', '>', deps.now())
  const [rows, total] = await Promise.all([page.execute(), countImages(deps, scope, filters)])
  return { rows, total, shown: limit }
}

/** Finds a page of a long list by an index or, where that finds too many, in batches. */
async function searchPage(deps: Deps, scope: ListScope, { limit, ...query }: Wanted): Promise<Found> {
  const found = await findByIndex(deps, scope, { ...query, limit: limit + 1 })
  const { ids, total } =
    typeof found === 'string'
      ? await scanPage(deps, scope, { limit, ...query }, found === 'many')
      : { ids: found.images.map(({ id }) => id), total: found.total }
  const stored = ids.length === 0 ? [] : await deps.db.selectFrom('images').selectAll().where('id', 'in', ids).execute()
  const rowOf = new Map(stored.map((row) => [row.id, row]))
  // Rows deleted meanwhile are missing, but the next page still exists.
  const rows = ids.flatMap((id) => rowOf.get(id) ?? [])
  return { rows, total, shown: ids.length > limit ? Math.max(0, rows.length - 1) : limit }
}

/**
 * Reads a long list until the page is full and its images are counted: other requests run meanwhile.
 * @param isCounted there are more images than are counted
 */
async function scanPage(deps: Deps, { ownerId }: ListScope, { limit, ...query }: Wanted, isCounted: boolean) {
  const ids: string[] = []
  let total = isCounted ? countedTotal : 0
  for await (const batch of readImageBatches(deps, ownerId, query, isCounted ? query.after : undefined)) {
    total += batch.length
    const isAfter = batch.filter((image) => image.isAfter)
    ids.push(...isAfter.slice(0, limit + 1 - ids.length).map(({ id }) => id))
    if (ids.length > limit && total >= countedTotal) break
  }
  return { ids, total: Math.min(total, countedTotal) }
}

/** Lists the caller's images from a number on, for clients that page by numbers instead of cursors. */
export async function listImagesByNumber(
  deps: Deps,
  { caller, sort, offset, limit, ...origins }: PageByNumber,
): Promise<{ images: Image[]; total: number }> {
  const { direction } = imageSortOrders[sort]
  const [column, id] = orderColumns(sort)
  const scope = scopeOf(caller)
  const page = listedImages(deps, scope, {}, sort)
    .selectAll('images')
    .orderBy(sql.ref(column), direction)
    .orderBy(sql.ref(id), direction)
  const [rows, total] = await Promise.all([page.limit(limit).offset(offset).execute(), countImages(deps, scope, {})])
  return { images: rows.map((row) => toImage(deps, row, origins)), total }
}

interface PageByNumber extends ResponseOrigins {
  caller: UserCaller
  sort: SortOrder
  offset: number
  limit: number
}

/** Lists the caller's images that expire within 7 days, the first to expire first. */
export async function listExpiringImages(
  deps: Deps,
  { caller, ...origins }: RequestContext<UserCaller>,
): Promise<Page<Image>> {
  const rows: ImageRow[] = await listedImages(deps, scopeOf(caller), { expires: 'soon' })
    .selectAll()
    .orderBy('expires_at')
    .orderBy('id')
    .limit(limits.list.maxExpiring)
    .execute()
  return { items: rows.map((row) => toImage(deps, row, origins)), total: rows.length, nextCursor: null }
}

const imagesOf = ({ db }: Deps, { ownerId }: ListScope, sort?: SortOrder) => imagesInOrder(db, sort, ownerId)

const listedImages = (deps: Deps, scope: ListScope, filters: ImageFilters, sort?: SortOrder) =>
  imagesOf(deps, scope, sort).where(isListed(deps, filters, scope.ownerId))

/**
 * The number of stored images is maintained: only filtered rows, and those that are not listed, must
 * be counted.
 */
async function countImages(deps: Deps, scope: ListScope, filters: ImageFilters): Promise<number> {
  if (!isUnfiltered(filters)) return countUpToLimit(deps, listedImages(deps, scope, filters))
  const [expired, deleted, quarantined] = await Promise.all([
    countRows(imagesOf(deps, scope).where('expires_at', '>', lastDeletedExpiry).where('expires_at', '<=', deps.now())),
    countRows(deletedOf(deps, scope)),
    filters.quarantined === 'included' ? 0 : countQuarantined(deps, scope),
  ])
  return Math.max(0, scope.storedImages - expired - deleted - quarantined)
}

/** Those that the number of stored images includes: without the trash, which may be large. */
const deletedOf = (deps: Deps, scope: ListScope) =>
  imagesOf(deps, scope).where('expires_at', '<', deletedExpiry.toTrash)

/** Counts the unexpired ones by the index of quarantined images, of which there are few. */
const countQuarantined = (deps: Deps, scope: ListScope) =>
  countRows(imagesOf(deps, scope).where('quarantined_at', '>', 0).where(withoutIndex('expires_at'), '>', deps.now()))

const countUpToLimit = ({ db }: Deps, images: SelectQueryBuilder<Schema, 'images', object>): Promise<number> =>
  countRows(db.selectFrom(images.select('images.id').limit(countedTotal).as('found')))
