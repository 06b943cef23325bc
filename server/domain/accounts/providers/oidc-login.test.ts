// Logins at OpenID providers: a real one, and one that sends wrong ID tokens.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { startOidcProvider, testClient, type TestOidcProvider } from '../../../testing/oidc-provider.ts'

const site = 'https://images.example'
const redirectUri = `${site}/login/return`
const admins = { claim: 'groups', value: 'image-admins' }
const other = { ...testClient, id: 'other', name: 'Other', autoCreate: true, domains: ['example.org'] }

let company: TestOidcProvider
let second: TestOidcProvider
let app: TestApp
beforeAll(async () => {
  company = await startOidcProvider(redirectUri)
  second = await startOidcProvider(redirectUri)
  app = await startTestApp({
    PUBLIC_URL: site,
    OIDC_PROVIDERS: JSON.stringify([
      { ...testClient, id: 'company', name: 'Company', issuer: company.issuer, autoCreate: true, admins },
      { ...other, issuer: second.issuer },
      { ...testClient, id: 'down', name: 'Down', issuer: 'http://127.0.0.1:9' },
    ]),
  })
})
afterAll(async () => {
  await app.stop()
  await company.stop()
  await second.stop()
})

/** A user of a provider with a confirmed address. */
function userOf(provider: TestOidcProvider, claims: Record<string, unknown> = {}): { sub: string; email: string } {
  const sub = crypto.randomUUID()
  const email = `${sub}@example.com`
  provider.users.set(sub, { email, email_verified: true, ...claims })
  return { sub, email }
}

const start = (id: string) => app.call('POST', `/api/login/oidc/${id}`)
const finish = (token: string, query: string) => app.call('POST', '/api/login/oidc', { body: { token, query } })

async function logIn(id: string, provider: TestOidcProvider, sub: string) {
  const { url, token } = (await start(id)).body
  return finish(token, await provider.logIn(url, sub))
}

const link = async (token: string, id: string, provider: TestOidcProvider, sub: string) => {
  const { body } = await app.call('POST', `/api/me/providers/${id}`, { token })
  return finish(body.token, await provider.logIn(body.url, sub))
}
/** Of the audit log. */
async function actionsOf(userId: string): Promise<string[]> {
  const entries = app.deps.db.selectFrom('audit_log').select('action').where('target', '=', userId)
  return (await entries.execute()).map(({ action }) => action)
}
const securityOf = async (token: string) => (await app.call('GET', '/api/me/security', { token })).body

