// Passkeys (WebAuthn Level 3). An authenticator verifies its user, so that a passkey alone is a login with two factors.
// The library is loaded when it is first used: it takes 0.3 s and 30 MB.
import type { WebAuthnCredential } from '@simplewebauthn/server'
import type { PasskeyAssertion, PasskeyAttestation, Passkey } from '../../../../contract/endpoints/factors.ts'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import type { PasskeysTable } from '../../../db/schema.ts'
import { audit, targetUser } from '../../audit/audit.ts'
import type { RequestOrigin, UserCaller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { notifyUser } from '../../mail/mail-queue.ts'
import { loginWayMail, mailSite } from '../../mail/mail-texts.ts'
import { newId, newSecret } from '../../shared/secrets.ts'
import { lockOf, lockSession } from '../../shared/session-expiry.ts'
import { signToken, verifyToken } from '../../shared/signed-token.ts'
import { useOnce } from '../../shared/used-tokens.ts'
import { confirmRecently } from '../confirm-password.ts'
import { createFirstRecoveryCodes } from './recovery-codes.ts'
import { noteSecondFactor } from './required-factor.ts'

/** Where the passkey is used: the origin of the page. */
interface AtSite {
  siteUrl: string
}

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

export async function startPasskeyLogin(deps: Deps, { siteUrl }: AtSite) {
  const { generateAuthenticationOptions } = await loadLibrary()
  const { challenge, token } = await newChallenge(deps, anyone)
  const options = await generateAuthenticationOptions({
    rpID: new URL(siteUrl).hostname,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
    timeout: accountLimits.factors.challengeMs,
  })
  return { options: { ...options }, token }
}

/**
 * Verifies a response to {@link startPasskeyLogin} and notes the use of the passkey.
 * @returns the id of its user
 * @throws {Failure} challenge_ended; passkey_refused
 */
export async function verifyPasskey(
  deps: Deps,
  { token, response, siteUrl }: AtSite & { token: string; response: PasskeyAssertion },
): Promise<string> {
  const expectedChallenge = await consumeChallenge(deps, token, anyone)
  const stored = await deps.db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', response.id)
    .executeTakeFirst()
  if (!stored) throw new Failure('passkey_refused', { problem: 'it is not known here, or was removed' })
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { userHandle, ...signed } = response.response
  const { verified, authenticationInfo: used } = await requireValid(
    verifyAuthenticationResponse({
      response: {
        ...response,
        response: { ...signed, ...(userHandle !== undefined && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: siteUrl,
      expectedRPID: new URL(siteUrl).hostname,
      // The library compares counters before it verifies the signature: an altered response must not look like a copy.
      credential: {
        ...toDescriptor(stored),
        publicKey: new Uint8Array(Buffer.from(stored.public_key, 'base64url')),
        counter: 0,
      },
    }),
  )
  const isOfUser = userHandle === undefined || userHandle === Buffer.from(stored.user_id).toString('base64url')
  if (!verified || !isOfUser) throw new Failure('passkey_refused', { problem: altered })
  // The counter of a copy falls behind, unless the authenticator does not count.
  const isCounted = used.newCounter > 0 || stored.counter > 0
  const use = {
    counter: used.newCounter,
    is_synced: used.credentialBackedUp ? 1 : 0,
    last_used_at: deps.now(),
  } as const
  const { numUpdatedRows: noted } = await deps.db
    .updateTable('passkeys')
    .set(use)
    .where('id', '=', stored.id)
    .$if(isCounted, (query) => query.where('counter', '<', used.newCounter))
    .executeTakeFirst()
  if (noted > 0n) return stored.user_id
  deps.log.warn(
    { user: stored.user_id, passkey: stored.id },
    'A passkey was used whose counter is behind: it may be a copy',
  )
  throw new Failure('passkey_refused', {
    problem: 'it was used by a copy of it, or was removed. Remove it on the account page',
  })
}

const altered = 'it is of another site, or its response was altered'

/** The library throws an Error for every check that fails. @throws {Failure} passkey_refused */
async function requireValid<T>(verification: Promise<T>): Promise<T> {
  try {
    return await verification
  } catch (error) {
    throw new Failure('passkey_refused', { problem: altered }, { cause: error })
  }
}

const audience = 'passkey'
/** Whose challenge that of a login is. */
const anyone = 'anyone'

/** The challenge is the id of the token, which makes it stateless. */
async function newChallenge(deps: Deps, sub: string): Promise<{ challenge: string; token: string }> {
  const challenge = newSecret(deps)
  const exp = Math.floor((deps.now() + accountLimits.factors.challengeMs) / 1000)
  return { challenge, token: await signToken(deps, { aud: audience, sub, jti: challenge, exp }) }
}

/** Returns the challenge of a token, once. @throws {Failure} challenge_ended */
async function consumeChallenge(deps: Deps, token: string, expectedSub: string): Promise<string> {
  const { sub, jti } = await verifyToken(deps, token, audience, 'challenge_ended')
  const isFirst = await useOnce(deps, { kind: 'passkey', id: jti, lifetimeMs: accountLimits.factors.challengeMs })
  if (sub !== expectedSub || !isFirst) throw new Failure('challenge_ended')
  return jti
}

/** @throws {Failure} too_many_passkeys */
function assertNotTooMany(count: number): void {
  const { maxPasskeys: limit } = accountLimits.factors
  if (count >= limit) throw new Failure('too_many_passkeys', { limit })
}

export const passkeysOf = ({ db }: Pick<Deps, 'db'>, userId: string): Promise<PasskeysTable[]> =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('created_at').orderBy('id').execute()

const toDescriptor = ({
  credential_id: id,
  transports,
}: PasskeysTable): Pick<WebAuthnCredential, 'id' | 'transports'> => ({
  id,
  ...(transports !== '' && { transports: transports.split(',') }),
})

export const toPasskey = (row: PasskeysTable): Passkey => ({
  id: row.id,
  name: row.name,
  isSynced: row.is_synced === 1,
  createdAt: new Date(row.created_at).toISOString(),
  lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
})

const loadLibrary = () => import('@simplewebauthn/server')
