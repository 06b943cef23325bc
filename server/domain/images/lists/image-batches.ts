// Reads a whole list in batches: a query of a whole gallery would block SQLite's process.
import { setImmediate } from 'node:timers/promises'
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { Schema } from '../../../db/schema.ts'
import type { Deps } from '../../shared/deps.ts'
import type { Cursor } from '../../shared/keyset-page.ts'
import {
  imagesInOrder,
  imageSortOrders,
  isInOrderOfTypes,
  isListed,
  type ImageFilters,
  orderColumns,
  type SortOrder,
} from './image-list-filters.ts'

/** Rows per batch, shared by the terms of a query: a few milliseconds. */
const batchSize = 2000
/** Of the first batch, which suffices for the first page of a list that includes most rows. */
const firstBatchSize = 250

export interface SortedImageQuery extends ImageFilters {
  sort: SortOrder
  /** The cursor: rows after it are part of the page. */
  after?: Cursor | undefined
}

/** What a list needs of its images before it reads the rows of a page. */
export interface SortedImage {
  id: string
  width: number
  height: number
  /** Of the sort column. */
  value: string | number
}

/**
 * Yields the list of an owner, or with `ownerId` null of everyone, in order; each image with whether
 * it comes after the cursor. The filters are not a condition of the query, because a batch of a rare
 * kind would scan the whole table; only deleted images are not read. Other requests run between two batches.
 * @param from skips the rows up to there. Default: none
 */
export async function* readImageBatches(
  deps: Deps,
  ownerId: string | null,
  { sort, after, ...filters }: SortedImageQuery,
  from?: Cursor,
): AsyncGenerator<(SortedImage & { isAfter: 0 | 1 })[]> {
  const { by, direction } = imageSortOrders[sort]
  const [column, id] = orderColumns(sort)
  let rows = selectSorted(deps, ownerId, { sort, after })
    .select((row) => flag(row, isListed(deps, filters, ownerId, true)(row)).as('isListed'))
    .where('undo_until', 'is', null)
    .orderBy(sql.ref(column), direction)
    .orderBy(sql.ref(id), direction)
  // The index of expiry has the deleted ones too, all in the past.
  if (by === 'expires_at') rows = rows.where('expires_at', '>', deps.now())
  if (filters.type && isInOrderOfTypes(ownerId, { ...filters, sort })) rows = rows.where('format', '=', filters.type)
  let last = from
  const nextSize = Math.ceil(batchSize / Math.max(1, filters.terms?.length ?? 0))
  for (let size = Math.min(firstBatchSize, nextSize); ; size = nextSize) {
    const batch = last ? rows.where(isAfterCursor(sort, last)) : rows
    // Both databases read a stored result in its order. Rows that are not listed cost nothing here: of a list with few, a tenth.
    const { rows: found } = await sql<SortedImage & { isAfter: 0 | 1; isLast: 0 | 1 }>`
      with batch as materialized ${batch.limit(size)}
      select id, width, height, value, "isAfter", 0 as "isLast" from batch where "isListed" = 1
      union all select id, width, height, value, "isAfter", 1 from (
        select * from batch limit 1 offset ${size - 1}) as whole`.execute(deps.db)
    last = found.find(({ isLast }) => isLast === 1)
    yield last ? found.slice(0, -1) : found
    if (!last) return
    await setImmediate()
  }
}

/** Selects the images of an owner, or all, each with whether it comes after the cursor. */
export const selectSorted = (
  { db }: Deps,
  ownerId: string | null,
  { sort, after }: Pick<SortedImageQuery, 'sort' | 'after'>,
) =>
  imagesInOrder(db, sort, ownerId)
    .select(['id', 'width', 'height', sql.ref<string | number>(orderColumns(sort)[0]).as('value')])
    .select((row) => flag(row, after && isAfterCursor(sort, after)(row)).as('isAfter'))

/** Whether a row comes after another one in this order. */
export function isAfterCursor(sort: SortOrder, { value, id }: Cursor) {
  const [column, idColumn] = orderColumns(sort)
  const isAfter = imageSortOrders[sort].direction === 'asc' ? sql`>` : sql`<`
  return (_: ExpressionBuilder<Schema, 'images'>) =>
    sql<SqlBool>`(${sql.ref(column)}, ${sql.ref(idColumn)}) ${isAfter} (${value}, ${id})`
}

/** 1 where the condition holds, and without one. */
const flag = (row: ExpressionBuilder<Schema, 'images'>, condition: Expression<SqlBool> = row.lit(true)) =>
  row
    .case()
    .when(condition)
    .then(1 as const)
    .else(0 as const)
    .end()