describe('a login at a provider', () => {
  it('creates an account without a password, and finds it the next time', async () => {
    const { sub, email } = userOf(company, { name: 'Ada Lovelace' })
    const first = await logIn('company', company, sub)
    expect([first.status, first.body.user]).toMatchObject([200, { email, name: 'Ada Lovelace', role: 'user' }])
    const { token, user } = first.body
    expect(await securityOf(token)).toMatchObject({ hasPassword: false, identities: [{ provider: 'company', email }] })
    for (const password of ['', 'secret-1'])
      expect((await app.call('POST', '/api/login', { body: { email, password } })).body.code).toBe('wrong_credentials')
    expect((await logIn('company', company, sub)).body.user.id).toBe(user.id)
    const rows = await app.deps.db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(rows).toHaveLength(1)
  })

  it('finds the account by the subject when the address has changed', async () => {
    const { sub } = userOf(company)
    const { user } = (await logIn('company', company, sub)).body
    company.users.set(sub, { email: 'someone-else@example.com', email_verified: true })
    expect((await logIn('company', company, sub)).body.user.id).toBe(user.id)
  })

  it('takes the same subject at another provider for another user', async () => {
    const { sub, email } = userOf(company)
    second.users.set(sub, { email: email.replace('.com', '.org'), email_verified: true })
    const [one, two] = [await logIn('company', company, sub), await logIn('other', second, sub)]
    expect([one.status, two.status]).toEqual([200, 200])
    expect(one.body.user.id).not.toBe(two.body.user.id)
  })

  it.each<[what: string, id: 'company' | 'other', claims: Record<string, unknown>, problem: RegExp]>([
    ['without a confirmed address', 'company', { email_verified: false }, /has not confirmed your address/],
    ['without the claim email_verified', 'company', { email_verified: undefined }, /has not confirmed your address/],
    ['without an address', 'company', { email: undefined }, /has not confirmed your address/],
    ['of a domain that is not accepted', 'other', {}, /does not belong to an accepted domain/],
  ])('creates no account for a user %s', async (_, id, claims, problem) => {
    const provider = id === 'company' ? company : second
    const { sub } = userOf(provider, claims)
    const { status, body } = await logIn(id, provider, sub)
    expect([status, body.code, body.error]).toEqual([403, 'account_not_created', expect.stringMatching(problem)])
  })

  it('takes over an account with the same address only when it is confirmed on both sides', async () => {
    const { sub, email } = userOf(company)
    const { id } = await app.newUser(email)
    const { status, body } = await logIn('company', company, sub)
    expect([status, body.code]).toEqual([403, 'identity_not_linked'])
    await app.deps.db.updateTable('users').set({ email_confirmed_at: 1 }).where('id', '=', id).execute()
    const claims = company.users.get(sub)
    company.users.set(sub, { ...claims, email_verified: false })
    expect((await logIn('company', company, sub)).body.code).toBe('account_not_created')
    company.users.set(sub, { ...claims })
    expect((await logIn('company', company, sub)).body.user.id).toBe(id)
  })

  it('needs the second factor of the account, unless the provider has verified one', async () => {
    const { sub } = userOf(company)
    const { token, user } = (await logIn('company', company, sub)).body
    const fresh = { secret: 'JBSWY3DPEHPK3PXP', created_at: 0, confirmed_at: 0, last_step: 0 }
    await app.deps.db
      .insertInto('totp_factors')
      .values({ user_id: user.id, ...fresh })
      .execute()
    expect((await logIn('company', company, sub)).body).toMatchObject({
      code: 'second_factor_required',
      factors: ['totp'],
      challenge: expect.any(String),
    })
    company.users.set(sub, { ...company.users.get(sub), amr: ['pwd', 'mfa'] })
    expect((await logIn('company', company, sub)).status).toBe(200)
    expect((await app.call('GET', '/api/me', { token })).status).toBe(200)
  })

  it('makes admins of those who have the claim, and users of those who lose it', async () => {
    const { sub } = userOf(company, { groups: ['staff', 'image-admins'] })
    const first = (await logIn('company', company, sub)).body
    expect(first.user.role).toBe('admin')
    company.users.set(sub, { ...company.users.get(sub), groups: ['staff'] })
    // The only admin stays one.
    expect((await logIn('company', company, sub)).body.user.role).toBe('admin')
    const next = userOf(company, { groups: 'image-admins' })
    expect((await logIn('company', company, next.sub)).body.user.role).toBe('admin')
    expect((await logIn('company', company, sub)).body.user.role).toBe('user')
    expect((await app.call('GET', '/api/me', { token: first.token })).status).toBe(401)
  })

  it('of an inactive account is refused', async () => {
    const { sub } = userOf(company)
    const { user } = (await logIn('company', company, sub)).body
    await app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', user.id).execute()
    expect((await logIn('company', company, sub)).body.code).toBe('inactive_account')
  })

  it('that was cancelled there says so', async () => {
    const { url, token } = (await start('company')).body
    const { status, body } = await finish(token, await company.logIn(url, ''))
    expect([status, body.code, body.error]).toEqual([403, 'provider_refused', expect.stringContaining('cancelled')])
  })

  it('at a provider that is down, or unknown, says so', async () => {
    const down = await start('down')
    expect([down.status, down.body.code, down.body.error]).toEqual([
      503,
      'provider_unavailable',
      'Down cannot be reached. Try again later, or log in another way',
    ])
    expect((await start('unknown')).body.code).toBe('provider_not_found')
  })
})

