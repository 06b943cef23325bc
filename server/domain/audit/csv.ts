// Audit entries as CSV (RFC 4180).
import type { AuditEntry } from '../../../contract/endpoints/audit.ts'
import { csvCell } from '../shared/csv-cell.ts'

const columns = [
  'id',
  'created_at',
  'action',
  'actor',
  'actor_email',
  'target',
  'target_label',
  'address',
  'details',
] as const satisfies (keyof AuditEntry)[]

/** @param entry null for the line with the names of the columns */
export function toCsvLine(entry: AuditEntry | null): string {
  const cells = columns.map((column) => (entry === null ? column : cellOf(entry[column])))
  return `${cells.join(',')}\r\n`
}

function cellOf(value: AuditEntry[keyof AuditEntry]): string {
  return csvCell(typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? ''))
}
