// What adding a passkey and logging in with one share: the challenge, each good for one response, and the library, which is loaded
// when it is first used: it takes 0.3 s and 30 MB.
import type { WebAuthnCredential } from '@simplewebauthn/server'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import type { PasskeysTable } from '../../../db/schema.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { newSecret } from '../../shared/secrets.ts'
import { signToken, verifyToken } from '../../shared/signed-token.ts'
import { useOnce } from '../../shared/used-tokens.ts'

/** Where the passkey is used: the origin of the page. */
export interface AtSite {
  siteUrl: string
}

export const loadLibrary = () => import('@simplewebauthn/server')

export const altered = 'it is of another site, or its response was altered'

/** The library throws an Error for every check that fails. @throws {Failure} passkey_refused */
export async function requireValid<T>(verification: Promise<T>): Promise<T> {
  try {
    return await verification
  } catch (error) {
    throw new Failure('passkey_refused', { problem: altered }, { cause: error })
  }
}

const audience = 'passkey'

/** The challenge is the id of the token, which makes it stateless. */
export async function newChallenge(deps: Deps, sub: string): Promise<{ challenge: string; token: string }> {
  const challenge = newSecret(deps)
  const exp = Math.floor((deps.now() + accountLimits.factors.challengeMs) / 1000)
  return { challenge, token: await signToken(deps, { aud: audience, sub, jti: challenge, exp }) }
}

/** Returns the challenge of a token, once. @throws {Failure} challenge_ended */
export async function consumeChallenge(deps: Deps, token: string, expectedSub: string): Promise<string> {
  const { sub, jti } = await verifyToken(deps, token, audience, 'challenge_ended')
  const isFirst = await useOnce(deps, { kind: 'passkey', id: jti, lifetimeMs: accountLimits.factors.challengeMs })
  if (sub !== expectedSub || !isFirst) throw new Failure('challenge_ended')
  return jti
}

export const toDescriptor = ({
  credential_id: id,
  transports,
}: PasskeysTable): Pick<WebAuthnCredential, 'id' | 'transports'> => ({
  id,
  ...(transports !== '' && { transports: transports.split(',') }),
})
