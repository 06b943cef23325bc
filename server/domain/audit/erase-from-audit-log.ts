// Removes a person from the audit log. What was done remains, with the id of the account.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type AuditAction, auditActions, type auditGroups } from '../../../contract/plain/audit-actions.ts'
import { readOldestFirst } from '../../db/read-oldest-first.ts'
import type { Schema } from '../../db/schema.ts'
import type { Account } from '../shared/caller.ts'

/** Rows per update: a few milliseconds, during which SQLite blocks the process. */
const batchSize = 500

const memberActions = ['member_invited', 'member_updated', 'member_removed'] as const satisfies AuditAction[]
/** Whose target the user has named: an album, the slug of a link, an invited address. */
const ownNames: AuditAction[] = ['album_deleted', 'link_created', 'link_updated', 'link_deleted', ...memberActions]

const isOneOf = (actions: readonly AuditAction[]) => sql<boolean>`action in (${sql.join(actions)})`
const actionsOf = (...groups: (keyof typeof auditGroups)[]) =>
  (Object.keys(auditActions) as AuditAction[]).filter((action) => groups.includes(auditActions[action].group))

/** Removes all that identifies the user of an account from the entries by it and about it. */
export async function eraseFromAuditLog(db: Kysely<Schema>, account: Account): Promise<void> {
  const { id } = account
  const emails = await emailsOf(db, account)
  // Of these the target and the details are the user's too, such as the name of a key.
  const own = actionsOf('sign_in', 'api_keys', 'webhooks')
  await eraseWhere(db, 'actor', id, {
    actor_email: null,
    address: null,
    target_label: sql`case when ${isOneOf([...own, ...ownNames])} then null else target_label end`,
    details: sql`case when ${isOneOf(own)} then '{}' else details end`,
  })
  const asTarget = {
    target_label: null,
    address: sql`case when actor = 'guest' then null else address end`,
    // Such as the old and the new email of a change.
    details: sql`case when details like '%@%' then '{}' else details end`,
  }
  await eraseWhere(db, 'target', id, asTarget)
  // Failed logins before the account existed, and invitations to albums. A former email may be another user's now.
  const namesOnlyTheEmail = sql<boolean>`(target is null or ${isOneOf(memberActions)})`
  for (const email of emails) {
    const other = db.selectFrom('users').select('id').where('email', '=', email).where('id', '!=', id)
    if (!(await other.executeTakeFirst())) await eraseWhere(db, 'target_label', email, asTarget, namesOnlyTheEmail)
  }
  // What others did to the keys and webhooks of the user.
  const isOwner = sql<boolean>`details like ${`%"${id}"%`}`
  for (const action of actionsOf('api_keys', 'webhooks'))
    await eraseWhere(db, 'action', action, { target_label: null }, isOwner)
}

/** Returns the present and the former emails of the account. */
async function emailsOf(db: Kysely<Schema>, { id, email }: Account): Promise<Set<string>> {
  const log = db.selectFrom('audit_log').distinct()
  const asActor = await log.select('actor_email as email').where('actor', '=', id).execute()
  const asTarget = await log.select('target_label as email').where('target', '=', id).execute()
  return new Set([email, ...[...asActor, ...asTarget].flatMap((row) => row.email ?? [])])
}

/** In batches, found by an index that has their order. */
async function eraseWhere(
  db: Kysely<Schema>,
  column: 'actor' | 'target' | 'target_label' | 'action',
  value: string,
  erased: object,
  condition: RawBuilder<boolean> = sql`1 = 1`,
): Promise<void> {
  const entries = db
    .selectFrom('audit_log')
    .select(['id', 'created_at'])
    .where(column, '=', value as never)
    .where(condition)
  for await (const rows of readOldestFirst(() => entries, batchSize)) {
    const ids = rows.map(({ id }) => id)
    await db.updateTable('audit_log').set(erased).where('id', 'in', ids).execute()
  }
}
