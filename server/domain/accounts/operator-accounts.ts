// What the operator does with accounts: the first admin, by the settings; promotion, temporary
// passwords and what admins do on the page, by commands.
import { limits } from '../../../contract/plain/limits.ts'
import { audit, type AuditDeps, targetUser } from '../audit/audit.ts'
import type { Account } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { notifyUser } from '../mail/mail-queue.ts'
import { mailSite, passwordChangedMail } from '../mail/mail-texts.ts'
import { hashPassword } from './passwords.ts'
import { activeAdmins, changeAccount, createAccount, getByEmail } from './account-rows.ts'
import { endCredentials } from './end-credentials.ts'
import { removeAccount } from './delete-account.ts'
import { lockAdminChanges } from './last-admin.ts'
import { assertStrongPassword } from './password-policy.ts'
import { endAllSessions } from './sessions.ts'
import { changeUser } from './change-user.ts'

/**
 * Creates the account of ADMIN_EMAIL if needed. Returns whether there is an active admin.
 * @throws {Error} for the operator, naming ADMIN_PASSWORD: it is short or weak
 */
export async function ensureAdmin(deps: Deps): Promise<boolean> {
  if (await activeAdmins(deps.db).executeTakeFirst()) return true
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = deps.config
  if (email === undefined || password === undefined) return false
  await assertStrongPassword(deps, { field: 'ADMIN_PASSWORD', password, email }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'weak_password') throw error
    throw new Error(`ADMIN_PASSWORD: ${error.message}`, { cause: error })
  })
  const made = await createAccount(deps, { email, password, role: 'admin' }, { actor: 'server' })
  if (!made) {
    deps.log.warn(
      { email },
      'ADMIN_EMAIL already has an account, which is not changed: promote it with the command promote',
    )
    return false
  }
  return true
}

/** Makes a user an admin; ends their sessions unless they were one already. @throws {Failure} user_not_found */
export async function promote(deps: AuditDeps & Pick<Deps, 'log'>, email: string): Promise<Account> {
  const account = await getByEmail(deps, email)
  await deps.db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('users')
      .set({ role: 'admin' })
      .where('id', '=', account.id)
      .where('role', '!=', 'admin')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await endAllSessions(transaction, account.id)
    await audit(
      { ...deps, db: transaction },
      {
        actor: 'command_line',
        action: 'role_changed',
        target: targetUser(account),
        details: { from: account.role, to: 'admin' },
      },
    )
  })
  deps.log.info({ user: account.id, role: 'admin' }, 'user promoted by the operator')
  return { ...account, role: 'admin' }
}

/**
 * Demotes, deactivates or activates an account, as an admin does on the page.
 * @throws {Failure} user_not_found, last_admin
 */
export async function changeAsOperator(
  deps: Deps,
  email: string,
  changes: { role?: 'user'; status?: Account['status'] },
): Promise<Account> {
  const { id } = await getByEmail(deps, email)
  return changeUser(deps, id, changes, { actor: 'command_line' })
}

/** As an admin does on the page: its images end with it. @throws {Failure} user_not_found, last_admin */
export async function deleteAsOperator(deps: Deps, email: string): Promise<Account> {
  const account = await getByEmail(deps, email)
  await deps.db.transaction().execute(async (db) => {
    await lockAdminChanges(db)
    await removeAccount({ ...deps, db }, account.id, { actor: 'command_line' })
  })
  deps.log.info({ user: account.id }, 'user deleted by the operator')
  return account
}

/** A random password that ends after a day, unless its user changes it. */
export const temporaryPassword = (deps: Pick<Deps, 'now' | 'randomBytes'>) => ({
  password: deps.randomBytes(16).toString('base64url'),
  passwordExpiresAt: deps.now() + limits.account.temporaryPasswordMs,
})

/**
 * Sets a temporary password, which ends the sessions and API keys of the account.
 * @returns the password
 * @throws {Failure} user_not_found, busy
 */
export async function resetPassword(deps: AuditDeps & Pick<Deps, 'log' | 'mail'>, email: string): Promise<string> {
  const { password, passwordExpiresAt } = temporaryPassword(deps)
  const account = await getByEmail(deps, email)
  const hash = await hashPassword(password)
  await deps.db.transaction().execute(async (transaction) => {
    const changes = { password_hash: hash, password_expires_at: passwordExpiresAt }
    if (!(await changeAccount(transaction, account.id, changes))) throw new Failure('user_not_found')
    const own = { ...deps, db: transaction }
    const by = { actor: 'command_line' } as const
    const details = { keepApiKeys: false, temporary: true }
    await audit(own, { ...by, action: 'password_changed', target: targetUser(account), details })
    await endCredentials(own, account.id, {}, by)
    await notifyUser(own, account.id, passwordChangedMail(mailSite(deps)))
  })
  deps.log.info({ user: account.id }, 'password reset by the operator')
  return password
}
