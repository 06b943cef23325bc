// Proof that a request is made by the account's user, and not only with a session, which may be stolen.
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { auditAlone, targetUser } from '../audit/audit.ts'
import { type Account, type RequestOrigin, sessionOf } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { passwordMatches } from './passwords.ts'
import { requireRecentConfirmation } from '../shared/recent-confirmation.ts'
import { throttleFailures } from '../shared/throttle.ts'

/**
 * For what would outlive the session, or cannot be undone. The password, or a login or confirmation
 * at most {@link accountLimits.recentLoginMs} ago, so that programs that log in first need not send it again.
 * @throws {Failure} password_required, wrong_password, busy, too_many_requests
 */
export async function confirmRecently(deps: Deps, origin: RequestOrigin, password?: string): Promise<void> {
  if (password === undefined) return requireRecentConfirmation(deps, origin.caller)
  await confirmPassword(deps, origin, password)
  const { sessionId } = sessionOf(origin.caller)
  await deps.db.updateTable('sessions').set({ confirmed_at: deps.now() }).where('id', '=', sessionId).execute()
}

/**
 * For what authenticates an account.
 * @throws {Failure} wrong_password, busy, too_many_requests
 */
export async function confirmPassword(deps: Deps, { caller, address }: RequestOrigin, password = ''): Promise<void> {
  const { account } = caller
  const limit = { key: `password:${account.id}`, ...accountLimits.login.perAccountAndAddress }
  const isKnown = await throttleFailures(deps, limit, async () =>
    (await passwordMatches(password, account.password_hash)) ? true : null,
  )
  if (isKnown && !isPasswordExpired(deps, account)) return
  const code = 'wrong_password'
  const entry = { action: 'login_failed', target: targetUser(account), details: { code } } as const
  await auditAlone(deps, { actor: caller, address, ...entry })
  throw new Failure(code)
}

export const isPasswordExpired = (deps: Pick<Deps, 'now'>, { password_expires_at: expiresAt }: Account) =>
  expiresAt !== null && expiresAt <= deps.now()
