// Logging in with a passkey. One whose counter falls behind may be a copy, and is refused.
import type { PasskeyAssertion } from '../../../../contract/endpoints/factors.ts'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import {
  type AtSite,
  altered,
  consumeChallenge,
  loadLibrary,
  newChallenge,
  requireValid,
  toDescriptor,
} from './passkey-challenges.ts'

/** Whose challenge that of a login is. */
const anyone = 'anyone'

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
