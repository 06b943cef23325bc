import type { ReportReason } from '../../../../contract/plain/report-reasons.ts'
import type { Deps } from '../../shared/deps.ts'

/** @returns the distinct reasons of each case, in alphabetical order */
export async function findCaseReasons(
  { db }: Pick<Deps, 'db'>,
  caseIds: string[],
): Promise<Map<string, ReportReason[]>> {
  const rows = await db
    .selectFrom('reports')
    .select(['case_id', 'reason'])
    .distinct()
    .where('case_id', 'in', caseIds)
    .orderBy('reason')
    .execute()
  const reasonsOf = new Map(caseIds.map((id): [string, ReportReason[]] => [id, []]))
  for (const { case_id, reason } of rows) reasonsOf.get(case_id)?.push(reason)
  return reasonsOf
}
