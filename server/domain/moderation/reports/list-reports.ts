// Lists reported images with their reports, for admins.
import type { Input } from '../../../../contract/endpoints/api.ts'
import { reportLimits } from '../../../../contract/plain/moderation-limits.ts'
import type { ReportCase } from '../../../../contract/endpoints/reports.ts'
import type { ReportCasesTable } from '../../../db/schema.ts'
import type { RequestOrigin } from '../../shared/caller.ts'
import type { Deps, ResponseOrigins } from '../../shared/deps.ts'
import { type Page, readPage } from '../../shared/keyset-page.ts'
import { mayBeServed } from '../../images/deletion/deletion-states.ts'
import { findOwners, toModeratedImages } from '../../images/lists/list-all-images.ts'

type Origins = ResponseOrigins & Pick<RequestOrigin, 'address'>

const lists = {
  open: { by: 'opened_at', direction: 'asc', isDecided: 'is' },
  decided: { by: 'decided_at', direction: 'desc', isDecided: 'is not' },
} as const

/**
 * Open cases, the oldest first; decided ones, the newest decision first.
 * @throws {Failure} invalid_input: an invalid cursor
 */
export async function listReports(
  deps: Deps,
  { query, ...origins }: Origins & Pick<Input<'listReports'>, 'query'>,
): Promise<Page<ReportCase>> {
  const { status = 'open', limit = reportLimits.maxPage, cursor } = query
  const { by, direction, isDecided } = lists[status]
  const cases = deps.db.selectFrom('report_cases').where('decided_at', isDecided, null)
  const found = await readPage(cases.selectAll(), cases, {
    limit,
    cursor,
    sort: status,
    by: [by, 'id'],
    direction,
    keyOf: (row) => ({ value: row[by] ?? 0, id: row.id }),
    show: (row) => row,
  })
  return { ...found, items: await toReportCases(deps, found.items, origins) }
}

async function toReportCases(deps: Deps, cases: ReportCasesTable[], origins: Origins): Promise<ReportCase[]> {
  if (cases.length === 0) return []
  const [imageOf, reportsOf, userOf] = await Promise.all([
    findImages(deps, cases, origins),
    findReports(deps, cases),
    findOwners(deps, [...cases, ...cases.map(({ decided_by }) => ({ owner_id: decided_by }))]),
  ])
  return cases.map((row) => ({
    id: row.id,
    image_id: row.image_id,
    original_name: row.original_name,
    image: imageOf.get(row.image_id) ?? null,
    owner: userOf.get(row.owner_id) ?? null,
    opened_at: new Date(row.opened_at).toISOString(),
    count: row.report_count,
    reports: reportsOf.get(row.id) ?? [],
    decision: decisionOf(row, userOf.get(row.decided_by)?.email ?? null),
  }))
}

async function findImages(deps: Deps, cases: ReportCasesTable[], origins: Origins) {
  const rows = await deps.db
    .selectFrom('images')
    .selectAll()
    .where(
      'id',
      'in',
      cases.map(({ image_id }) => image_id),
    )
    .where(mayBeServed(deps.now()))
    .execute()
  const images = await toModeratedImages(deps, rows, origins)
  return new Map(images.map((image) => [image.id, image]))
}

async function findReports({ db }: Deps, cases: ReportCasesTable[]): Promise<Map<string, ReportCase['reports']>> {
  const rows = await db
    .selectFrom('reports')
    .selectAll()
    .where(
      'case_id',
      'in',
      cases.map(({ id }) => id),
    )
    .orderBy('case_id')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const byCase = new Map<string, ReportCase['reports']>(cases.map(({ id }) => [id, []]))
  for (const { case_id, reason, comment, email, created_at } of rows)
    byCase.get(case_id)?.push({ reason, comment, email, created_at: new Date(created_at).toISOString() })
  return byCase
}

const decisionOf = (
  { decision: action, note, decided_at }: ReportCasesTable,
  by: string | null,
): ReportCase['decision'] =>
  action === null || decided_at === null
    ? null
    : { action, note: note ?? '', by, decided_at: new Date(decided_at).toISOString() }
