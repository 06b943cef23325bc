// Creation of admins: by the settings at the first start, or by the operator's command.
import type { Account } from '../caller.ts'
import type { Deps } from '../deps.ts'
import { Failure } from '../failure.ts'
import { activeAdmins, createAccount, findByEmail } from './accounts.ts'
import { refuseWeakPassword } from './password-policy.ts'
import { endAllSessions } from './sessions.ts'

/**
 * Creates the account of ADMIN_EMAIL if needed. Returns whether there is an active admin.
 * @throws {Error} for the operator, naming ADMIN_PASSWORD: it is short or weak
 */
export async function ensureAdmin(deps: Deps): Promise<boolean> {
  if (await activeAdmins(deps.db).executeTakeFirst()) return true
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = deps.config
  if (email === undefined || password === undefined) return false
  await refuseWeakPassword(deps, { field: 'ADMIN_PASSWORD', password, email }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'weak_password') throw error
    throw new Error(`ADMIN_PASSWORD: ${error.message}`, { cause: error })
  })
  const made = await createAccount(deps, { email, password, role: 'admin' })
  if (!made) {
    deps.log.warn(
      { email },
      'ADMIN_EMAIL already has an account, which is not changed: promote it with the command promote',
    )
  }
  return made !== null
}

/** Makes a user an admin; ends their sessions unless they were one already. @throws {Failure} user_not_found */
export async function promote(deps: Pick<Deps, 'db' | 'log'>, email: string): Promise<Account> {
  const account = await findByEmail(deps, email)
  if (!account) throw new Failure('user_not_found')
  await deps.db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('users')
      .set({ role: 'admin' })
      .where('id', '=', account.id)
      .where('role', '!=', 'admin')
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await endAllSessions(transaction, account.id)
  })
  deps.log.info({ user: account.id, role: 'admin' }, 'user promoted by the operator')
  return { ...account, role: 'admin' }
}
