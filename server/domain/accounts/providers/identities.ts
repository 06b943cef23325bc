// Connections of accounts with login providers, by issuer and subject.
import { audit, type AuditDeps, targetUser } from '../../audit/audit.ts'
import type { Account, RequestOrigin } from '../../shared/caller.ts'
import type { Deps, InTransaction } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { notifyUser } from '../../mail/mail-queue.ts'
import { loginWayMail, mailSite } from '../../mail/mail-texts.ts'
import { newId } from '../../shared/secrets.ts'
import { lockOf, lockSession } from '../../shared/session-expiry.ts'
import { toUser } from '../account-rows.ts'
import { confirmRecently } from '../confirm-password.ts'
import { assertCanStillLogIn } from '../factors/remove-factors.ts'
import { needsSecondFactor } from '../factors/required-factor.ts'
import { type AtSite, confirmedEmail, type ProviderLogin, startAtProvider } from './provider-login.ts'

/** @throws {Failure} password_required; provider_not_found, provider_unavailable */
export async function startIdentity(
  deps: Deps,
  { caller, address, params, siteUrl }: RequestOrigin & AtSite & { params: { provider: string } },
) {
  await confirmRecently(deps, { caller, address })
  return startAtProvider(deps, { provider: params.provider, siteUrl, ...lockOf(caller) })
}

/** @throws {Failure} identity_taken; invalid_token: the session that started this has ended */
export async function linkIdentity(deps: Deps, of: { userId: string; sessionId: string }, login: ProviderLogin) {
  const { userId } = of
  const account = await deps.db.transaction().execute(async (db) => {
    await lockSession(db, of)
    const found = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
    await insertIdentity({ ...deps, db }, found, login)
    await notifyUser({ ...deps, db }, userId, loginWayMail(mailSite(deps), { way: 'identity', change: 'added' }))
    return found
  })
  deps.log.info({ user: userId, provider: login.settings.id }, 'login provider connected')
  const needs = needsSecondFactor(deps, account, {})
  return { success: true as const, user: toUser(deps, account), needsSecondFactor: needs }
}

/** @param deps.db a transaction. @throws {Failure} identity_taken */
export async function insertIdentity(
  deps: InTransaction<AuditDeps>,
  account: Account,
  login: ProviderLogin,
): Promise<void> {
  const { settings, claims, address } = login
  const row = {
    id: newId(deps),
    user_id: account.id,
    provider: settings.id,
    issuer: claims.iss,
    subject: claims.sub,
    email: confirmedEmail(login) ?? null,
    created_at: deps.now(),
    last_used_at: deps.now(),
  }
  const insert = deps.db
    .insertInto('identities')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
  if ((await insert.executeTakeFirst()).numInsertedOrUpdatedRows === 0n)
    throw new Failure('identity_taken', { name: settings.name })
  const details = { provider: settings.id }
  await audit(deps, { actor: account, address, action: 'identity_linked', target: targetUser(account), details })
}

/** @throws {Failure} password_required; identity_not_found, also for another user's; last_login_method */
export async function deleteIdentity(
  deps: Deps,
  { caller, address, params }: RequestOrigin & { params: { id: string } },
) {
  await confirmRecently(deps, { caller, address })
  const { account } = caller
  const provider = await deps.db.transaction().execute(async (db) => {
    await lockSession(db, lockOf(caller))
    const deleted = await db
      .deleteFrom('identities')
      .where('id', '=', params.id)
      .where('user_id', '=', account.id)
      .returning('provider')
      .executeTakeFirst()
    if (!deleted) throw new Failure('identity_not_found')
    await assertCanStillLogIn({ ...deps, db }, account)
    const entry = { action: 'identity_unlinked', target: targetUser(account), details: deleted } as const
    await audit({ ...deps, db }, { actor: caller, address, ...entry })
    await notifyUser({ ...deps, db }, account.id, loginWayMail(mailSite(deps), { way: 'identity', change: 'removed' }))
    return deleted.provider
  })
  deps.log.info({ user: account.id, provider }, 'login provider disconnected')
  return { success: true as const }
}
