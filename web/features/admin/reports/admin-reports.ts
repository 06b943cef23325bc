// Reported images for admins, page by page, and the decisions about them.
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'
import type { Client, List } from '../../../../contract/derive/client.ts'
import { reportLimits } from '../../../../contract/plain/moderation-limits.ts'
import type { ReportCase } from '../../../../contract/endpoints/reports.ts'
import { ApiError } from '../../../model/api-error.ts'
import { client } from '../../../model/http.ts'
import { queryClient, refresh, updateCached } from '../../../model/query-client.ts'

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
  leaveQueue([id])
}

/** @returns how many cases were open. Those of a request that succeeded leave the list even if a later one fails. */
export async function dismissReports(ids: readonly string[], note: string): Promise<number> {
  let dismissed = 0
  for (let at = 0; at < ids.length; at += reportLimits.maxDismissed) {
    const caseIds = ids.slice(at, at + reportLimits.maxDismissed)
    dismissed += (await client.dismissReports({ body: { caseIds, note } })).dismissed
    leaveQueue(caseIds)
  }
  return dismissed
}

function leaveQueue(ids: readonly string[]): void {
  updateCached(reportList('open'), (pages) => withoutCases(pages, new Set(ids)))
  void refresh(reportList('decided'))
}

export function withoutCases({ pages, pageParams }: Pages, ids: ReadonlySet<string>): Pages {
  const removed = pages.flatMap(({ items }) => items).filter(({ id }) => ids.has(id)).length
  return {
    pageParams,
    pages: pages.map(({ items, total, next }) => ({
      items: items.filter(({ id }) => !ids.has(id)),
      total: total - removed,
      next,
    })),
  }
}
