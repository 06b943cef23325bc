// Reads the audit log for admins: pages, and an export that is sent while it is read.
import { setImmediate } from 'node:timers/promises'
import type { Input } from '../../../contract/endpoints/api.ts'
import { type AuditEntry, type AuditFilters, auditFormats } from '../../../contract/endpoints/audit.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { AuditLogTable } from '../../db/schema.ts'
import type { RequestOrigin } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { csvCell } from '../shared/csv-cell.ts'
import { type Cursor, type Page, readCursor, toPage, writeCursor } from '../shared/keyset-page.ts'
import { requireRecentConfirmation } from '../shared/recent-confirmation.ts'
import type { ServedStream } from '../shared/served-stream.ts'
import { auditAlone } from './audit.ts'

/** Rows per query: about two milliseconds, during which SQLite blocks the process. */
const batchSize = 500
const sort = 'newest'

/** @throws {Failure} invalid_input: an invalid cursor */
export async function listAuditEntries(
  deps: Deps,
  { query }: Pick<Input<'listAuditEntries'>, 'query'>,
): Promise<Page<AuditEntry>> {
  const limit = query.limit ?? limits.list.defaultLimit
  const after = query.cursor === undefined ? undefined : readCursor(sort, 'number', query.cursor)
  const rows: AuditLogTable[] = []
  for await (const batch of matchingRows(deps, query, after)) {
    rows.push(...batch)
    if (rows.length > limit) break
  }
  return toPage(rows, limit, null, {
    show: toEntry,
    cursorOf: (row) => writeCursor(sort, cursorOf(row)),
  })
}

/** Is itself an entry of the log. @throws {Failure} password_required */
export async function exportAuditEntries(
  deps: Deps,
  {
    caller,
    address,
    query: { format = 'ndjson', ...filters },
  }: RequestOrigin & Pick<Input<'exportAuditEntries'>, 'query'>,
): Promise<ServedStream> {
  requireRecentConfirmation(deps, caller)
  await auditAlone(deps, { actor: caller, address, action: 'audit_exported', details: { format, ...filters } })
  const day = new Date(deps.now()).toISOString().slice(0, 10)
  const write = format === 'csv' ? toCsvLine : (entry: AuditEntry) => `${JSON.stringify(entry)}\n`
  return {
    fileName: `audit-log-${day}.${format}`,
    mime: `${auditFormats[format]}; charset=utf-8`,
    async *chunks() {
      if (format === 'csv') yield toCsvLine(null)
      for await (const batch of matchingRows(deps, filters)) yield batch.map((row) => write(toEntry(row))).join('')
    },
  }
}

/**
 * Yields the matching rows, newest first, in batches. Only the most selective filter is a condition
 * of the query, and an index has its order: a combination that hardly ever occurs would otherwise
 * scan the whole table in one blocking query. Other work runs between batches.
 */
async function* matchingRows(
  { db }: Pick<Deps, 'db'>,
  { from, to, ...filters }: AuditFilters,
  after?: Cursor,
): AsyncGenerator<AuditLogTable[]> {
  const [first, ...others] = conditionsOf(filters)
  for (let last = after; ;) {
    let query = db
      .selectFrom('audit_log')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(batchSize)
    if (first) query = query.where(first.column, '=', first.value as never)
    if (from !== undefined) query = query.where('created_at', '>=', Date.parse(from))
    if (to !== undefined) query = query.where('created_at', '<', Date.parse(to))
    if (last) {
      const { value, id } = last
      query = query.where((where) => where(where.refTuple('created_at', 'id'), '<', where.tuple(Number(value), id)))
    }
    const rows = await query.execute()
    yield rows.filter((row) => others.every(({ column, value }) => row[column] === value))
    const end = rows.at(-1)
    if (rows.length < batchSize || !end) return
    last = cursorOf(end)
    await setImmediate()
  }
}

interface Condition {
  column: 'target' | 'target_label' | 'actor' | 'actor_email' | 'action'
  value: string
}

/** The conditions of the filters, the most selective first. */
function conditionsOf({ target, actor, action }: Omit<AuditFilters, 'from' | 'to'>): Condition[] {
  const given: [ids: Condition['column'], emails: Condition['column'], value: string | undefined][] = [
    ['target', 'target_label', target],
    ['actor', 'actor_email', actor],
    ['action', 'action', action],
  ]
  return given.flatMap(([ids, emails, value = '']) => {
    if (value === '') return []
    return value.includes('@') ? { column: emails, value: value.toLowerCase() } : { column: ids, value }
  })
}

const cursorOf = ({ created_at, id }: AuditLogTable): Cursor => ({ value: created_at, id })

const toEntry = (row: AuditLogTable): AuditEntry => ({
  id: row.id,
  created_at: new Date(row.created_at).toISOString(),
  action: row.action,
  actor: row.actor,
  actor_email: row.actor_email,
  target: row.target,
  target_label: row.target_label,
  address: row.address,
  details: JSON.parse(row.details) as Record<string, unknown>,
})

const csvColumns = [
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

/** RFC 4180. @param entry null for the line with the names of the columns */
function toCsvLine(entry: AuditEntry | null): string {
  const cells = csvColumns.map((column) => (entry === null ? column : cellOf(entry[column])))
  return `${cells.join(',')}\r\n`
}

function cellOf(value: AuditEntry[keyof AuditEntry]): string {
  return csvCell(typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? ''))
}
