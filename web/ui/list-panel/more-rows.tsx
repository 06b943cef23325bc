import { common } from '../../texts/messages.ts'
import { lists } from '../../texts/list-messages.ts'
import { LoadFailure, type Trouble } from '../load-failure.tsx'

export interface NextPage {
  exists: boolean
  isLoading: boolean
  trouble: Trouble | undefined
  /** @returns whether its rows are in the list */
  load: () => Promise<boolean>
}

interface Props {
  page: NextPage
  failed: string
  shown: number
  /** Of all rows, where it is known. */
  total: number | undefined
  /** Called when the next page is in the list. */
  onMore: () => void
}

/** Below the rows: loads the next page, or shows why that failed. */
export function MoreRows({ page: { exists, isLoading, trouble, load }, failed, shown, total, onMore }: Props) {
  async function showMore(): Promise<void> {
    if (!isLoading && (await load())) onMore()
  }

  if (trouble !== undefined) return <LoadFailure title={failed} {...trouble} onRetry={showMore} isBar />
  if (!exists) return null
  return (
    <div className="flex flex-wrap items-center justify-center gap-4">
      {total !== undefined && <p className="text-dense text-text-2 tabular-nums">{lists.shown(shown, total)}</p>}
      <button type="button" className="btn btn-quiet" aria-disabled={isLoading} onClick={() => void showMore()}>
        {isLoading ? common.loading : lists.more}
      </button>
    </div>
  )
}
