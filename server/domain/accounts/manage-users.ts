// Account management by admins.
import { dayMs } from '../../../contract/plain/limits.ts'
import type { User } from '../../../contract/endpoints/accounts.ts'
import type { Input } from '../../../contract/endpoints/api.ts'
import { countRows } from '../../db/count-rows.ts'
import { containsText } from '../../db/contains-text.ts'
import type { Account, RequestOrigin } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { type Page, readPage } from '../shared/keyset-page.ts'
import { requireRecentConfirmation } from '../shared/recent-confirmation.ts'
import { createAccount, getById, toUser } from './account-rows.ts'
import { changeUser, hasNewEmail, type UserChanges } from './change-user.ts'
import { confirmPassword, confirmRecently } from './confirm-password.ts'
import { removeAccount } from './delete-account.ts'
import { lockAdminChanges } from './last-admin.ts'
import { assertStrongPassword } from './password-policy.ts'

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
