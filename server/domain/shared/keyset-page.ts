// Keyset pagination: the thousandth page costs as much as the first.
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
