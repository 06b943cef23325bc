import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { troubleOf } from '../../model/api-error.ts'
import { common } from '../../texts/messages.ts'
import { moreRows } from '../../texts/admin/admin-messages.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'

interface Props {
  list: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >
  failed: string
  /** How many of all are shown, where that is known. */
  shown?: string
  /** Called when the next page is in the table. */
  onMore: () => void
}

/** Below a table: loads its next page, or shows why that failed. */
export function MoreRows({ list, failed, shown, onMore }: Props) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error } = list

  async function showMore(): Promise<void> {
    if (isFetchingNextPage) return
    const { isError } = await list.fetchNextPage()
    if (!isError) requestAnimationFrame(onMore)
  }

  if (isFetchNextPageError) return <LoadFailure title={failed} {...troubleOf(error)} onRetry={showMore} isBar />
  if (!hasNextPage) return null
  return (
    <div className="flex flex-wrap items-center justify-center gap-4">
      {shown !== undefined && <p className="text-dense text-text-2 tabular-nums">{shown}</p>}
      <button
        type="button"
        className="btn btn-quiet"
        aria-disabled={isFetchingNextPage}
        onClick={() => void showMore()}
      >
        {isFetchingNextPage ? common.loading : moreRows}
      </button>
    </div>
  )
}
