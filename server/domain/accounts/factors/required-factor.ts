// Which accounts have a second factor, and which sessions need one (docs/decisions/0049).
import type { Kysely } from 'kysely'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import type { Schema } from '../../../db/schema.ts'
import { type Account, type Caller, type Session, sessionOf, type UserCaller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { hashSecret, newId } from '../../shared/secrets.ts'
import { signToken, verifyToken } from '../../shared/signed-token.ts'

export type Factor = 'totp' | 'passkey'

/** The table of each kind, with the rows of those that are set up. A new kind does not compile without its row. */
export const factorTables = {
  totp: {
    table: 'totp_factors',
    find: (db, userId) =>
      db
        .selectFrom('totp_factors')
        .select('user_id')
        .where('confirmed_at', 'is not', null)
        .where('user_id', '=', userId),
  },
  passkey: {
    table: 'passkeys',
    find: (db, userId) => db.selectFrom('passkeys').select('user_id').where('user_id', '=', userId).limit(1),
  },
} as const satisfies Record<
  Factor,
  { table: keyof Schema; find: (db: Kysely<Schema>, userId: string) => { executeTakeFirst: () => Promise<unknown> } }
>

/** @param db a transaction when the factors must not change meanwhile */
export async function factorsOf(db: Kysely<Schema>, userId: string): Promise<Factor[]> {
  const kinds = Object.keys(factorTables) as Factor[]
  const found = await Promise.all(kinds.map((kind) => factorTables[kind].find(db, userId).executeTakeFirst()))
  return kinds.filter((_, at) => found[at] !== undefined)
}

export const requiresFactor = ({ REQUIRE_2FA: who }: Deps['config'], { role }: Pick<Account, 'role'>): boolean =>
  who === 'all' || (who === 'admins' && role === 'admin')

/** Whether a session was started without the factor that this server requires. */
export const needsSecondFactor = (
  { config }: Pick<Deps, 'config'>,
  account: Account,
  { hasSecondFactor = false }: Pick<Session, 'hasSecondFactor'>,
): boolean => !hasSecondFactor && requiresFactor(config, account)

/** API keys were created by a session that had a factor, if one was required. @throws {Failure} second_factor_missing */
export function assertHasRequiredFactor(deps: Pick<Deps, 'config'>, caller: Caller): void {
  if (caller.kind === 'guest' || 'apiKeyId' in caller.by) return
  if (needsSecondFactor(deps, caller.account, caller.by)) throw new Failure('second_factor_missing')
}

const audience = 'second-factor'

/**
 * Lets an account without a second factor pass.
 * @param method how its user has proven the first one
 * @throws {Failure} second_factor_required, with a token that proves the same
 */
export async function requireSecondFactor(deps: Deps, account: Account, method: string): Promise<void> {
  const factors = await factorsOf(deps.db, account.id)
  if (factors.length === 0) return
  const lifetime = { exp: Math.floor((deps.now() + accountLimits.factors.challengeMs) / 1000) }
  const claims = { aud: audience, sub: account.id, jti: newId(deps), sid: stateOf(account), method, ...lifetime }
  throw new Failure('second_factor_required', {}, { details: { challenge: await signToken(deps, claims), factors } })
}

/**
 * Returns the account whose first factor the token proves, and how it was proven.
 * @throws {Failure} challenge_ended: forged, expired, or the account has changed; inactive_account
 */
export async function readChallenge(deps: Deps, challenge: string): Promise<{ account: Account; method: string }> {
  const { sub, sid, method } = await verifyToken(deps, challenge, audience, 'challenge_ended')
  const account = await deps.db.selectFrom('users').selectAll().where('id', '=', sub).executeTakeFirst()
  if (!account || stateOf(account) !== sid) throw new Failure('challenge_ended')
  if (account.status !== 'Active') throw new Failure('inactive_account')
  return { account, method: String(method) }
}

/** Changes with the password: a challenge does not outlive the password that it was given for. */
export const stateOf = ({ id, password_hash: hash }: Account) => hashSecret(`${id} ${hash}`).slice(0, 32)

/** Notes that the caller's session has proven a second factor. @param db a transaction that adds or checks the factor */
export async function noteSecondFactor(db: Kysely<Schema>, caller: UserCaller): Promise<void> {
  const { sessionId } = sessionOf(caller)
  await db.updateTable('sessions').set({ has_second_factor: 1 }).where('id', '=', sessionId).execute()
}
