// Reads a whole list in batches: a query of a whole gallery would block SQLite's process.
import { setImmediate } from 'node:timers/promises'
import type { ExpressionBuilder } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Cursor } from '../keyset-page.ts'
import { isListed, type ImageFilters, imageSortOrders } from './image-list-filters.ts'

/** Rows per query: a few milliseconds. */
const batchSize = 2000

export interface SortedImageQuery extends ImageFilters {
  sort: keyof typeof imageSortOrders
  /** The cursor: rows after it are part of the page. */
  after?: Cursor | undefined
}

/**
 * Yields all rows of an owner in order, or with `ownerId` null those of everyone, each with whether the list includes it. The filters are
 * not a condition of the query, because a batch of a rare kind would scan the whole table. Other
 * requests run between two batches.
 */
export async function* readImageBatches(
  deps: Deps,
  ownerId: string | null,
  { sort, after, ...filters }: SortedImageQuery,
) {
  const { by, direction } = imageSortOrders[sort]
  const now = deps.now()
  const comparison = direction === 'asc' ? '>' : '<'
  const isBehind =
    ({ value, id }: Cursor) =>
    (where: ExpressionBuilder<Schema, 'images'>) =>
      where(where.refTuple(by, 'id'), comparison, where.tuple(value as never, id))
  let rows = deps.db
    .selectFrom('images')
    .select(['id', 'width', 'height', `${by} as value`])
    .select((image) => image.case().when(isListed(now, filters)(image)).then(1).else(0).end().as('isListed'))
    .select((image) => {
      const isAfter = after ? isBehind(after)(image) : image.lit(true)
      return image.case().when(isAfter).then(1).else(0).end().as('isAfter')
    })
    .orderBy(by, direction)
    .orderBy('id', direction)
    .limit(batchSize)
  if (ownerId !== null) rows = rows.where('owner_id', '=', ownerId)
  let batch = await rows.execute()
  while (batch.length > 0) {
    yield batch
    const last = batch.at(-1)
    if (batch.length < batchSize || !last) return
    await setImmediate()
    batch = await rows.where(isBehind(last)).execute()
  }
}
