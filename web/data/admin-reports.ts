// Reported images for admins, page by page, and the decisions about them.
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'
import type { Client, List } from '../../contract/client.ts'
import type { ReportCase } from '../../contract/reports.ts'
import { ApiError } from './api-error.ts'
import { client } from './http.ts'
import { queryClient, refresh, updateCached } from './query-client.ts'

export type ReportStatus = 'open' | 'decided'
export type ReportAction = Parameters<Client['decideReport']>[0]['body']['action']
type Pages = InfiniteData<List<ReportCase>>

/** Each entry has a picture and up to 20 reports. */
const pageSize = 20

const reportList = (status: ReportStatus) =>
  infiniteQueryOptions({
    queryKey: ['reports', status],
    queryFn: ({ pageParam: cursor }) => client.listReports({ query: { status, cursor, limit: String(pageSize) } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    select: mergeReportPages,
  })

/** While the other list loads, this one stays. */
export const useReports = (status: ReportStatus) => useInfiniteQuery(reportList(status), queryClient)

/** The entries of the loaded pages, and how many there are on all pages. */
export function mergeReportPages({ pages }: Pages): { cases: ReportCase[]; total: number } {
  return { cases: pages.flatMap(({ items }) => items), total: pages.at(-1)?.total ?? 0 }
}

export async function decideReport(id: string, action: ReportAction, note: string): Promise<void> {
  try {
    await client.decideReport({ params: { caseId: id }, body: { action, note } })
  } catch (error) {
    // Another admin was faster, or the image no longer exists: the list is out of date.
    if (error instanceof ApiError && error.status !== 400) void refresh({ queryKey: ['reports'] })
    throw error
  }
  updateCached(reportList('open'), (pages) => withoutCase(pages, id))
  void refresh(reportList('decided'))
}

export function withoutCase({ pages, pageParams }: Pages, id: string): Pages {
  const isListed = pages.some(({ items }) => items.some((item) => item.id === id))
  return {
    pageParams,
    pages: pages.map(({ items, total, next }) => ({
      items: items.filter((item) => item.id !== id),
      total: total - (isListed ? 1 : 0),
      next,
    })),
  }
}
