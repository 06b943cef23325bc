// The caller's images by the page, and those that expire soon.
import { dayMs, limits } from '../../../contract/limits.ts'
import type { Image } from '../../../contract/images.ts'
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { UserCaller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import { cutPage, type Page, readCursor, writeCursor } from '../page.ts'
import { type ImageRow, toImage } from './record.ts'

/** Each order has an index: see the migrations. Ties are broken by the id, in the same direction. */
export const orders = {
  newest: { by: 'created_at', direction: 'desc', type: 'number' },
  oldest: { by: 'created_at', direction: 'asc', type: 'number' },
  expiry: { by: 'expires_at', direction: 'asc', type: 'number' },
  largest: { by: 'bytes', direction: 'desc', type: 'number' },
  name: { by: 'original_name', direction: 'asc', type: 'string' },
} as const

export interface ImageFilters {
  /** Part of the file name, without case. */
  q?: string | undefined
  type?: ImageRow['format'] | undefined
  expires?: 'soon' | undefined
}

export interface ImageListQuery extends ImageFilters {
  limit?: number | undefined
  cursor?: string | undefined
  sort?: keyof typeof orders | undefined
}

/** @throws {Failure} invalid_input: a cursor that is none of this list's */
export async function listImages(
  deps: Deps,
  { caller, baseUrl, query }: RequestContext<UserCaller> & { query: ImageListQuery },
): Promise<Page<Image>> {
  const limit = query.limit ?? limits.list.defaultLimit
  const sort = query.sort ?? 'newest'
  const { by, direction, type } = orders[sort]
  const mine = livingImages(deps, caller, query)

  let page = mine
    .selectAll()
    .orderBy(query.expires === 'soon' ? unindexed(by) : by, direction)
    .orderBy('id', direction)
    .limit(limit + 1)
  if (query.cursor !== undefined) {
    const { value, id } = readCursor(sort, type, query.cursor)
    const comparison = direction === 'asc' ? '>' : '<'
    page = page.where((where) => where(where.refTuple(by, 'id'), comparison, where.tuple(value as never, id)))
  }
  const [rows, total] = await Promise.all([page.execute(), countImages(deps, caller, query)])
  return cutPage(rows, limit, total, {
    show: (row) => toImage(row, baseUrl),
    cursorOf: (row) => writeCursor(sort, { value: row[by], id: row.id }),
  })
}

/**
 * Expiring images are few, and as a rule the oldest: sorting them is less work than walking through the index of this order
 * past all the others (a million: 400 ms, in which SQLite serves nobody).
 */
const unindexed = (by: (typeof orders)[keyof typeof orders]['by']) => sql`coalesce(${sql.ref(by)}, ${sql.ref(by)})`

/** The caller's images that expire within 7 days, the first to go first. */
export async function listExpiringImages(
  deps: Deps,
  { caller, baseUrl }: RequestContext<UserCaller>,
): Promise<Page<Image>> {
  const rows: ImageRow[] = await livingImages(deps, caller, { expires: 'soon' })
    .selectAll()
    .orderBy('expires_at')
    .orderBy('id')
    .limit(limits.list.maxExpiring)
    .execute()
  return { items: rows.map((row) => toImage(row, baseUrl)), total: rows.length, nextCursor: null }
}

const livingImages = (deps: Deps, { account }: UserCaller, filters: ImageFilters) =>
  deps.db.selectFrom('images').where('owner_id', '=', account.id).where(isListed(deps.now(), filters))

/** What is in the list of its owner, now and under these filters. */
export const isListed =
  (now: number, { q = '', type, expires }: ImageFilters) =>
  (image: ExpressionBuilder<Schema, 'images'>) => {
    const conditions: Expression<SqlBool>[] = [image('expires_at', '>', now)]
    if (type !== undefined) conditions.push(image('format', '=', type))
    if (expires === 'soon') conditions.push(image('expires_at', '<=', now + limits.expiryNoticeDays * dayMs))
    if (q !== '') {
      const pattern = `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
      conditions.push(sql<boolean>`lower(original_name) like ${pattern} escape '\\'`)
    }
    return image.and(conditions)
  }

/** All are kept counted with their owner; only what a filter finds, or what the sweep has not taken yet, must be counted. */
async function countImages(deps: Deps, caller: UserCaller, filters: ImageFilters): Promise<number> {
  const { q = '', type, expires } = filters
  const isAll = q === '' && type === undefined && expires === undefined
  const count = await (
    isAll
      ? deps.db.selectFrom('images').where('owner_id', '=', caller.account.id).where('expires_at', '<=', deps.now())
      : livingImages(deps, caller, filters)
  )
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return isAll ? Math.max(0, caller.account.image_count - count.n) : count.n
}
