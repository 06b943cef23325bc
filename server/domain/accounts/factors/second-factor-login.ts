// Logins with a code or a passkey, and the confirmation of a session with one (docs/decisions/0049).
import type { PasskeyAssertion } from '../../../../contract/endpoints/factors.ts'
import type { Input } from '../../../../contract/endpoints/api.ts'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import { audit, auditAlone, targetUser } from '../../audit/audit.ts'
import { type Account, type Caller, type RequestOrigin, sessionOf } from '../../shared/caller.ts'
import type { Deps, RequestContext } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { throttleFailures } from '../../shared/throttle.ts'
import { auditFailedLogin, finishLogin } from '../login.ts'
import { confirmPassword } from '../confirm-password.ts'
import { verifyPasskey } from './passkey-login.ts'
import { consumeRecoveryCode } from './recovery-codes.ts'
import { noteSecondFactor, readChallenge } from './required-factor.ts'
import { acceptTotp, limitCodes } from './totp.ts'

/** @throws {Failure} challenge_ended; wrong_code; inactive_account; too_many_requests */
export async function loginWithCode(
  deps: Deps,
  { body, address, userAgent }: RequestContext<Caller> & Pick<Input<'loginWithCode'>, 'body'>,
) {
  const { account, method: first } = await readChallenge(deps, body.challenge)
  const second = await limitCodes(deps, { account, address, code: body.code }, async () => {
    if (await acceptTotp(deps, account.id, body.code)) return 'code'
    return (await consumeRecoveryCode(deps.db, account.id, body.code)) ? 'recovery code' : null
  })
  if (!second) {
    await auditFailedLogin(deps, { email: account.email, address }, account.id, 'wrong_code')
    throw new Failure('wrong_code')
  }
  const method = `${first}, ${second}`
  return finishLogin(deps, account, { address, userAgent, browser: body.browser, method, hasSecondFactor: true })
}

/** @throws {Failure} challenge_ended; passkey_refused; inactive_account; too_many_requests */
export async function loginWithPasskey(
  deps: Deps,
  {
    body,
    address,
    userAgent,
    siteUrl,
  }: RequestContext<Caller> & { siteUrl: string } & Pick<Input<'loginWithPasskey'>, 'body'>,
) {
  const first = body.challenge === undefined ? undefined : await readChallenge(deps, body.challenge)
  const account = await limitPasskeys(deps, address, first?.account, async () => {
    const userId = await verifyPasskey(deps, { ...body, siteUrl })
    if (first !== undefined && first.account.id !== userId) throw foreignPasskey()
    return deps.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  })
  if (account.status !== 'Active') {
    await auditFailedLogin(deps, { email: account.email, address }, account.id, 'inactive_account')
    throw new Failure('inactive_account')
  }
  const method = first ? `${first.method}, passkey` : 'passkey'
  return finishLogin(deps, account, { address, userAgent, browser: body.browser, method, hasSecondFactor: true })
}

/**
 * Confirms the session with the password, a code or a passkey, for the actions of the next {@link accountLimits.recentLoginMs}.
 * @throws {Failure} password_required: none was sent; wrong_password, wrong_code, passkey_refused, challenge_ended, busy,
 * too_many_requests
 */
export async function confirmIdentity(
  deps: Deps,
  { caller, address, body, siteUrl }: RequestOrigin & { siteUrl: string } & Pick<Input<'confirmIdentity'>, 'body'>,
) {
  const { currentPassword, code, passkey } = body
  const origin = { caller, address }
  if (passkey !== undefined) await confirmByPasskey(deps, origin, { ...passkey, siteUrl })
  else if (code !== undefined) await confirmByCode(deps, origin, code)
  else if (currentPassword !== undefined) await confirmPassword(deps, origin, currentPassword)
  else throw new Failure('password_required')
  const at = deps.now()
  await deps.db.transaction().execute(async (db) => {
    await db.updateTable('sessions').set({ confirmed_at: at }).where('id', '=', sessionOf(caller).sessionId).execute()
    if (passkey !== undefined || code !== undefined) await noteSecondFactor(db, caller)
    await audit({ ...deps, db }, { actor: caller, address, action: 'identity_confirmed' })
  })
  return { success: true as const, confirmed_until: new Date(at + accountLimits.recentLoginMs).toISOString() }
}

async function confirmByCode(deps: Deps, { caller, address }: RequestOrigin, code: string): Promise<void> {
  const { account } = caller
  const accept = async () => (await acceptTotp(deps, account.id, code)) || null
  if (await limitCodes(deps, { account, address, code }, accept)) return
  const entry = { action: 'login_failed', target: targetUser(account), details: { code: 'wrong_code' } } as const
  await auditAlone(deps, { actor: caller, address, ...entry })
  throw new Failure('wrong_code')
}

async function confirmByPasskey(
  deps: Deps,
  { caller, address }: RequestOrigin,
  passkey: { token: string; response: PasskeyAssertion; siteUrl: string },
): Promise<void> {
  await limitPasskeys(deps, address, caller.account, async () => {
    if ((await verifyPasskey(deps, passkey)) !== caller.account.id) throw foreignPasskey()
    return true
  })
}

const foreignPasskey = () => new Failure('passkey_refused', { problem: 'it belongs to another account' })

/**
 * Counts and logs refused passkeys of an address.
 * @param account the one that is known already
 */
async function limitPasskeys<T>(
  deps: Deps,
  address: string,
  account: Account | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  let refusal = new Failure('challenge_ended') as Failure
  const limit = { key: `passkey-address:${address}`, ...accountLimits.login.perAddress }
  const result = await throttleFailures(deps, limit, () =>
    attempt().catch((error: unknown) => {
      if (!(error instanceof Failure) || !['challenge_ended', 'passkey_refused'].includes(error.code)) throw error
      refusal = error
      return null
    }),
  )
  if (result !== null) return result
  await auditFailedLogin(deps, { email: account?.email ?? '', address }, account?.id, refusal.code)
  throw refusal
}
