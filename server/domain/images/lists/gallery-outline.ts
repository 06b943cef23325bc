// The outline of a list: the aspect ratios of all its images, and the cursor of each page.
import type { Input } from '../../../../contract/endpoints/api.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import type { UserCaller } from '../../shared/caller.ts'
import type { Deps, RequestContext } from '../../shared/deps.ts'
import { type Cursor, writeCursor } from '../../shared/keyset-page.ts'
import { readQuery } from './image-list-filters.ts'
import { readImageBatches, type SortedImageQuery } from './image-batches.ts'
import { findByIndex, isLongSearch } from './search-by-index.ts'

/** @throws {Failure} invalid_input: as readQuery */
export async function outlineImages(
  deps: Deps,
  { caller, query: { q, ...query } }: RequestContext<UserCaller> & Pick<Input<'outlineImages'>, 'query'>,
): Promise<{ ratios: number[]; cursors: string[] }> {
  const { maxOutline, outlinePage } = limits.list
  const sort = query.sort ?? 'newest'
  const ratios: number[] = []
  const cursors: string[] = []
  let before: Cursor | undefined
  const terms = await readQuery(deps, caller.account.id, q)
  for await (const rows of readOutlined(deps, caller, { ...query, ...terms, sort })) {
    for (const { width, height, value, id } of rows) {
      if (ratios.length === maxOutline) return { ratios, cursors }
      // A page is addressed by the end of the page before it.
      if (before && ratios.length % outlinePage === 0) cursors.push(writeCursor(sort, before))
      ratios.push(Math.round((100 * width) / Math.max(1, height)))
      before = { value, id }
    }
  }
  return { ratios, cursors }
}

/** Yields the list in order: what an index finds at once, else in batches. */
async function* readOutlined(deps: Deps, { account }: UserCaller, query: SortedImageQuery) {
  const scope = { ownerId: account.id, storedImages: account.image_count }
  const found = isLongSearch(scope, query) ? await findByIndex(deps, scope, query) : 'unknown'
  if (typeof found === 'string') return yield* readImageBatches(deps, account.id, query)
  yield found.images
}
