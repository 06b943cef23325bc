// Invitations, with which people register where not everyone may, or with another role.
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Invite } from '../../../contract/endpoints/invites.ts'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { paths } from '../../../contract/plain/page-paths.ts'
import { countRows } from '../../db/count-rows.ts'
import type { InvitesTable } from '../../db/schema.ts'
import { audit } from '../audit/audit.ts'
import type { RequestOrigin } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { hashSecret, newId, newSecret } from '../shared/secrets.ts'
import { throttleFailures } from '../shared/throttle.ts'
import { confirmRecently } from './confirm-password.ts'

const { max, defaultDays } = accountLimits.invites

/** The role admin requires the password, or a recent login. @throws {Failure} password_required, wrong_password, busy; too_many_invites */
export async function createInvite(
  deps: Deps,
  { caller, address, body, siteUrl }: RequestOrigin & Pick<Input<'createInvite'>, 'body'> & { siteUrl: string },
) {
  const { note = '', role = 'user', maxUses = 1, days = defaultDays } = body
  if (role === 'admin') await confirmRecently(deps, { caller, address }, body.currentPassword)
  const now = deps.now()
  const token = newSecret(deps)
  const row: InvitesTable = {
    id: newId(deps),
    token_hash: hashSecret(token),
    note,
    role,
    max_uses: maxUses,
    uses: 0,
    expires_at: now + days * dayMs,
    created_at: now,
    created_by: caller.account.id,
  }
  await deps.db.transaction().execute(async (db) => {
    await db.insertInto('invites').values(row).execute()
    const count = await countRows(db.selectFrom('invites').where('expires_at', '>', now))
    if (count > max) throw new Failure('too_many_invites', { limit: max })
    const entry = {
      action: 'invite_created',
      target: { id: row.id, label: note },
      details: { role, maxUses, days },
    } as const
    await audit({ ...deps, db }, { actor: caller, address, ...entry })
  })
  deps.log.info({ invite: row.id, role, maxUses, by: caller.account.id }, 'invitation created')
  return { ...toInvite(row, caller.account.email), link: `${siteUrl}${paths.register}#${token}` }
}

export async function listInvites(deps: Deps) {
  const rows = await deps.db
    .selectFrom('invites')
    .leftJoin('users', 'users.id', 'invites.created_by')
    .selectAll('invites')
    .select('users.email')
    .where('expires_at', '>', deps.now())
    .orderBy('invites.created_at', 'desc')
    .orderBy('invites.id', 'desc')
    .execute()
  return { items: rows.map((row) => toInvite(row, row.email)), total: rows.length, nextCursor: null }
}

/** @throws {Failure} invite_not_found */
export async function deleteInvite(
  deps: Deps,
  { caller, address, params }: RequestOrigin & { params: { id: string } },
) {
  await deps.db.transaction().execute(async (db) => {
    const deleted = await db.deleteFrom('invites').where('id', '=', params.id).returningAll().executeTakeFirst()
    if (!deleted) throw new Failure('invite_not_found')
    const { id, note: label, uses } = deleted
    const entry = { action: 'invite_deleted', target: { id, label }, details: { uses } } as const
    await audit({ ...deps, db }, { actor: caller, address, ...entry })
  })
  deps.log.info({ invite: params.id, by: caller.account.id }, 'invitation deleted')
  return { success: true as const }
}

/** @param address of the client @throws {Failure} invite_ended, too_many_requests */
export async function findInvite(deps: Deps, token: string, address: string): Promise<InvitesTable> {
  const limit = { key: `mail-link:${address}`, ...accountLimits.mailLinks.wrong }
  const found = await throttleFailures(deps, limit, async () => {
    const invite = deps.db.selectFrom('invites').selectAll().where('token_hash', '=', hashSecret(token))
    return (
      (await invite.where('expires_at', '>', deps.now()).whereRef('uses', '<', 'max_uses').executeTakeFirst()) ?? null
    )
  })
  if (!found) throw new Failure('invite_ended')
  return found
}

/**
 * Counts a use.
 * @param deps.db the transaction that creates the account
 * @returns the role of the account
 * @throws {Failure} invite_ended
 */
export async function consumeInvite({ db, now }: Pick<Deps, 'db' | 'now'>, id: string): Promise<InvitesTable['role']> {
  const used = await db
    .updateTable('invites')
    .set((row) => ({ uses: row('uses', '+', 1) }))
    .where('id', '=', id)
    .whereRef('uses', '<', 'max_uses')
    .where('expires_at', '>', now())
    .returning('role')
    .executeTakeFirst()
  if (!used) throw new Failure('invite_ended')
  return used.role
}

const toInvite = (row: InvitesTable, createdBy: string | null): Invite => ({
  id: row.id,
  note: row.note,
  role: row.role,
  uses: row.uses,
  maxUses: row.max_uses,
  expiresAt: new Date(row.expires_at).toISOString(),
  createdAt: new Date(row.created_at).toISOString(),
  createdBy,
})
