// Login with a password, what every login ends with, and logout.
import type { FailureCode } from '../../../contract/plain/failures.ts'
import { isEmail } from '../../../contract/endpoints/accounts.ts'
import type { Input } from '../../../contract/endpoints/api.ts'
import { audit, auditAlone } from '../audit/audit.ts'
import { type Account, type Caller, type RequestOrigin, sessionOf, type UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { changeAccount, findByEmail, normalEmail, toUser } from './account-rows.ts'
import { isPasswordExpired } from './confirm-password.ts'
import { endCredentials } from './end-credentials.ts'
import { requireSecondFactor, needsSecondFactor } from './factors/required-factor.ts'
import { announceUnknownBrowser } from './known-browsers.ts'
import { limitFailedLogins } from './login-throttle.ts'
import { hashPassword, isOutdated, passwordMatches } from './passwords.ts'
import { endSession, startSession } from './sessions.ts'

/** @throws {Failure} password_login_off */
export function assertPasswordLogin({ config }: Pick<Deps, 'config'>): void {
  if (!config.PASSWORD_LOGIN) throw new Failure('password_login_off')
}

/**
 * Takes the same time and returns the same error for an unknown email.
 * @throws {Failure} password_login_off, wrong_credentials, second_factor_required, password_expired, inactive_account, busy,
 * too_many_requests
 */
export async function login(
  deps: Deps,
  { body, address, userAgent }: RequestContext<Caller> & Pick<Input<'login'>, 'body'>,
) {
  assertPasswordLogin(deps)
  const attempt = { email: normalEmail(body.email), address }
  const account = await limitFailedLogins(deps, attempt, async () => {
    const found = await findByEmail(deps, body.email)
    const matches = await passwordMatches(body.password, found?.password_hash ?? null)
    const verified = found && matches ? await rehashPassword(deps, found, body.password) : null
    if (!verified) await auditFailedLogin(deps, attempt, found?.id, 'wrong_credentials')
    return verified
  })
  if (!account) throw new Failure('wrong_credentials')
  const refusal = isPasswordExpired(deps, account)
    ? 'password_expired'
    : account.status === 'Active'
      ? undefined
      : 'inactive_account'
  if (refusal) {
    await auditFailedLogin(deps, attempt, account.id, refusal)
    throw new Failure(refusal)
  }
  const method = 'password'
  await requireSecondFactor(deps, account, method)
  return finishLogin(deps, account, { address, userAgent, browser: body.browser, method, hasSecondFactor: false })
}

/** How a user has logged in. */
interface Login {
  address: string
  userAgent: string | undefined
  /** The random text that the page stores; undefined for programs. */
  browser: string | undefined
  /** For the audit log. A provider by its id. */
  method: string
  hasSecondFactor: boolean
}

/**
 * @param account as read when its user was authenticated
 * @throws {Failure} wrong_credentials: it has changed since
 */
export async function finishLogin(deps: Deps, account: Account, login: Login) {
  const { address, method, hasSecondFactor } = login
  const entry = { actor: account, address, action: 'login', details: { method } } as const
  const token = await startSession(deps, account, login, entry)
  if (!token) throw new Failure('wrong_credentials')
  await announceUnknownBrowser(deps, account, login)
  deps.log.info({ user: account.id, method }, 'login')
  const isIncomplete = needsSecondFactor(deps, account, { hasSecondFactor })
  return { success: true as const, user: toUser(deps, account), needsSecondFactor: isIncomplete, token }
}

/** What is no email address may be a password that was typed into the wrong field. */
export const auditFailedLogin = (
  deps: Deps,
  { email, address }: { email: string; address: string },
  id: string | undefined,
  code: FailureCode,
) =>
  auditAlone(deps, {
    actor: { kind: 'guest' },
    address,
    action: 'login_failed',
    target: { id, label: isEmail(email) ? email : undefined },
    details: { code },
  })

/** Returns null when the password was changed meanwhile. @throws {Failure} busy */
async function rehashPassword(deps: Pick<Deps, 'db'>, account: Account, password: string): Promise<Account | null> {
  if (!isOutdated(account.password_hash)) return account
  const renewed = await deps.db
    .updateTable('users')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', account.id)
    .where('password_hash', '=', account.password_hash)
    .returningAll()
    .executeTakeFirst()
  if (renewed) return renewed
  // A concurrent login of the same user may have rehashed it first.
  const now = await findByEmail(deps, account.email)
  return now && (await passwordMatches(password, now.password_hash)) ? now : null
}

export async function logout(deps: Deps, { caller }: { caller: UserCaller }) {
  await endSession(deps, sessionOf(caller).sessionId)
  deps.log.info({ user: caller.account.id }, 'logout')
  return { success: true as const }
}

/** Also ends the account's API keys and switches its webhooks off, unless `keepApiKeys`. */
export async function logoutEverywhere(
  deps: Deps,
  { caller, address, body }: RequestOrigin & { body: Input<'logoutEverywhere'>['body'] },
) {
  const { id } = caller.account
  const keepApiKeys = body.keepApiKeys === true
  await deps.db.transaction().execute(async (db) => {
    // Locks the account: no session creates a key or webhook meanwhile.
    await changeAccount(db, id, { id })
    const by = { actor: caller, address }
    await audit({ ...deps, db }, { ...by, action: 'logout_everywhere', details: { keepApiKeys } })
    await endCredentials({ ...deps, db }, id, body, by)
  })
  deps.log.info({ user: id, keepApiKeys }, 'logout everywhere')
  return { success: true as const }
}
