// The outline of a list: the aspect ratios of all its images, and the cursor of each page.
import type { Input } from '../../../contract/api.ts'
import { limits } from '../../../contract/limits.ts'
import type { UserCaller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import { type Cursor, writeCursor } from '../keyset-page.ts'
import { readImageBatches } from './image-batches.ts'

export async function outlineImages(
  deps: Deps,
  { caller, query }: RequestContext<UserCaller> & Pick<Input<'outlineImages'>, 'query'>,
): Promise<{ ratios: number[]; cursors: string[] }> {
  const { maxOutline, outlinePage } = limits.list
  const sort = query.sort ?? 'newest'
  const ratios: number[] = []
  const cursors: string[] = []
  let before: Cursor | undefined
  for await (const rows of readImageBatches(deps, caller.account.id, { ...query, sort })) {
    for (const { width, height, value, id, isListed } of rows) {
      if (!isListed) continue
      if (ratios.length === maxOutline) return { ratios, cursors }
      // A page is addressed by the end of the page before it.
      if (before && ratios.length % outlinePage === 0) cursors.push(writeCursor(sort, before))
      ratios.push(Math.round((100 * width) / Math.max(1, height)))
      before = { value, id }
    }
  }
  return { ratios, cursors }
}
