// The caller's images in pages, and those that expire soon.
import { sql } from 'kysely'
import type { Image } from '../../../contract/images.ts'
import { limits } from '../../../contract/limits.ts'
import type { UserCaller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import { type Cursor, toPage, type Page, readCursor, writeCursor } from '../keyset-page.ts'
import { readImageBatches, type SortedImageQuery } from './image-batches.ts'
import { type ImageFilters, type ImageListQuery, isListed, imageSortOrders } from './image-list-filters.ts'
import { type ImageRow, toImage } from './image-row.ts'

/** Larger galleries are filtered in batches; smaller ones take one query of at most 30 ms. */
const batchScanThreshold = 20_000

/** @throws {Failure} invalid_input: a cursor issued for a different sort order */
export async function listImages(
  deps: Deps,
  { caller, baseUrl, query }: RequestContext<UserCaller> & { query: ImageListQuery },
): Promise<Page<Image>> {
  const limit = query.limit ?? limits.list.defaultLimit
  const sort = query.sort ?? 'newest'
  const { by, type } = imageSortOrders[sort]
  const after = query.cursor === undefined ? undefined : readCursor(sort, type, query.cursor)
  const needsBatchScan =
    (query.q || query.type) && query.expires !== 'soon' && caller.account.image_count > batchScanThreshold
  const wanted = { ...query, sort, after, limit }
  const { rows, total, shown } = await (needsBatchScan ? scanPage : queryPage)(deps, caller, wanted)
  return toPage(rows, shown, total, {
    show: (row) => toImage(row, baseUrl),
    cursorOf: (row) => writeCursor(sort, { value: row[by], id: row.id }),
  })
}

type Wanted = SortedImageQuery & { limit: number; after: Cursor | undefined }

interface Found {
  /** Rows of the page, and one more when there is a next page. */
  rows: ImageRow[]
  /** Page size. */
  shown: number
  /** Of all pages. */
  total: number
}

async function queryPage(deps: Deps, caller: UserCaller, { limit, sort, after, ...filters }: Wanted): Promise<Found> {
  const { by, direction } = imageSortOrders[sort]
  let page = listedImages(deps, caller, filters)
    .selectAll()
    .orderBy(filters.expires === 'soon' && by !== 'expires_at' ? unindexed(by) : by, direction)
    .orderBy('id', direction)
    .limit(limit + 1)
  if (after) {
    const comparison = direction === 'asc' ? '>' : '<'
    page = page.where((where) =>
      where(where.refTuple(by, 'id'), comparison, where.tuple(after.value as never, after.id)),
    )
  }
  const [rows, total] = await Promise.all([page.execute(), countImages(deps, caller, filters)])
  return { rows, total, shown: limit }
}

/** Filters a long list in batches, of which few rows may match: other requests run meanwhile. */
async function scanPage(deps: Deps, caller: UserCaller, { limit, ...sortedQuery }: Wanted): Promise<Found> {
  const ids: string[] = []
  let total = 0
  for await (const batch of readImageBatches(deps, caller, sortedQuery)) {
    for (const { id, isListed: isFound, isAfter } of batch) {
      if (!isFound) continue
      total++
      if (isAfter && ids.length <= limit) ids.push(id)
    }
  }
  const found = ids.length === 0 ? [] : await deps.db.selectFrom('images').selectAll().where('id', 'in', ids).execute()
  const rowOf = new Map(found.map((row) => [row.id, row]))
  // Rows deleted meanwhile are missing, but the next page still exists.
  const rows = ids.flatMap((id) => rowOf.get(id) ?? [])
  return { rows, total, shown: ids.length > limit ? Math.max(0, rows.length - 1) : limit }
}

/**
 * Expiring images are few and usually the oldest: sorting them is cheaper than scanning the index
 * of this order past all others (a million: 400 ms, during which SQLite blocks all queries).
 */
const unindexed = (by: (typeof imageSortOrders)[keyof typeof imageSortOrders]['by']) =>
  sql`coalesce(${sql.ref(by)}, ${sql.ref(by)})`

/** Lists the caller's images that expire within 7 days, the first to expire first. */
export async function listExpiringImages(
  deps: Deps,
  { caller, baseUrl }: RequestContext<UserCaller>,
): Promise<Page<Image>> {
  const rows: ImageRow[] = await listedImages(deps, caller, { expires: 'soon' })
    .selectAll()
    .orderBy('expires_at')
    .orderBy('id')
    .limit(limits.list.maxExpiring)
    .execute()
  return { items: rows.map((row) => toImage(row, baseUrl)), total: rows.length, nextCursor: null }
}

const listedImages = (deps: Deps, { account }: UserCaller, filters: ImageFilters) =>
  deps.db.selectFrom('images').where('owner_id', '=', account.id).where(isListed(deps.now(), filters))

/** The unfiltered total is stored with the owner, including expired rows not swept yet. */
async function countImages(deps: Deps, caller: UserCaller, filters: ImageFilters): Promise<number> {
  const { q = '', type, expires } = filters
  const isAll = q === '' && type === undefined && expires === undefined
  const count = await (
    isAll
      ? deps.db.selectFrom('images').where('owner_id', '=', caller.account.id).where('expires_at', '<=', deps.now())
      : listedImages(deps, caller, filters)
  )
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return isAll ? Math.max(0, caller.account.image_count - count.n) : count.n
}
