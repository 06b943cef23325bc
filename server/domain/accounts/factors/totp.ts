// Authenticator apps: time-based one-time passwords (RFC 6238).
import type { Kysely } from 'kysely'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import type { Schema } from '../../../db/schema.ts'
import { audit, targetUser } from '../../audit/audit.ts'
import type { Account, RequestOrigin } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { notifyUser } from '../../mail/mail-queue.ts'
import { loginWayMail, mailSite } from '../../mail/mail-texts.ts'
import { lockOf, lockSession } from '../../shared/session-expiry.ts'
import { throttleFailures } from '../../shared/throttle.ts'
import { confirmRecently } from '../confirm-password.ts'
import { createFirstRecoveryCodes } from './recovery-codes.ts'
import { noteSecondFactor, stateOf } from './required-factor.ts'

const stepMs = 30_000
/** Steps before and after the current one whose codes are accepted, for clocks that differ by half a minute. */
const window = 1

/** @throws {Failure} password_required; totp_exists */
export async function startTotp(deps: Deps, { caller, address }: RequestOrigin) {
  await confirmRecently(deps, { caller, address })
  const { Secret, TOTP } = await import('otpauth')
  const { account } = caller
  const secret = new Secret({ buffer: new Uint8Array(deps.randomBytes(20)).buffer })
  const fresh = { secret: secret.base32, created_at: deps.now(), last_step: 0 }
  const { numInsertedOrUpdatedRows: changed } = await deps.db
    .insertInto('totp_factors')
    .values({ user_id: account.id, ...fresh })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(fresh).where('totp_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirst()
  if (changed === 0n) throw new Failure('totp_exists')
  const uri = new TOTP({ issuer: deps.config.SITE_NAME, label: account.email, secret }).toString()
  return { secret: secret.base32, uri }
}

/** @throws {Failure} totp_not_found; wrong_code; too_many_requests */
export async function confirmTotp(
  deps: Deps,
  { caller, address, body }: RequestOrigin & { body: { code: string } },
): Promise<{ success: true; recoveryCodes?: string[] }> {
  const { account } = caller
  const pending = deps.db.selectFrom('totp_factors').select('user_id').where('user_id', '=', account.id)
  if (!(await pending.where('confirmed_at', 'is', null).executeTakeFirst())) throw new Failure('totp_not_found')
  const confirmed = await limitCodes(deps, { account, address, code: body.code }, () =>
    deps.db.transaction().execute(async (db) => {
      await lockSession(db, lockOf(caller))
      if (!(await acceptTotp({ ...deps, db }, account.id, body.code, 'pending'))) return null
      await db.updateTable('totp_factors').set({ confirmed_at: deps.now() }).where('user_id', '=', account.id).execute()
      await noteSecondFactor(db, caller)
      const entry = { action: 'factor_added', target: targetUser(account), details: { factor: 'totp' } } as const
      await audit({ ...deps, db }, { actor: caller, address, ...entry })
      await notifyUser({ ...deps, db }, account.id, loginWayMail(mailSite(deps), { way: 'totp', change: 'added' }))
      const recoveryCodes = await createFirstRecoveryCodes({ ...deps, db }, { caller, address })
      return { success: true as const, ...(recoveryCodes && { recoveryCodes }) }
    }),
  )
  if (!confirmed) throw new Failure('wrong_code')
  deps.log.info({ user: account.id, factor: 'totp' }, 'second factor added')
  return confirmed
}

const digitsOf = (code: string) => code.replace(/\s/g, '')
const isAppCode = (code: string) => /^\d{6}$/.test(digitsOf(code))

/**
 * Accepts a code once: its time step is stored, and it and older ones are refused from then on.
 * @param deps.db a transaction, or the database
 */
export async function acceptTotp(
  deps: Pick<Deps, 'now'> & { db: Kysely<Schema> },
  userId: string,
  code: string,
  state: 'pending' | 'confirmed' = 'confirmed',
): Promise<boolean> {
  const stored = deps.db.selectFrom('totp_factors').select('secret').where('user_id', '=', userId)
  const found = await stored.where('confirmed_at', state === 'pending' ? 'is' : 'is not', null).executeTakeFirst()
  if (!found || !isAppCode(code)) return false
  const token = digitsOf(code)
  const { Secret, TOTP } = await import('otpauth')
  const timestamp = deps.now()
  const delta = TOTP.validate({ token, secret: Secret.fromBase32(found.secret), timestamp, window })
  if (delta === null) return false
  const step = Math.floor(timestamp / stepMs) + delta
  const { numUpdatedRows: used } = await deps.db
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('secret', '=', found.secret)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return used > 0n
}

const { perAccountAndAddress, perAccount } = accountLimits.factors.codes

/**
 * Limits wrong codes of a client address at an account and, for the six digits of an app, of all addresses together. Others
 * therefore cannot keep the owner from a recovery code, and a new password, which ends their challenges, starts the total anew.
 * @param attempt returns null when the code was wrong
 * @throws {Failure} too_many_requests
 */
export function limitCodes<T>(
  deps: Pick<Deps, 'counters' | 'now'>,
  { account, address, code }: { account: Account; address: string; code: string },
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const total = { key: `code-account:${stateOf(account)}`, ...perAccount }
  return throttleFailures(deps, { key: `code:${account.id} ${address}`, ...perAccountAndAddress }, () =>
    isAppCode(code) ? throttleFailures(deps, total, attempt) : attempt(),
  )
}
