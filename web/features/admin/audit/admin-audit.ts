// The audit log, newest first, page by page, and its export.
import type { AuditFilters, AuditFormat } from '../../../../contract/endpoints/audit.ts'
import type { AuditAction } from '../../../../contract/plain/audit-actions.ts'
import { auditExportPath } from '../../../../contract/derive/client.ts'
import { client, send } from '../../../model/http.ts'
import { pagedList } from '../../../model/row-list.ts'
import { audit } from '../../../texts/admin/admin-messages.ts'

export interface AuditQuery {
  actor: string
  action: AuditAction | undefined
  target: string
  /** First and last day in the reader's time zone, such as `2026-11-22`; empty: no limit. */
  from: string
  to: string
}
export const wholeLog: AuditQuery = { actor: '', action: undefined, target: '', from: '', to: '' }
export const isWholeLog = ({ actor, action, target, from, to }: AuditQuery) =>
  action === undefined && [actor, target, from, to].every((text) => text === '')

export const auditList = (query: AuditQuery) =>
  pagedList(['audit', query], (cursor) => client.listAuditEntries({ query: { ...toFilters(query), cursor } }))

export async function exportAuditLog(
  query: AuditQuery,
  format: AuditFormat,
): Promise<{ bytes: Blob; fileName: string }> {
  const response = await send({ method: 'GET', path: auditExportPath({ ...toFilters(query), format }) })
  const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')
  return { bytes: await response.blob(), fileName: named?.[1] ?? `audit-log.${format}` }
}

export const toFilters = ({ actor, action, target, from, to }: AuditQuery): AuditFilters => ({
  actor: actor === '' ? undefined : actor,
  action,
  target: target === '' ? undefined : target,
  from: from === '' ? undefined : startOfDay(from, 0),
  to: to === '' ? undefined : startOfDay(to, 1),
})

/** The instant at which a local day begins, `later` days after `day`. */
function startOfDay(day: string, later: number): string {
  // Without a zone a date and time is local. Days of a clock change have 23 or 25 hours.
  const start = new Date(`${day}T00:00`)
  start.setDate(start.getDate() + later)
  return start.toISOString()
}

/**
 * The details of an entry as one line of text, such as `from: user, to: admin`, and `email: from a@example.com to b@example.com`. Values that are
 * not set are left out.
 */
export function detailsText(details: Record<string, unknown>): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(
      ([name, value]) => `${nameText(name)}: ${name === 'to' && value === 'trash' ? audit.toTrash : valueText(value)}`,
    )
    .join(', ')
}

/** Words, except of settings, which are written as in the environment. */
const nameText = (name: string) =>
  /^[A-Z\d_]+$/.test(name) ? name : name.replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null) return 'none'
  if (Array.isArray(value)) return value.map(valueText).join(' ')
  if (isChange(value)) return `from ${valueText(value.from)} to ${valueText(value.to)}`
  return JSON.stringify(value)
}

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value
