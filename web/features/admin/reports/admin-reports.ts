// Reported images for admins, page by page, and the decisions about them.
import type { Client } from '../../../../contract/derive/client.ts'
import { reportLimits } from '../../../../contract/plain/moderation-limits.ts'
import { ApiError } from '../../../model/api-error.ts'
import { client } from '../../../model/http.ts'
import { openReportCount } from '../../../model/open-reports.ts'
import { queryClient, refresh, updateCached } from '../../../model/query-client.ts'
import { pagedList, withoutRows } from '../../../model/row-list.ts'

export type ReportStatus = 'open' | 'decided'
export type ReportAction = Parameters<Client['decideReport']>[0]['body']['action']

/** Each entry has a picture and up to 20 reports. */
const pageSize = 20

export const reportList = (status: ReportStatus) =>
  pagedList(['reports', status], async (cursor) => {
    const page = await client.listReports({ query: { status, cursor, limit: String(pageSize) } })
    if (status === 'open') queryClient.setQueryData(openReportCount.queryKey, page.total)
    return page
  })

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
  updateCached(reportList('open'), (list) => withoutRows(list, ({ id }) => ids.includes(id)))
  void refresh(openReportCount)
  void refresh(reportList('decided'))
}
