// The end of reports: of images that are gone, and a year after the decision.
import { reportLimits } from '../../../../contract/plain/moderation-limits.ts'
import type { Deps } from '../../shared/deps.ts'

/**
 * Closes cases whose image no longer exists, so that they do not fill the queue, and deletes decided
 * ones with their reports a year after the decision.
 * @param now UTC milliseconds of the trusted clock
 */
export async function sweepReports(
  { db }: Pick<Deps, 'db'>,
  now: number,
): Promise<{ closedReportCases: number; reportCases: number }> {
  const { numUpdatedRows } = await db
    .updateTable('report_cases')
    .set({ decision: 'image_gone', note: '', decided_at: now })
    .where('decided_at', 'is', null)
    // The row of a deleted image remains until the deletion cannot be undone any more.
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('images').select('id').whereRef('images.id', '=', 'report_cases.image_id'))),
    )
    .executeTakeFirst()
  const { numDeletedRows } = await db
    .deleteFrom('report_cases')
    .where('decided_at', '<', now - reportLimits.decidedRetentionMs)
    .executeTakeFirst()
  return { closedReportCases: Number(numUpdatedRows), reportCases: Number(numDeletedRows) }
}
