// The audit log: who did what to whom, when and from where (docs/api.md).
import { z } from 'zod'
import { type AuditAction, auditActions, otherActors } from '../plain/audit-actions.ts'
import { endpoint } from './endpoint.ts'
import { limits } from '../plain/limits.ts'
import { example, pageCursor, pageLimit, sampleIds, timestamp } from './schema-parts.ts'

const others = Object.keys(otherActors).join(', ')
const email = z.string().nullable().meta(example('ada@example.com'))

const entry = z
  .strictObject({
    id: z.string().meta(example('x2Lm9sTqWb4YcVd7RkPa1g')),
    created_at: timestamp,
    action: z.enum(Object.keys(auditActions) as [AuditAction, ...AuditAction[]]).meta(example('image_deleted')),
    actor: z.string().meta(example(sampleIds.user, `Id of the account that acted, or one of ${others}`)),
    actor_email: email.describe('Email at that time; null: not an account'),
    target: z.string().nullable().meta(example(sampleIds.image, 'Id of what was acted on')),
    target_label: z.string().nullable().describe('Its name, such as the email of an account'),
    address: z
      .string()
      .nullable()
      .meta(example('203.0.113.7', 'As LOG_ADDRESSES says; null for command_line and server')),
    details: z
      .record(z.string(), z.unknown())
      .meta(example({ owner: sampleIds.user }, 'Depends on the action, such as from and to')),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof entry>

const filterText = (description: string, sample: string) =>
  z.string().trim().max(limits.audit.maxFilterLength).optional().meta(example(sample, description))

const filters = {
  actor: filterText(`Id or email of the account that acted, or one of ${others}`, 'ada@example.com'),
  action: entry.shape.action.optional().meta(example('login_failed')),
  target: filterText('Id of what was acted on, or the email of an account', sampleIds.image),
  from: timestamp.optional().meta(example('2026-01-01T00:00:00Z', 'From this time on')),
  to: timestamp.optional().describe('Before this time').meta({ examples: [] }),
}
const query = z.strictObject(filters)
export type AuditFilters = z.output<typeof query>

export const auditFormats = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
} as const
export type AuditFormat = keyof typeof auditFormats

const common = { category: 'database', access: 'admin' } as const

export const audit = {
  listAuditEntries: endpoint({
    ...common,
    summary: 'List the audit log, newest first',
    description:
      'Paginated: the Link header (rel="next") has the URL of the next page. Filters match exactly, all of them.',
    query: query.extend({ limit: pageLimit('Entries'), cursor: pageCursor }),
    response: z.array(entry),
  }),
  exportAuditEntries: endpoint({
    ...common,
    summary: 'Export the audit log',
    description:
      'One entry per line, newest first. Needs a login or confirmation of the last 10 minutes. In CSV an apostrophe precedes what a spreadsheet would take for a formula.',
    query: query.extend({
      format: z
        .enum(Object.keys(auditFormats) as [AuditFormat, ...AuditFormat[]])
        .optional()
        .meta(example('csv', 'Default ndjson')),
    }),
    failures: ['password_required'],
    response: 'file',
    saveAs: 'audit-log.ndjson',
    fileTypes: Object.values(auditFormats),
  }),
}
