// The factors of an account: what it has, and their removal by its user or the operator.
import type { Kysely } from 'kysely'
import type { Security } from '../../../../contract/endpoints/factors.ts'
import type { IdentitiesTable, Schema } from '../../../db/schema.ts'
import { audit, type AuditDeps, targetUser } from '../../audit/audit.ts'
import type { Account, RequestOrigin, UserCaller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { isoTime, isoTimeOrNull } from '../../shared/iso-time.ts'
import { Failure } from '../../shared/failure.ts'
import { notifyUser } from '../../mail/mail-queue.ts'
import { loginWayMail, mailSite } from '../../mail/mail-texts.ts'
import { lockOf, lockSession } from '../../shared/session-expiry.ts'
import { lockUser } from '../../shared/transaction-locks.ts'
import { getByEmail } from '../account-rows.ts'
import { confirmRecently } from '../confirm-password.ts'
import { passkeysOf, toPasskey } from './passkeys.ts'
import { countRecoveryCodes } from './recovery-codes.ts'
import { type Factor, factorsOf, factorTables, requiresFactor } from './required-factor.ts'
import { endAllSessions } from '../sessions.ts'

export const getSecurity = (deps: Deps, { caller }: { caller: UserCaller }): Promise<Security> =>
  securityOf(deps, caller.account)

export async function securityOf(deps: Pick<Deps, 'db'>, account: Account): Promise<Security> {
  const [totp, passkeys, recoveryCodes, identities] = await Promise.all([
    deps.db
      .selectFrom('totp_factors')
      .select('confirmed_at')
      .where('user_id', '=', account.id)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst(),
    passkeysOf(deps, account.id),
    countRecoveryCodes(deps.db, account.id),
    deps.db
      .selectFrom('identities')
      .selectAll()
      .where('user_id', '=', account.id)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  ])
  return {
    hasPassword: account.password_hash !== '',
    totp: totp ? { createdAt: isoTime(totp.confirmed_at ?? 0) } : null,
    passkeys: passkeys.map(toPasskey),
    recoveryCodes,
    identities: identities.map(toIdentity),
  }
}

/** @throws {Failure} password_required; totp_not_found; last_factor */
export async function deleteTotp(deps: Deps, { caller, address }: RequestOrigin) {
  await removeFactor(deps, { caller, address }, async (db, userId) => {
    const { numDeletedRows } = await db
      .deleteFrom('totp_factors')
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new Failure('totp_not_found')
    return { factor: 'totp' }
  })
  return { success: true as const }
}

/** @throws {Failure} password_required; passkey_not_found, also for another user's; last_factor, last_login_method */
export async function deletePasskey(
  deps: Deps,
  { caller, address, params }: RequestOrigin & { params: { id: string } },
) {
  await removeFactor(deps, { caller, address }, async (db, userId) => {
    const deleted = await db
      .deleteFrom('passkeys')
      .where('id', '=', params.id)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst()
    if (!deleted) throw new Failure('passkey_not_found')
    await assertCanStillLogIn({ ...deps, db }, caller.account)
    return { factor: 'passkey', passkey: deleted.id }
  })
  return { success: true as const }
}

/** @param remove returns details for the audit log */
async function removeFactor(
  deps: Deps,
  { caller, address }: RequestOrigin,
  remove: (db: Kysely<Schema>, userId: string) => Promise<{ factor: Factor; passkey?: string }>,
): Promise<void> {
  await confirmRecently(deps, { caller, address })
  const { account } = caller
  const details = await deps.db.transaction().execute(async (db) => {
    await lockSession(db, lockOf(caller))
    const removed = await remove(db, account.id)
    if ((await factorsOf(db, account.id)).length === 0) {
      if (requiresFactor(deps.config, account)) throw new Failure('last_factor')
      await db.deleteFrom('recovery_codes').where('user_id', '=', account.id).execute()
    }
    const entry = { action: 'factor_removed', target: targetUser(account), details: removed } as const
    await audit({ ...deps, db }, { actor: caller, address, ...entry })
    const way = removed.factor
    await notifyUser({ ...deps, db }, account.id, loginWayMail(mailSite(deps), { way, change: 'removed' }))
    return removed
  })
  deps.log.info({ user: account.id, factor: details.factor }, 'second factor removed')
}

/** @param deps.db a transaction that has removed a way to log in. @throws {Failure} last_login_method */
export async function assertCanStillLogIn(deps: Pick<Deps, 'db' | 'config'>, account: Account): Promise<void> {
  if (account.password_hash !== '' && deps.config.PASSWORD_LOGIN) return
  const identity = deps.db.selectFrom('identities').select('id').where('user_id', '=', account.id).limit(1)
  if (await identity.executeTakeFirst()) return
  if ((await passkeysOf(deps, account.id)).length === 0) throw new Failure('last_login_method')
}

/**
 * Removes the second factors of a user who has lost them all, and ends their sessions.
 * @returns how many factors were removed
 * @throws {Failure} user_not_found
 */
export async function resetFactors(deps: AuditDeps & Pick<Deps, 'log' | 'mail'>, email: string): Promise<number> {
  const account = await getByEmail(deps, email)
  const removed = await deps.db.transaction().execute(async (db) => {
    await lockUser(db, account.id)
    const passkeys = await passkeysOf({ db }, account.id)
    const factors = await factorsOf(db, account.id)
    await removeAllFactors(db, account.id)
    await endAllSessions(db, account.id)
    const of = { actor: 'command_line', action: 'factor_removed', target: targetUser(account) } as const
    const details: Record<Factor, { passkey?: string }[]> = {
      totp: factors.includes('totp') ? [{}] : [],
      passkey: passkeys.map(({ id }) => ({ passkey: id })),
    }
    const removed = (Object.keys(details) as Factor[]).flatMap((factor) =>
      details[factor].map((more) => ({ factor, ...more })),
    )
    await audit({ ...deps, db }, ...removed.map((one) => ({ ...of, details: one })))
    for (const { factor: way } of removed)
      await notifyUser({ ...deps, db }, account.id, loginWayMail(mailSite(deps), { way, change: 'removed' }))
    return removed.length
  })
  deps.log.info({ user: account.id, removed }, 'second factors removed by the operator')
  return removed
}

/** Also a secret that is being set up. @param db a transaction that has written the user's row */
async function removeAllFactors(db: Kysely<Schema>, userId: string): Promise<void> {
  for (const { table } of Object.values(factorTables))
    await db.deleteFrom(table).where('user_id', '=', userId).execute()
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/**
 * Removes every way to log in but the password, and the browsers whose logins are not announced: someone may have left
 * them who never proved that the address is theirs.
 * @param db a transaction that has written the user's row
 */
export async function removeOtherLogins(db: Kysely<Schema>, userId: string): Promise<void> {
  await removeAllFactors(db, userId)
  for (const table of ['identities', 'known_browsers'] as const)
    await db.deleteFrom(table).where('user_id', '=', userId).execute()
}

const toIdentity = (row: IdentitiesTable): Security['identities'][number] => ({
  id: row.id,
  provider: row.provider,
  email: row.email,
  createdAt: isoTime(row.created_at),
  lastUsedAt: isoTimeOrNull(row.last_used_at),
})
