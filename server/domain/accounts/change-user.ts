// Changes an account for an admin or the operator: what ends with it, who is told, and what the audit log says.
import type { Kysely } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Schema } from '../../db/schema.ts'
import { isUniqueViolation } from '../../db/database-errors.ts'
import { actorIdOf, audit, type AuditEvent, type AuditOrigin, targetUser } from '../audit/audit.ts'
import { queuePurgesOfOwner } from '../images/cache-purges.ts'
import type { Account } from '../shared/caller.ts'
import type { Deps, InTransaction } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { notifyUser } from '../mail/mail-queue.ts'
import { mailSite, passwordChangedMail } from '../mail/mail-texts.ts'
import { hashPassword } from './passwords.ts'
import { changeAccount, changedFields, getById, normalEmail } from './account-rows.ts'
import { endCredentials } from './end-credentials.ts'
import { leaveAddress } from './email/confirm-email.ts'
import { assertNotLastAdmin, lockAdminChanges } from './last-admin.ts'
import { endAllSessions } from './sessions.ts'

export type UserChanges = Input<'updateUser'>['body']

/**
 * @param body with a password that the policy allows
 * @param refuse is called with the account, inside the transaction
 * @throws {Failure} user_not_found, registration_failed: the address is taken; last_admin, busy; what `refuse` throws
 */
export async function changeUser(
  deps: Deps,
  userId: string,
  body: UserChanges,
  by: AuditOrigin,
  refuse: (before: Account) => void = () => {},
): Promise<Account> {
  const passwordHash = body.password === undefined ? undefined : await hashPassword(body.password)
  const changing = deps.db.transaction().execute(async (transaction) => {
    await lockAdminChanges(transaction)
    const before = await getById(transaction, userId)
    refuse(before)
    const changes = toColumns(before, body, passwordHash)
    if (changes.email !== undefined && hasNewEmail(before, body)) await assertEmailFree(transaction, changes.email)
    const { role = before.role, status = before.status } = changes
    if (role !== 'admin' || status !== 'Active') await assertNotLastAdmin(transaction, before)
    const after = await changeAccount(transaction, before.id, changes)
    if (!after) throw new Failure('user_not_found')
    const own = { ...deps, db: transaction }
    if (status === 'Inactive' && status !== before.status) await queuePurgesOfOwner(own, before.id)
    const target = targetUser(after)
    await audit(own, ...changesOf(before, after, body).map((what) => ({ ...by, target, ...what })))
    await notifyOfChanges(own, before, after)
    if (passwordHash !== undefined) await endCredentials(own, before.id, body, by)
    else if (role !== before.role || status !== before.status) await endAllSessions(transaction, before.id)
    return after
  })
  const account = await changing.catch((error: unknown) => {
    // The address was registered since the check.
    if (isUniqueViolation(error)) throw new Failure('registration_failed', {}, { cause: error })
    throw error
  })
  const changed = changedFields(body)
  deps.log.info({ user: account.id, by: actorIdOf(by.actor), changed, role: account.role }, 'user changed')
  return account
}

const toColumns = (before: Account, body: UserChanges, passwordHash: string | undefined) => ({
  email: body.email === undefined ? undefined : normalEmail(body.email),
  name: body.name,
  first_name: body.firstName,
  last_name: body.lastName,
  role: body.role,
  status: body.status,
  password_hash: passwordHash,
  password_expires_at: passwordHash === undefined ? undefined : null,
  quota_bytes: body.quotaBytes,
  quota_images: body.quotaImages,
  ...(hasNewEmail(before, body) && { email_confirmed_at: null, self_registered: 0 as const }),
})

export const hasNewEmail = (account: Account, { email }: UserChanges) =>
  email !== undefined && normalEmail(email) !== account.email

/** Mails to the user; the old address is notified of a new one, which is not confirmed. */
async function notifyOfChanges(deps: InTransaction<Deps>, before: Account, after: Account): Promise<void> {
  if (after.password_hash !== before.password_hash)
    await notifyUser(deps, after.id, passwordChangedMail(mailSite(deps)))
  if (after.email !== before.email) await leaveAddress(deps, before)
}

/** Fields whose changes are entries of their own. */
const ownEntries = ['role', 'status', 'password', 'currentPassword', 'keepApiKeys', 'quotaBytes', 'quotaImages']

const changeOf = <T>(name: string, from: T, to: T) => (from === to ? {} : { [name]: { from, to } })

/** One entry for each kind of change, so that a filter by action finds it. */
function changesOf(before: Account, after: Account, body: UserChanges): Pick<AuditEvent, 'action' | 'details'>[] {
  const entries: Pick<AuditEvent, 'action' | 'details'>[] = []
  if (after.role !== before.role)
    entries.push({ action: 'role_changed', details: { from: before.role, to: after.role } })
  if (after.status !== before.status)
    entries.push({ action: 'status_changed', details: { from: before.status, to: after.status } })
  if (body.password !== undefined)
    entries.push({ action: 'password_changed', details: { keepApiKeys: body.keepApiKeys === true } })
  const quotas = {
    ...changeOf('quotaBytes', before.quota_bytes, after.quota_bytes),
    ...changeOf('quotaImages', before.quota_images, after.quota_images),
  }
  if (Object.keys(quotas).length > 0) entries.push({ action: 'quota_changed', details: quotas })
  const fields = changedFields(body).filter((field) => !ownEntries.includes(field))
  const email = changeOf('email', before.email, after.email)
  if (fields.length > 0) entries.push({ action: 'user_updated', details: { fields, ...email } })
  return entries
}

async function assertEmailFree(transaction: Kysely<Schema>, email: string): Promise<void> {
  const taken = await transaction.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  if (taken) throw new Failure('registration_failed')
}
