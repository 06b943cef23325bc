// A real OpenID provider on loopback whose users log in without a page.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import Provider from 'oidc-provider'

export interface TestOidcProvider {
  issuer: string
  /** The claims of each user, by `sub`. */
  users: Map<string, Record<string, unknown>>
  /** Sets where logins end. */
  accept(redirectUri: string): void
  /** Follows the redirects of a login as a browser does. @returns the query that the provider sends the browser back with */
  logIn(url: string, sub: string): Promise<string>
  stop(): Promise<void>
}

export const testClient = { clientId: 'images', clientSecret: 'a secret of the tests' }

/** @param redirectUri where logins end. Without it, `accept` must be called */
export async function startOidcProvider(redirectUri?: string): Promise<TestOidcProvider> {
  const users = new Map<string, Record<string, unknown>>()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  // Extractable, because the provider exports it.
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const keys = [await exportJWK(privateKey)]
  let accepted = ''
  const accept = (uri: string) => {
    accepted = uri
    server.removeAllListeners('request').on('request', openProvider(issuer, { users, keys, redirectUri: uri }))
  }
  if (redirectUri !== undefined) accept(redirectUri)

  return {
    issuer,
    users,
    accept,

    async logIn(url, sub) {
      const cookies = new Map([['user', sub]])
      for (let next = url; ;) {
        if (next.startsWith(accepted)) return new URL(next).search.slice(1)
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
        const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
        for (const set of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          cookies.set(name, value)
        }
        const location = response.headers.get('location')
        if (location === null) throw new Error(`The provider responded ${response.status}: ${await response.text()}`)
        next = new URL(location, next).href
      }
    },

    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface ProviderOptions {
  users: TestOidcProvider['users']
  keys: JWK[]
  redirectUri: string
}

/** A browser says by the cookie `user` who logs in; without it the login is cancelled. */
function openProvider(issuer: string, { users, keys, redirectUri }: ProviderOptions): RequestListener {
  const provider = new Provider(issuer, {
    clients: [{ client_id: testClient.clientId, client_secret: testClient.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub', 'amr', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...users.get(accountId) }),
    }),
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: ['a key of the tests'] },
    // Its own values, without a warning for each.
    jwks: { keys },
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  })
  const respond = provider.callback()

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    if (prompt.name === 'login') {
      const accountId = /(?:^|; )user=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
      const login = accountId === undefined ? { error: 'access_denied' } : { login: { accountId } }
      return provider.interactionFinished(request, response, login)
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) })
    grant.addOIDCScope(String(params['scope']))
    const consent = { grantId: await grant.save() }
    return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
  }

  return (request, response) => {
    if (request.url?.startsWith('/interaction/') === true) void interact(request, response)
    else void respond(request, response)
  }
}
