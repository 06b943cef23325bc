// The way to a login provider and back. State, nonce and PKCE verifier follow from the id of the login and the server's secret, so
// that no server stores them.
import { createHmac } from 'node:crypto'
import { isEmail } from '../../../../contract/endpoints/accounts.ts'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import { paths } from '../../../../contract/plain/page-paths.ts'
import {
  type Claims,
  type IdentityProvider,
  type LoginSecrets,
  ProviderRefused,
  type ProviderSettings,
  ProviderUnavailable,
  reasonsOf,
} from '../../../identity-providers.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { newId } from '../../shared/secrets.ts'
import { signToken, verifyToken } from '../../shared/signed-token.ts'
import { throttleFailures } from '../../shared/throttle.ts'
import { useOnce } from '../../shared/used-tokens.ts'
import { auditFailedLogin } from '../login.ts'
import { normalEmail } from '../account-rows.ts'

/** Where the browser is: the origin of the page. */
export interface AtSite {
  siteUrl: string
}

/** A user whom a provider has identified. */
export interface ProviderLogin {
  settings: ProviderSettings
  claims: Claims
  /** Of the client. */
  address: string
}

/** The address of the user, if the provider has confirmed it. */
export function confirmedEmail({ settings, claims }: ProviderLogin): string | undefined {
  const { email, email_verified: isVerified } = claims
  const isConfirmed = isVerified === true || (isVerified === undefined && settings.assumeEmailVerified)
  return isConfirmed && typeof email === 'string' && isEmail(email) ? normalEmail(email) : undefined
}

const audience = 'oidc'
/** Of a login, in place of the id of an account. */
const anyone = 'anyone'

export interface LoginOf extends AtSite {
  /** The id of the account that the provider is to be connected with; undefined: a login. */
  userId?: string
  /** The session that connects it. */
  sessionId?: string
}

/** @throws {Failure} provider_not_found, provider_unavailable */
export async function startAtProvider(
  deps: Deps,
  { provider: id, siteUrl, userId = anyone, sessionId = '' }: LoginOf & { provider: string },
): Promise<{ url: string; token: string }> {
  const provider = findProvider(deps, id)
  const jti = newId(deps)
  const url = await atProvider(deps, provider, () => provider.authorizationUrl(secretsOf(deps, jti, siteUrl)))
  const exp = Math.floor((deps.now() + accountLimits.factors.challengeMs) / 1000)
  const claims = { aud: audience, sub: userId, jti, exp, sid: sessionId, provider: id }
  return { url, token: await signToken(deps, claims) }
}

/**
 * Returns what the provider says about the returning user.
 * @param body.token of {@link startAtProvider}, accepted once
 * @returns also the account and the session that connect the provider; undefined: a login
 * @throws {Failure} challenge_ended; provider_not_found, provider_unavailable, provider_refused; too_many_requests
 */
export function returnFromProvider(
  deps: Deps,
  { body, address, siteUrl }: AtSite & { body: { token: string; query: string }; address: string },
): Promise<{ login: ProviderLogin; connects: { userId: string; sessionId: string } | undefined }> {
  return limitRefusals(deps, address, async () => {
    const { sub, sid, jti, provider: id } = await verifyToken(deps, body.token, audience, 'challenge_ended')
    const provider = findProvider(deps, String(id))
    const isFirst = await useOnce(deps, { kind: 'oidc', id: jti, lifetimeMs: accountLimits.factors.challengeMs })
    if (!isFirst) throw new Failure('challenge_ended')
    const claims = await atProvider(deps, provider, () => provider.claims(body.query, secretsOf(deps, jti, siteUrl)))
    const connects = sub === anyone ? undefined : { userId: sub, sessionId: sid }
    return { login: { settings: provider.settings, claims, address }, connects }
  })
}

/** @throws {Failure} provider_not_found */
function findProvider({ identityProviders }: Pick<Deps, 'identityProviders'>, id: string): IdentityProvider {
  const provider = identityProviders.get(id)
  if (!provider) throw new Failure('provider_not_found')
  return provider
}

function secretsOf({ jwtSecret }: Pick<Deps, 'jwtSecret'>, jti: string, siteUrl: string): LoginSecrets {
  const derive = (name: string) => createHmac('sha256', jwtSecret).update(`oidc ${name} ${jti}`).digest('base64url')
  return {
    redirectUri: siteUrl + paths.loginReturn,
    state: derive('state'),
    nonce: derive('nonce'),
    verifier: derive('verifier'),
  }
}

/** @throws {Failure} provider_unavailable, provider_refused */
async function atProvider<T>(
  deps: Pick<Deps, 'log'>,
  { settings }: IdentityProvider,
  use: () => Promise<T>,
): Promise<T> {
  try {
    return await use()
  } catch (error) {
    const { id, name } = settings
    const isRefusal = error instanceof ProviderRefused
    if (!isRefusal && !(error instanceof ProviderUnavailable)) throw error
    const what = isRefusal ? 'A login at a provider was refused' : 'A login provider is unavailable'
    deps.log.warn({ provider: id, reasons: reasonsOf(error) }, what)
    throw isRefusal
      ? new Failure('provider_refused', { name, problem: error.message }, { cause: error })
      : new Failure('provider_unavailable', { name }, { cause: error })
  }
}

/** Counts and logs refused logins of an address. @throws {Failure} too_many_requests */
async function limitRefusals<T>(deps: Deps, address: string, attempt: () => Promise<T>): Promise<T> {
  let refusal: Failure | undefined
  const limit = { key: `oidc-address:${address}`, ...accountLimits.login.perAddress }
  const result = await throttleFailures(deps, limit, () =>
    attempt().catch((error: unknown) => {
      if (!(error instanceof Failure) || !['challenge_ended', 'provider_refused'].includes(error.code)) throw error
      refusal = error
      return null
    }),
  )
  if (refusal === undefined) return result as T
  await auditFailedLogin(deps, { email: '', address }, undefined, refusal.code)
  throw refusal
}
