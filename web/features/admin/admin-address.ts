// The tab and filters of the admin page in its address, for reloads, links and going back.
import { type AuditAction, auditActions } from '../../../contract/plain/audit-actions.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { moderationLimits } from '../../../contract/plain/moderation-limits.ts'
import type { AuditQuery } from './audit/admin-audit.ts'
import type { AdminImageQuery } from './images/admin-images.ts'
import type { ReportStatus } from './reports/admin-reports.ts'
import { type BlocklistQuery, lists } from './blocklist/blocklists.ts'
import type { UserQuery } from './users/admin-users.ts'

export const tabs = [
  'overview',
  'users',
  'invites',
  'images',
  'reports',
  'blocklist',
  'backups',
  'cleanup',
  'audit',
] as const
export type Tab = (typeof tabs)[number]
export const roles = ['user', 'admin'] as const
export const statuses = ['Active', 'Inactive'] as const

/** Ignores invalid values: an address is untrusted. */
export function tabOf(search: string): Tab {
  const given = new URLSearchParams(search).get('tab')
  return tabs.find((tab) => tab === given) ?? 'overview'
}

export function userQueryOf(search: string): UserQuery {
  const given = new URLSearchParams(search)
  return {
    q: (given.get('q') ?? '').slice(0, limits.list.maxSearchLength),
    role: roles.find((role) => role === given.get('role')),
    status: statuses.find((status) => status === given.get('status')),
  }
}

export function imageQueryOf(search: string): AdminImageQuery {
  const given = new URLSearchParams(search)
  return {
    q: (given.get('q') ?? '').slice(0, moderationLimits.maxSearchLength),
    status: given.get('status') === 'quarantined' ? 'quarantined' : undefined,
  }
}

export const reportStatusOf = (search: string): ReportStatus =>
  new URLSearchParams(search).get('status') === 'decided' ? 'decided' : 'open'

export function blocklistQueryOf(search: string): BlocklistQuery {
  const given = new URLSearchParams(search)
  return {
    list: lists.find((list) => list === given.get('list')) ?? 'images',
    q: (given.get('q') ?? '').slice(0, moderationLimits.maxSearchLength),
  }
}

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

const isAction = (name: string): name is AuditAction => Object.hasOwn(auditActions, name)

/** A day of four-digit years, as a date field has it. */
const dayOf = (text: string | null) =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''

/** Of another tab: the filters of a list do not belong to it. */
export const searchOfTab = (tab: Tab) => (tab === 'overview' ? '' : `?tab=${tab}`)

export const searchOfUsers = ({ q, role, status }: UserQuery) => searchOf('users', { q, role, status })
export const searchOfBlocks = ({ list, q }: BlocklistQuery) => searchOf('blocklist', { list, q })
export const searchOfImages = ({ q, status }: AdminImageQuery) => searchOf('images', { q, status })
export const searchOfReports = (status: ReportStatus) =>
  searchOf('reports', { status: status === 'open' ? undefined : status })
export const searchOfAudit = (query: AuditQuery) => searchOf('audit', { ...query })

/** Of a tab with filters; those without a value are left out. */
export function searchOf(tab: Tab, filters: Record<string, string | undefined>): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')
  return `?${new URLSearchParams([['tab', tab], ...(given as [string, string][])]).toString()}`
}
