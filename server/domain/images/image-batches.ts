// A list from end to end, in batches: SQLite answers while everyone else waits, so nobody's gallery may be one question.
import { setImmediate } from 'node:timers/promises'
import type { ExpressionBuilder } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { UserCaller } from '../caller.ts'
import type { Deps } from '../deps.ts'
import type { Cursor } from '../keyset-page.ts'
import { isListed, type ImageFilters, orders } from './image-list-filters.ts'

/** Rows read at once: these are a few milliseconds. */
const batchSize = 2000

export interface Walk extends ImageFilters {
  sort: keyof typeof orders
  /** Rows are told apart by whether they come behind it. */
  after?: Cursor | undefined
}

/**
 * All rows of the owner in order, each with whether the list shows it. The filters are no condition, or a batch of a rare kind
 * would read the whole table at once. Between two batches everyone else has a turn.
 */
export async function* readImageBatches(deps: Deps, { account }: UserCaller, { sort, after, ...filters }: Walk) {
  const { by, direction } = orders[sort]
  const now = deps.now()
  const comparison = direction === 'asc' ? '>' : '<'
  const isBehind =
    ({ value, id }: Cursor) =>
    (where: ExpressionBuilder<Schema, 'images'>) =>
      where(where.refTuple(by, 'id'), comparison, where.tuple(value as never, id))
  const rows = deps.db
    .selectFrom('images')
    .select(['id', 'width', 'height', `${by} as value`])
    .select((image) => image.case().when(isListed(now, filters)(image)).then(1).else(0).end().as('isListed'))
    .select((image) => {
      const isAfter = after ? isBehind(after)(image) : image.lit(true)
      return image.case().when(isAfter).then(1).else(0).end().as('isAfter')
    })
    .where('owner_id', '=', account.id)
    .orderBy(by, direction)
    .orderBy('id', direction)
    .limit(batchSize)
  let batch = await rows.execute()
  while (batch.length > 0) {
    yield batch
    const last = batch.at(-1)
    if (batch.length < batchSize || !last) return
    await setImmediate()
    batch = await rows.where(isBehind(last)).execute()
  }
}
