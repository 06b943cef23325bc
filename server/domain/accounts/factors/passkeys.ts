// The passkeys of an account (WebAuthn Level 3): added and renamed. An authenticator verifies its user, so that a passkey alone
// is a login with two factors (passkey-login.ts).
import type { PasskeyAttestation, Passkey } from '../../../../contract/endpoints/factors.ts'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import type { PasskeysTable } from '../../../db/schema.ts'
import { audit, targetUser } from '../../audit/audit.ts'
import type { RequestOrigin, UserCaller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { notifyUser } from '../../mail/mail-queue.ts'
import { loginWayMail, mailSite } from '../../mail/mail-texts.ts'
import { newId } from '../../shared/secrets.ts'
import { lockOf, lockSession } from '../../shared/session-expiry.ts'
import { confirmRecently } from '../confirm-password.ts'
import {
  type AtSite,
  altered,
  consumeChallenge,
  loadLibrary,
  newChallenge,
  requireValid,
  toDescriptor,
} from './passkey-challenges.ts'
import { createFirstRecoveryCodes } from './recovery-codes.ts'
import { noteSecondFactor } from './required-factor.ts'

/** Node 20 verifies these. By default newer versions also offer ML-DSA, which it cannot verify. */
const algorithms = { ed25519: -8, es256: -7, rs256: -257 }
const supportedAlgorithmIDs = Object.values(algorithms)

/** @throws {Failure} password_required; too_many_passkeys */
export async function startPasskey(deps: Deps, { caller, address, siteUrl }: RequestOrigin & AtSite) {
  await confirmRecently(deps, { caller, address })
  const { account } = caller
  const stored = await passkeysOf(deps, account.id)
  assertNotTooMany(stored.length)
  const { generateRegistrationOptions } = await loadLibrary()
  const { challenge, token } = await newChallenge(deps, account.id)
  const options = await generateRegistrationOptions({
    rpName: deps.config.SITE_NAME,
    rpID: new URL(siteUrl).hostname,
    userName: account.email,
    userDisplayName: account.name,
    userID: new Uint8Array(Buffer.from(account.id)),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    attestationType: 'none',
    excludeCredentials: stored.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs,
    timeout: accountLimits.factors.challengeMs,
  })
  return { options: { ...options }, token }
}

/** @throws {Failure} challenge_ended, passkey_refused, too_many_passkeys */
export async function addPasskey(
  deps: Deps,
  {
    caller,
    address,
    siteUrl,
    body,
  }: RequestOrigin & AtSite & { body: { token: string; response: PasskeyAttestation; name: string } },
): Promise<{ passkey: Passkey; recoveryCodes?: string[] }> {
  const { account } = caller
  const expectedChallenge = await consumeChallenge(deps, body.token, account.id)
  const { verifyRegistrationResponse } = await loadLibrary()
  const { transports, ...response } = body.response.response
  const { registrationInfo: made } = await requireValid(
    verifyRegistrationResponse({
      response: { ...body.response, response: { ...response }, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: siteUrl,
      expectedRPID: new URL(siteUrl).hostname,
      supportedAlgorithmIDs,
    }),
  )
  if (!made) throw new Failure('passkey_refused', { problem: altered })
  const row: PasskeysTable = {
    id: newId(deps),
    user_id: account.id,
    credential_id: made.credential.id,
    public_key: Buffer.from(made.credential.publicKey).toString('base64url'),
    counter: made.credential.counter,
    transports: (transports ?? []).filter((name) => /^[a-z-]+$/.test(name)).join(','),
    is_synced: made.credentialBackedUp ? 1 : 0,
    name: body.name,
    created_at: deps.now(),
    last_used_at: null,
  }
  const recoveryCodes = await deps.db.transaction().execute(async (db) => {
    await lockSession(db, lockOf(caller))
    assertNotTooMany((await passkeysOf({ db }, account.id)).length)
    const insert = db
      .insertInto('passkeys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
    if ((await insert.executeTakeFirst()).numInsertedOrUpdatedRows === 0n)
      throw new Failure('passkey_refused', { problem: 'it is known already' })
    await noteSecondFactor(db, caller)
    const details = { factor: 'passkey', passkey: row.id }
    const entry = { action: 'factor_added', target: targetUser(account), details } as const
    await audit({ ...deps, db }, { actor: caller, address, ...entry })
    await notifyUser({ ...deps, db }, account.id, loginWayMail(mailSite(deps), { way: 'passkey', change: 'added' }))
    return createFirstRecoveryCodes({ ...deps, db }, { caller, address })
  })
  deps.log.info({ user: account.id, factor: 'passkey' }, 'second factor added')
  return { passkey: toPasskey(row), ...(recoveryCodes && { recoveryCodes }) }
}

/** @throws {Failure} passkey_not_found, also for another user's */
export async function renamePasskey(
  deps: Deps,
  { caller, params, body }: { caller: UserCaller; params: { id: string }; body: { name: string } },
): Promise<Passkey> {
  const renamed = await deps.db
    .updateTable('passkeys')
    .set({ name: body.name })
    .where('id', '=', params.id)
    .where('user_id', '=', caller.account.id)
    .returningAll()
    .executeTakeFirst()
  if (!renamed) throw new Failure('passkey_not_found')
  return toPasskey(renamed)
}

/** @throws {Failure} too_many_passkeys */
function assertNotTooMany(count: number): void {
  const { maxPasskeys: limit } = accountLimits.factors
  if (count >= limit) throw new Failure('too_many_passkeys', { limit })
}

export const passkeysOf = ({ db }: Pick<Deps, 'db'>, userId: string): Promise<PasskeysTable[]> =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('created_at').orderBy('id').execute()

export const toPasskey = (row: PasskeysTable): Passkey => ({
  id: row.id,
  name: row.name,
  isSynced: row.is_synced === 1,
  createdAt: new Date(row.created_at).toISOString(),
  lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
})
