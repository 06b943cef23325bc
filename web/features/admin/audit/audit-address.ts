// The filters of the audit log in the address of the admin page.
import { type AuditAction, auditActions } from '../../../../contract/plain/audit-actions.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import type { AuditQuery } from './admin-audit.ts'
import { searchOf } from '../admin-address.ts'

/** Ignores invalid values: an address is untrusted. */
export function auditQueryOf(search: string): AuditQuery {
  const given = new URLSearchParams(search)
  const text = (name: string) => (given.get(name) ?? '').slice(0, limits.audit.maxFilterLength)
  const action = given.get('action') ?? ''
  return {
    actor: text('actor'),
    action: isAction(action) ? action : undefined,
    target: text('target'),
    from: dayOf(given.get('from')),
    to: dayOf(given.get('to')),
  }
}

export const searchOfAudit = (query: AuditQuery) => searchOf('audit', { ...query })

const isAction = (name: string): name is AuditAction => Object.hasOwn(auditActions, name)

/** A day of four-digit years, as a date field has it. */
const dayOf = (text: string | null) =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
