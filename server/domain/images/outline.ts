// The shapes of all images of a list, and where each of its pages starts.
import { setImmediate } from 'node:timers/promises'
import { limits } from '../../../contract/limits.ts'
import type { UserCaller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import { type Cursor, writeCursor } from '../page.ts'
import { type ImageListQuery, isListed, orders } from './lists.ts'

/** Rows read at once. SQLite answers while everyone else waits: these are a few milliseconds. */
const batchSize = 2000

type OutlineQuery = Omit<ImageListQuery, 'limit' | 'cursor'>

export async function outlineImages(
  deps: Deps,
  { caller, query }: RequestContext<UserCaller> & { query: OutlineQuery },
): Promise<{ ratios: number[]; cursors: string[] }> {
  const { maxOutline, outlinePage } = limits.list
  const sort = query.sort ?? 'newest'
  const ratios: number[] = []
  const cursors: string[] = []
  let before: Cursor | undefined
  for await (const rows of batchesOf(deps, caller, { ...query, sort })) {
    for (const { width, height, value, id, isListed } of rows) {
      if (!isListed) continue
      if (ratios.length === maxOutline) return { ratios, cursors }
      // A page is asked for by where the one before it ended.
      if (before && ratios.length % outlinePage === 0) cursors.push(writeCursor(sort, before))
      ratios.push(Math.round((100 * width) / Math.max(1, height)))
      before = { value, id }
    }
  }
  return { ratios, cursors }
}

/**
 * All rows of the owner in order, each with whether the list shows it. The filters are no condition, or a batch of a rare kind
 * would read the whole table at once. Between two batches everyone else has a turn.
 */
async function* batchesOf(deps: Deps, caller: UserCaller, query: OutlineQuery & { sort: keyof typeof orders }) {
  const { by, direction } = orders[query.sort]
  const now = deps.now()
  const rows = deps.db
    .selectFrom('images')
    .select(['id', 'width', 'height', `${by} as value`])
    .select((image) => image.case().when(isListed(now, query)(image)).then(1).else(0).end().as('isListed'))
    .where('owner_id', '=', caller.account.id)
    .orderBy(by, direction)
    .orderBy('id', direction)
    .limit(batchSize)
  const comparison = direction === 'asc' ? '>' : '<'
  let batch = await rows.execute()
  while (batch.length > 0) {
    yield batch
    const last = batch.at(-1)
    if (batch.length < batchSize || !last) return
    await setImmediate()
    batch = await rows
      .where((where) => where(where.refTuple(by, 'id'), comparison, where.tuple(last.value as never, last.id)))
      .execute()
  }
}
