// Logins at other sites by OpenID Connect: authorization code flow with PKCE. Its library is loaded at the first login
// (docs/decisions/0050).
import type { ClientAuth, Configuration } from 'openid-client'

/** One entry of OIDC_PROVIDERS. */
export interface ProviderSettings {
  id: string
  /** As people know it. */
  name: string
  issuer: string
  clientId: string
  clientSecret?: string | undefined
  scopes: string
  domains?: string[] | undefined
  autoCreate: boolean
  assumeEmailVerified: boolean
  admins?: { claim: string; value: string | boolean } | undefined
}

/** What one login at a provider and its return have in common. All random but `redirectUri`. */
export interface LoginSecrets {
  redirectUri: string
  state: string
  nonce: string
  /** Of PKCE (RFC 7636). */
  verifier: string
}

/** The claims about a user, from the ID token and the userinfo endpoint. */
export type Claims = Record<string, unknown> & { iss: string; sub: string }

export interface IdentityProvider {
  settings: ProviderSettings
  /** Reads the provider's own description. @throws {ProviderUnavailable} */
  verify(): Promise<void>
  /** Returns the address where the browser logs in. @throws {ProviderUnavailable} */
  authorizationUrl(secrets: LoginSecrets): Promise<string>
  /**
   * Exchanges the code for the claims.
   * @param query of the address that the provider sent the browser to
   * @throws {ProviderUnavailable}, {ProviderRefused}
   */
  claims(query: string, secrets: LoginSecrets): Promise<Claims>
}

export type IdentityProviders = ReadonlyMap<string, IdentityProvider>

/** The provider does not respond, or not as a provider. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
}

/** The provider or a check refused the login. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
}

const timeoutS = 5
/** Keys and addresses of a provider are read again after this time. */
const discoveryMs = 60 * 60 * 1000
/** Tolerated difference between the clocks of both servers. */
const clockToleranceS = 60

export const openIdentityProviders = (settings: readonly ProviderSettings[]): IdentityProviders =>
  new Map(settings.map((one) => [one.id, openProvider(one)]))

const loadLibrary = () => import('openid-client')

function openProvider(settings: ProviderSettings): IdentityProvider {
  const discover = discoverOnce(settings)
  return {
    settings,

    async verify() {
      await discover()
    },

    async authorizationUrl({ redirectUri, state, nonce, verifier }) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await loadLibrary()
      return buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href
    },

    async claims(query, { redirectUri, state, nonce, verifier }) {
      const { authorizationCodeGrant, fetchUserInfo } = await loadLibrary()
      const configuration = await discover()
      return translateErrors(async () => {
        const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new ProviderRefused('it sent no ID token')
        // Many providers have the address, and others the groups, at the userinfo endpoint only.
        const isComplete = ['email', settings.admins?.claim ?? 'sub'].every((name) => claims[name] !== undefined)
        if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return claims
        return { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
      })
    },
  }
}

/** A failed discovery is repeated by the next login. */
function discoverOnce({ issuer, clientId, clientSecret }: ProviderSettings): () => Promise<Configuration> {
  let found: { configuration: Promise<Configuration>; until: number } | undefined
  return () => {
    if (found !== undefined && performance.now() < found.until) return found.configuration
    const configuration = discover()
    found = { configuration, until: performance.now() + discoveryMs }
    configuration.catch(() => (found = undefined))
    return configuration
  }

  async function discover(): Promise<Configuration> {
    // oxlint-disable-next-line typescript/no-deprecated -- deprecated to stand out; only for a provider on this machine
    const { allowInsecureRequests, clockTolerance, discovery, enableNonRepudiationChecks } = await loadLibrary()
    const client = { [clockTolerance]: clockToleranceS }
    const authentication = clientSecret === undefined ? undefined : await authenticateBy(clientSecret)
    // By default the library trusts TLS instead of the signature of an ID token. http is for this machine only: config.ts.
    const execute = [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])]
    try {
      return await discovery(new URL(issuer), clientId, client, authentication, { execute, timeout: timeoutS })
    } catch (error) {
      throw new ProviderUnavailable(`${issuer} was not discovered: ${reasonsOf(error).join(': ')}`, { cause: error })
    }
  }
}

/** Basic authentication is the default of OpenID Connect Core, and not of the library. */
async function authenticateBy(secret: string): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost } = await loadLibrary()
  return (server, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    const authenticate = methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
    return authenticate(server, ...request)
  }
}

/** The messages of an error and its causes. Other fields may contain claims. */
export const reasonsOf = (error: unknown): string[] =>
  error instanceof Error ? [error.message, ...reasonsOf(error.cause)] : []

/** Codes of the library for a provider that does not respond as one; its other errors are failed checks. */
const unavailable = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_PARSE_ERROR']

async function translateErrors<T>(work: () => Promise<T>): Promise<T> {
  const library = await loadLibrary()
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderRefused) throw error
    if (error instanceof library.AuthorizationResponseError && error.error === 'access_denied')
      throw new ProviderRefused('it was cancelled there', { cause: error })
    const isRefusal =
      error instanceof library.AuthorizationResponseError ||
      error instanceof library.ResponseBodyError ||
      error instanceof library.WWWAuthenticateChallengeError ||
      (error instanceof library.ClientError && !unavailable.includes(error.code ?? ''))
    if (isRefusal) throw new ProviderRefused('its response does not belong to this login', { cause: error })
    throw new ProviderUnavailable('A request failed', { cause: error })
  }
}
