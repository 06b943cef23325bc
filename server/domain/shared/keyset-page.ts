// Keyset pagination: the thousandth page costs as much as the first.
import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import { limits } from '../../../contract/plain/limits.ts'
import { countRows } from '../../db/count-rows.ts'
import { Failure } from './failure.ts'

/** A page of a list with the values of its headers. */
export interface Page<T> {
  items: T[]
  /** Number of items on all pages; null where counting them would cost too much. */
  total: number | null
  nextCursor: string | null
}

/** Where a page ended: the value of the sort column, and the id. */
export interface Cursor {
  value: string | number
  id: string
}

interface PageOptions<Row, Item> {
  limit?: number | undefined
  cursor?: string | undefined
  /** The name of the order: a cursor of another one is refused. */
  sort?: string
  /** The columns of the order: a number, and an id for rows where that is equal. */
  by: [number: string, id: string]
  /** Default: descending. */
  direction?: 'asc' | 'desc'
  keyOf: (row: Row) => Cursor
  show: (row: Row) => Item
}

/**
 * Reads a page of a list.
 * @param counted the same rows without columns, for the total
 * @throws {Failure} invalid_input: an invalid cursor
 */
export async function readPage<DB, T extends keyof DB, C extends keyof DB, Row, Item>(
  rows: SelectQueryBuilder<DB, T, Row>,
  counted: SelectQueryBuilder<DB, C, object> | null,
  options: PageOptions<Row, Item>,
): Promise<Page<Item>> {
  const { limit = limits.list.defaultLimit, sort = 'newest', direction = 'desc', keyOf, show } = options
  const [by, id] = [sql.ref(options.by[0]), sql.ref(options.by[1])]
  let page = rows
    .orderBy(by, direction)
    .orderBy(id, direction)
    .limit(limit + 1)
  if (options.cursor !== undefined) {
    const after = readCursor(sort, 'number', options.cursor)
    const last = sql`(${after.value}, ${after.id})`
    page = page.where(
      direction === 'desc' ? sql<SqlBool>`(${by}, ${id}) < ${last}` : sql<SqlBool>`(${by}, ${id}) > ${last}`,
    )
  }
  const [found, total] = await Promise.all([page.execute(), counted && countRows(counted)])
  return toPage(found, limit, total, { show, cursorOf: (row) => writeCursor(sort, keyOf(row)) })
}

export const writeCursor = (sort: string, { value, id }: Cursor) =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')

/** @throws {Failure} invalid_input: a malformed cursor, or one of another sort order */
export function readCursor(sort: string, valueType: 'string' | 'number', cursor: string): Cursor {
  const [of, value, id, ...rest] = parse(cursor)
  if (of === sort && typeof value === valueType && typeof id === 'string' && rest.length === 0) {
    const isFit = typeof value === 'number' ? Number.isSafeInteger(value) : !(value as string).includes('\0')
    if (isFit && !id.includes('\0')) return { value: value as string | number, id }
  }
  throw new Failure('invalid_input', { field: 'cursor', problem: 'is not from a Link header of this list' })
}

function parse(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : []
  } catch {
    // Invalid JSON is treated like any other invalid cursor: the caller refuses it.
    return []
  }
}

/** Returns a page of `limit` items from `limit + 1` rows. */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  total: number | null,
  { show, cursorOf }: { show: (row: Row) => Item; cursorOf: (row: Row) => string },
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(show),
    total,
    nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null,
  }
}
