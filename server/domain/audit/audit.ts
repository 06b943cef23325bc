// Writes the audit log: who did what to whom, when and from where (docs/decisions/0032).
import type { AuditAction, OtherActor } from '../../../contract/plain/audit-actions.ts'
import type { AuditLogTable } from '../../db/schema.ts'
import { loggedAddress } from '../shared/address-privacy.ts'
import type { Account, Caller } from '../shared/caller.ts'
import type { Deps, InTransaction } from '../shared/deps.ts'
import { newId } from '../shared/secrets.ts'

/**
 * 'command_line' is a command of the operator, 'server' a job or the start. An account that is no
 * caller yet, as at a login, is enough.
 */
export type AuditActor = Caller | Pick<Account, 'id' | 'email'> | Exclude<OtherActor, 'guest'>

/** Who acts, and from where: a part of the request context. */
export interface AuditOrigin {
  actor: AuditActor
  /** As RequestContext has it; undefined for the command line and the server. */
  address?: string | undefined
}

export interface AuditEvent extends AuditOrigin {
  action: AuditAction
  /** The id of what was acted on, and how people know it, such as the email of an account. */
  target?: { id?: string | undefined; label?: string | undefined }
  /** JSON, at most some kilobytes. Never a secret, a password or the content of a document. */
  details?: Record<string, unknown>
}

export type AuditDeps = Pick<Deps, 'config' | 'db' | 'now' | 'randomBytes' | 'addressKey'>

/** Writes entries in the transaction that does what they describe: neither exists without the other. */
export const audit = (deps: InTransaction<AuditDeps>, ...entries: AuditEvent[]): Promise<void> =>
  writeEntries(deps, entries)

/** Writes the entry of what changes no row, such as a download or a failed login, or takes longer than a transaction may. */
export const auditAlone = (deps: AuditDeps, entry: AuditEvent): Promise<void> => writeEntries(deps, [entry])

async function writeEntries(deps: AuditDeps, entries: AuditEvent[]): Promise<void> {
  if (entries.length === 0) return
  await deps.db
    .insertInto('audit_log')
    .values(entries.map((entry) => toRow(deps, entry)))
    .execute()
}

function toRow(deps: AuditDeps, { actor, action, target, address, details }: AuditEvent): AuditLogTable {
  const by = describeActor(actor)
  return {
    id: newId(deps),
    created_at: deps.now(),
    action,
    actor: by.id,
    actor_email: by.email,
    target: target?.id ?? null,
    target_label: target?.label ?? null,
    address: address === undefined ? null : loggedAddress(deps, address),
    details: JSON.stringify({ ...details, ...(by.apiKey === undefined ? {} : { apiKey: by.apiKey }) }),
  }
}

function describeActor(actor: AuditActor): { id: string; email: string | null; apiKey?: string } {
  if (typeof actor === 'string') return { id: actor, email: null }
  if (!('kind' in actor)) return { id: actor.id, email: actor.email }
  if (actor.kind === 'guest') return { id: 'guest', email: null }
  const { account, by } = actor
  return { id: account.id, email: account.email, ...('apiKeyId' in by ? { apiKey: by.apiKeyId } : {}) }
}

/** The actor as entries and log lines name it: an account by its id, 'command_line'. */
export const actorIdOf = (actor: AuditActor): string => describeActor(actor).id

/** The account of an actor; null for a guest, a command and the server. */
export function accountIdOf(actor: AuditActor): string | null {
  if (typeof actor === 'string') return null
  if (!('kind' in actor)) return actor.id
  return actor.kind === 'user' ? actor.account.id : null
}

/** An account as the target of an entry. */
export const targetUser = ({ id, email }: Pick<Account, 'id' | 'email'>) => ({ id, label: email })