describe('the return from a provider', () => {
  const changed = (query: string, name: string, value: string) => {
    const fields = new URLSearchParams(query)
    fields.set(name, value)
    return fields.toString()
  }

  it.each<[what: string, change: (query: string) => string]>([
    ['an altered state', (query) => changed(query, 'state', 'x')],
    ['an altered code', (query) => changed(query, 'code', 'x')],
    ['another issuer', (query) => changed(query, 'iss', second.issuer)],
    ['no code', () => ''],
    ['an error', () => 'error=server_error&state=x'],
    ['two codes', (query) => `${query}&code=x`],
  ])('is refused with %s', async (_, change) => {
    const { sub, email } = userOf(company)
    const { url, token } = (await start('company')).body
    const { status, body } = await finish(token, change(await company.logIn(url, sub)))
    expect([status, body.code]).toEqual([403, 'provider_refused'])
    expect(await app.deps.db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([])
  })

  it('is accepted once, and a code in the login that it was made for', async () => {
    const { sub } = userOf(company)
    const { url, token } = (await start('company')).body
    const query = await company.logIn(url, sub)
    const another = (await start('company')).body.token
    expect((await finish(another, query)).body.code).toBe('provider_refused')
    expect((await finish(token, query)).status).toBe(200)
    expect((await finish(token, query)).body.code).toBe('challenge_ended')
  })

  it.each<[what: string, change: (token: string) => string]>([
    ['altered', (token) => `${token.slice(0, -3)}AAA`],
    ['none', () => ''],
  ])('is refused with a token that is %s', async (_, change) => {
    const { sub } = userOf(company)
    const { url, token } = (await start('company')).body
    expect((await finish(change(token), await company.logIn(url, sub))).body.code).toBe('challenge_ended')
  })

  it('is refused after five minutes', async () => {
    const { sub } = userOf(company)
    const { url, token } = (await start('company')).body
    const query = await company.logIn(url, sub)
    app.moveClock(accountLimits.factors.challengeMs + 1000)
    expect((await finish(token, query)).body.code).toBe('challenge_ended')
  })
})

describe('connecting a provider with an account', () => {
  it('lets its user log in there, until it is disconnected', async () => {
    const { sub } = userOf(company, { email_verified: false })
    const user = await app.newUser()
    const linked = await link(user.token, 'company', company, sub)
    expect([linked.status, linked.body.user.id, linked.body.token]).toEqual([200, user.id, undefined])
    expect((await logIn('company', company, sub)).body.user.id).toBe(user.id)
    const [{ id }] = (await securityOf(user.token)).identities
    expect(await actionsOf(user.id)).toContain('identity_linked')
    const another = await app.newUser()
    const path = `/api/me/identities/${id}`
    expect((await app.call('DELETE', path, { token: another.token })).body.code).toBe('identity_not_found')
    expect((await app.call('DELETE', path, { token: user.token })).status).toBe(200)
    expect(await actionsOf(user.id)).toContain('identity_unlinked')
    expect((await logIn('company', company, sub)).body.code).toBe('account_not_created')
  })

  it('is refused when the session that started it has ended', async () => {
    const { sub } = userOf(company)
    const { token } = await app.newUser()
    const { body } = await app.call('POST', '/api/me/providers/company', { token })
    await app.call('POST', '/api/logout', { token })
    expect((await finish(body.token, await company.logIn(body.url, sub))).body.code).toBe('invalid_token')
  })

  it('is refused when another account has it', async () => {
    const { sub } = userOf(company)
    await logIn('company', company, sub)
    expect((await link((await app.newUser()).token, 'company', company, sub)).body.code).toBe('identity_taken')
  })

  it('is not undone while it is the only way to log in', async () => {
    const { sub } = userOf(company)
    const { token } = (await logIn('company', company, sub)).body
    const [{ id }] = (await securityOf(token)).identities
    expect((await app.call('DELETE', `/api/me/identities/${id}`, { token })).body.code).toBe('last_login_method')
    expect((await app.call('PUT', '/api/me', { token, body: { newPassword: 'battery-staple' } })).status).toBe(200)
    const again = (await logIn('company', company, sub)).body.token
    expect((await app.call('DELETE', `/api/me/identities/${id}`, { token: again })).status).toBe(200)
  })
})

describe('with PASSWORD_LOGIN=off', () => {
  it('passwords are refused, and providers accepted', async () => {
    const issuer = company.issuer
    const own = await startTestApp({
      PUBLIC_URL: site,
      PASSWORD_LOGIN: 'off',
      OIDC_PROVIDERS: JSON.stringify([{ ...testClient, id: 'company', name: 'Company', issuer, autoCreate: true }]),
    })
    try {
      const body = { email: 'ada@example.com', password: 'secret-1' }
      for (const path of ['/api/login', '/api/register'])
        expect((await own.call('POST', path, { body })).body.code).toBe('password_login_off')
      const { url, token } = (await own.call('POST', '/api/login/oidc/company')).body
      const query = await company.logIn(url, userOf(company).sub)
      expect((await own.call('POST', '/api/login/oidc', { body: { token, query } })).status).toBe(200)
    } finally {
      await own.stop()
    }
  })
})

describe('an ID token', () => {
  type Claims = (right: JWTPayload, now: number) => JWTPayload
  const right: Claims = (claims) => claims
  let forger: Awaited<ReturnType<typeof startForger>>
  let own: TestApp
  beforeAll(async () => {
    forger = await startForger()
    const { issuer } = forger
    own = await startTestApp({
      PUBLIC_URL: site,
      OIDC_PROVIDERS: JSON.stringify([{ ...testClient, id: 'forger', name: 'Forger', issuer, autoCreate: true }]),
    })
  })
  afterAll(async () => {
    await own.stop()
    forger.stop()
  })

  it.each<[what: string, claims: Claims, status: number, isOwnKey?: boolean]>([
    ['that is right', right, 200],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://id.example.com' }), 403],
    ['for another client', (claims) => ({ ...claims, aud: 'another' }), 403],
    ['for another login', (claims) => ({ ...claims, nonce: 'another' }), 403],
    ['without a nonce', ({ nonce: _, ...claims }) => claims, 403],
    ['that has expired', (claims, now) => ({ ...claims, exp: now - 3600 }), 403],
    ['signed with another key', right, 403, false],
  ])('%s', async (_, claims, status, isOwnKey = true) => {
    Object.assign(forger, { claims, isOwnKey })
    const { url, token } = (await own.call('POST', '/api/login/oidc/forger')).body
    const { searchParams } = new URL(url)
    forger.nonce = searchParams.get('nonce') ?? ''
    const query = new URLSearchParams({ code: 'x', state: searchParams.get('state') ?? '' }).toString()
    const response = await own.call('POST', '/api/login/oidc', { body: { token, query } })
    expect([response.status, response.body.code]).toEqual([status, status === 200 ? undefined : 'provider_refused'])
  })

  /** A provider that exchanges every code for an ID token with `claims`. */
  async function startForger() {
    const [ownKey, foreignKey] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
    const keys = [{ ...(await exportJWK(ownKey.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }]
    const server = createServer((request, response) => {
      void respond(request.url ?? '').then((body) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const forged = {
      issuer,
      nonce: '',
      claims: right,
      isOwnKey: true,
      stop() {
        server.close()
        server.closeAllConnections()
      },
    }

    async function respond(path: string): Promise<object> {
      if (path === '/keys') return { keys }
      if (path === '/token') return { access_token: 'x', token_type: 'bearer', id_token: await idToken() }
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
      }
    }

    function idToken(): Promise<string> {
      const now = Math.floor(Date.now() / 1000)
      const user = { sub: 'ada', email: 'ada@example.com', email_verified: true }
      const { claims, nonce, isOwnKey } = forged
      const payload = claims({ iss: issuer, aud: testClient.clientId, nonce, iat: now, exp: now + 60, ...user }, now)
      const { privateKey } = isOwnKey ? ownKey : foreignKey
      return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(privateKey)
    }
    return forged
  }
})
