// Registration, and the ways to log in: passwords, second factors, passkeys, providers. Apart from session.ts, which every
// page loads.
import { ApiError } from '../../../model/api-error.ts'
import { client } from '../../../model/http.ts'
import { requestPasskey } from '../security/passkeys.ts'
import { beginSession, setUser } from '../../../model/session.ts'
import { readStored, writeStored } from '../../../model/browser-storage.ts'
import { randomUuid } from '../../../model/uuid.ts'

/** A login that needs a second factor. */
export interface PendingLogin {
  challenge: string
  factors: readonly string[]
}

/**
 * Registering does not log in: the token in the response is not used.
 * @param invite '' without one
 * @param albumInvite to an album, to which a mailed link leads on; '' without one
 * @returns whether a mail was sent, whose link creates the account
 */
export async function register(
  email: string,
  password: string,
  { invite, albumInvite }: { invite: string; albumInvite: string },
): Promise<boolean> {
  const body = {
    email,
    password,
    ...(invite !== '' && { invite }),
    ...(albumInvite !== '' && { album_invite: albumInvite }),
  }
  return 'confirmation' in (await client.register({ body }))
}

/** @returns what is still needed; undefined: the user is logged in. @throws {ApiError} */
export async function loginWithPassword(email: string, password: string): Promise<PendingLogin | undefined> {
  return untilSecondFactor(async () =>
    beginSession(await client.login({ body: { email, password, browser: browserId() } })),
  )
}

export async function loginWithCode({ challenge }: PendingLogin, code: string): Promise<void> {
  beginSession(await client.loginWithCode({ body: { challenge, code, browser: browserId() } }))
}

/** @param pending after a password; without it, the passkey is the whole login */
export async function loginWithPasskey(pending?: PendingLogin): Promise<void> {
  const passkey = await requestPasskey()
  beginSession(
    await client.loginWithPasskey({ body: { ...passkey, challenge: pending?.challenge, browser: browserId() } }),
  )
}

/** Of this tab, while the browser is at a provider. */
interface ProviderLogin {
  token: string
  /** The path of the page to return to. */
  next: string
}

const providerKey = 'provider-login'

/** Goes to the provider, which sends the browser back to `paths.loginReturn`. */
export async function loginAtProvider(provider: string, next: string): Promise<void> {
  goToProvider(await client.startOidcLogin({ params: { provider } }), next)
}

export function goToProvider({ url, token }: { url: string; token: string }, next: string): void {
  writeStored(providerKey, JSON.stringify({ token, next } satisfies ProviderLogin), 'sessionStorage')
  location.assign(url)
}

export interface ProviderReturn {
  next: string
  /** What the login still needs. */
  pending?: PendingLogin | undefined
  /** The provider was connected with the account of the signed-in user. */
  isConnected: boolean
}

/**
 * Finishes what {@link goToProvider} started in this tab.
 * @param query of the address that the provider sent the browser to
 * @returns undefined when this tab has started nothing. @throws {ApiError}
 */
export async function returnFromProvider(query: string): Promise<ProviderReturn | undefined> {
  const stored = readStored(providerKey, 'sessionStorage')
  if (stored === null) return undefined
  writeStored(providerKey, null, 'sessionStorage')
  const { token, next } = JSON.parse(stored) as ProviderLogin
  let isConnected = false
  const pending = await untilSecondFactor(async () => {
    const { token: session, ...response } = await client.finishOidc({ body: { token, query, browser: browserId() } })
    isConnected = session === undefined
    if (session === undefined) setUser(response.user)
    else beginSession({ ...response, token: session })
  })
  return { next, pending, isConnected }
}

async function untilSecondFactor(logIn: () => Promise<void>): Promise<PendingLogin | undefined> {
  try {
    await logIn()
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'second_factor_required') throw error
    const { challenge, factors } = error.details
    return { challenge: String(challenge), factors: Array.isArray(factors) ? factors.map(String) : [] }
  }
}

const browserKey = 'browser'

/** A random text that stays in this browser: the server announces a login with another one by mail. */
function browserId(): string {
  const stored = readStored(browserKey)
  if (stored !== null && /^[\w-]{36}$/.test(stored)) return stored
  const made = randomUuid()
  writeStored(browserKey, made)
  return made
}
