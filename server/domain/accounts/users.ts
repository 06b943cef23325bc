// Account management by admins.
import type { Kysely } from 'kysely'
import { dayMs } from '../../../contract/plain/limits.ts'
import type { User } from '../../../contract/endpoints/accounts.ts'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Schema } from '../../db/schema.ts'
import { countRows } from '../../db/count-rows.ts'
import { isUniqueViolation } from '../../db/database-errors.ts'
import { containsText } from '../../db/contains-text.ts'
import { actorIdOf, audit, type AuditEvent, type AuditOrigin, targetUser } from '../audit/audit.ts'
import { queuePurgesOfOwner } from '../images/cache-purges.ts'
import type { Account, RequestOrigin } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { type Page, readPage } from '../shared/keyset-page.ts'
import { notifyUser } from '../mail/mail-queue.ts'
import { mailSite, passwordChangedMail } from '../mail/mail-texts.ts'
import { hashPassword } from './passwords.ts'
import { requireRecentConfirmation } from '../shared/recent-confirmation.ts'
import { changeAccount, changedFields, createAccount, getById, normalEmail, toUser } from './accounts.ts'
import { endCredentials } from './end-credentials.ts'
import { confirmPassword, confirmRecently } from './confirm-password.ts'
import { assertNotLastAdmin, lockAdminChanges, removeAccount } from './delete-account.ts'
import { leaveAddress } from './email/confirm-email.ts'
import { assertStrongPassword } from './password-policy.ts'
import { endAllSessions } from './sessions.ts'

/** Newest first. @throws {Failure} invalid_input: an invalid cursor */
export function listUsers(deps: Deps, { query }: Pick<Input<'listUsers'>, 'query'>): Promise<Page<User>> {
  const { limit, cursor, role, status, q = '' } = query
  const found = deps.db
    .selectFrom('users')
    .$if(role !== undefined, (users) => users.where('role', '=', role as Account['role']))
    .$if(status !== undefined, (users) => users.where('status', '=', status as Account['status']))
    .$if(q !== '', (users) => users.where(containsText(['email', 'name'], q)))
  return readPage(found.selectAll(), found, {
    limit,
    cursor,
    by: ['created_at', 'id'],
    keyOf: (row) => ({ value: row.created_at, id: row.id }),
    show: (account) => toUser(deps, account),
  })
}

/**
 * A new admin requires the password of the calling one, or a recent login or confirmation.
 * @throws {Failure} registration_failed: the address has an account; password_required, wrong_password, invalid_input,
 * weak_password, busy
 */
export async function createUser(
  deps: Deps,
  { caller, address, body }: RequestOrigin & Pick<Input<'createUser'>, 'body'>,
) {
  await assertStrongPassword(deps, { field: 'password', ...body })
  const { role = 'user' } = body
  if (role === 'admin') await confirmRecently(deps, { caller, address }, body.currentPassword)
  const account = await createAccount(deps, { ...body, role }, { actor: caller, address })
  if (!account) throw new Failure('registration_failed')
  deps.log.info({ user: account.id, role: account.role, by: caller.account.id }, 'user created')
  return { success: true as const, user: toUser(deps, account) }
}

type UserChanges = Input<'updateUser'>['body']

/** Whether the account is an admin, or becomes one. */
export const concernsAdmin = (account: Pick<Account, 'role'>, { role }: Pick<UserChanges, 'role'> = {}) =>
  account.role === 'admin' || role === 'admin'

/**
 * A new email or password requires the password of the calling admin; another change of an admin, or a new one,
 * requires it or a recent login or confirmation.
 * @throws {Failure} wrong_password, password_required, user_not_found, registration_failed: the address is taken; last_admin,
 * own_account, invalid_input, weak_password, busy
 */
export async function updateUser(
  deps: Deps,
  { caller, address, params, body }: RequestOrigin & { params: { userId: string }; body: UserChanges },
) {
  const isOwn = params.userId === caller.account.id
  // Users change their own password with the current one (updateMe): a stolen token must not take
  // over the account permanently.
  const refused = [body.role, body.status, body.password]
  if (isOwn && refused.some((value) => value !== undefined)) throw new Failure('own_account')
  const found = await getById(deps.db, params.userId)
  const { email, name } = found
  if (hasNewEmail(found, body) || body.password !== undefined)
    await confirmPassword(deps, { caller, address }, body.currentPassword)
  else if (concernsAdmin(found, body)) await confirmRecently(deps, { caller, address }, body.currentPassword)
  if (body.password !== undefined)
    await assertStrongPassword(deps, { field: 'password', password: body.password, email, name })
  const account = await changeUser(deps, params.userId, body, { actor: caller, address }, (before) => {
    // Became an admin since.
    if (concernsAdmin(before, body) && !concernsAdmin(found, body)) throw new Failure('password_required')
  })
  return { success: true as const, user: toUser(deps, account) }
}

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

const hasNewEmail = (account: Account, { email }: UserChanges) =>
  email !== undefined && normalEmail(email) !== account.email

/** Mails to the user; the old address is notified of a new one, which is not confirmed. */
async function notifyOfChanges(deps: Deps, before: Account, after: Account): Promise<void> {
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

/**
 * Deletes an account; that of an admin after a recent login or confirmation.
 * @throws {Failure} user_not_found, password_required, last_admin, own_account
 */
export async function deleteUser(
  deps: Deps,
  { caller, address, params }: RequestOrigin & { params: { userId: string } },
) {
  if (params.userId === caller.account.id) throw new Failure('own_account')
  await deps.db.transaction().execute(async (transaction) => {
    await lockAdminChanges(transaction)
    if (concernsAdmin(await getById(transaction, params.userId))) requireRecentConfirmation(deps, caller)
    await removeAccount({ ...deps, db: transaction }, params.userId, { actor: caller, address })
  })
  await deps.uploadRecords.removeOf(params.userId)
  deps.log.info({ user: params.userId, by: caller.account.id }, 'user deleted')
  return { success: true as const }
}

/** @throws {Failure} user_not_found, password_required, wrong_password, busy */
export async function promoteUser(
  deps: Deps,
  { caller, address, body }: RequestOrigin & Pick<Input<'promoteUser'>, 'body'>,
) {
  const { userId, currentPassword } = body
  const account = await getById(deps.db, userId)
  if (account.role !== 'admin' && account.id !== caller.account.id) {
    await updateUser(deps, { caller, address, params: { userId }, body: { role: 'admin', currentPassword } })
  }
  return { success: true as const, message: `${account.email} is an admin now` }
}

export async function getUserStats({ db, now }: Deps) {
  const users = db.selectFrom('users')
  const [totalUsers, activeUsers, admins, newUsersLast30Days] = await Promise.all([
    countRows(users),
    countRows(users.where('status', '=', 'Active')),
    countRows(users.where('role', '=', 'admin')),
    countRows(users.where('created_at', '>', now() - 30 * dayMs)),
  ])
  return { totalUsers, activeUsers, inactiveUsers: totalUsers - activeUsers, admins, newUsersLast30Days }
}

async function assertEmailFree(transaction: Kysely<Schema>, email: string): Promise<void> {
  const taken = await transaction.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  if (taken) throw new Failure('registration_failed')
}
