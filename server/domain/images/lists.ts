// The caller's images by the page, and those that expire soon.
import { dayMs, limits } from '../../../contract/limits.ts'
import type { Image } from '../../../contract/images.ts'
import { sql } from 'kysely'
import type { UserCaller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import { cutPage, type Page, readCursor, writeCursor } from '../page.ts'
import { type ImageRow, toImage } from './record.ts'

/** Each order has an index: see the migrations. Ties are broken by the id, in the same direction. */
const orders = {
  newest: { by: 'created_at', direction: 'desc', type: 'number' },
  oldest: { by: 'created_at', direction: 'asc', type: 'number' },
  expiry: { by: 'expires_at', direction: 'asc', type: 'number' },
  largest: { by: 'bytes', direction: 'desc', type: 'number' },
  name: { by: 'original_name', direction: 'asc', type: 'string' },
} as const

export interface ImageListQuery {
  limit?: number | undefined
  cursor?: string | undefined
  /** Part of the file name, without case. */
  q?: string | undefined
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
  const mine = livingImages(deps, caller, query.q)

  let page = mine
    .selectAll()
    .orderBy(by, direction)
    .orderBy('id', direction)
    .limit(limit + 1)
  if (query.cursor !== undefined) {
    const { value, id } = readCursor(sort, type, query.cursor)
    const comparison = direction === 'asc' ? '>' : '<'
    page = page.where((where) => where(where.refTuple(by, 'id'), comparison, where.tuple(value as never, id)))
  }
  const [rows, total] = await Promise.all([page.execute(), countImages(deps, caller, query.q)])
  return cutPage(rows, limit, total, {
    show: (row) => toImage(row, baseUrl),
    cursorOf: (row) => writeCursor(sort, { value: row[by], id: row.id }),
  })
}

/** The caller's images that expire within 7 days, the first to go first. */
export async function listExpiringImages(
  deps: Deps,
  { caller, baseUrl }: RequestContext<UserCaller>,
): Promise<Page<Image>> {
  const rows: ImageRow[] = await livingImages(deps, caller)
    .selectAll()
    .where('expires_at', '<=', deps.now() + limits.expiryNoticeDays * dayMs)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(limits.list.maxExpiring)
    .execute()
  return { items: rows.map((row) => toImage(row, baseUrl)), total: rows.length, nextCursor: null }
}

function livingImages(deps: Deps, caller: UserCaller, q = '') {
  const mine = deps.db
    .selectFrom('images')
    .where('owner_id', '=', caller.account.id)
    .where('expires_at', '>', deps.now())
  if (q === '') return mine
  const pattern = `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return mine.where(sql<boolean>`lower(original_name) like ${pattern} escape '\\'`)
}

/** All are kept counted with their owner; only what a search finds, or what the sweep has not taken yet, must be counted. */
async function countImages(deps: Deps, caller: UserCaller, q = ''): Promise<number> {
  const count = await (
    q === ''
      ? deps.db.selectFrom('images').where('owner_id', '=', caller.account.id).where('expires_at', '<=', deps.now())
      : livingImages(deps, caller, q)
  )
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return q === '' ? Math.max(0, caller.account.image_count - count.n) : count.n
}
