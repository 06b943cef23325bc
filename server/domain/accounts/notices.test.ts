// Mails about the safety of an account: to its confirmed address, whatever the user's setting, and to
// no other.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { type ApiResponse, startTestApp } from '../../testing/app.ts'
import { createAuthenticator } from '../../testing/authenticator.ts'
import { startOidcProvider, testClient, type TestOidcProvider } from '../../testing/oidc-provider.ts'
import { type MailApp, startMailApp } from '../../testing/mail-app.ts'
import { announceUnknownBrowser } from './known-browsers.ts'
import { resetPassword } from './operator-accounts.ts'
import { resetFactors } from './factors/remove-factors.ts'

type User = Awaited<ReturnType<MailApp['app']['newUser']>>

const site = 'https://pics.example'
let company: TestOidcProvider
let mail: MailApp
let admin: User
beforeAll(async () => {
  company = await startOidcProvider(`${site}/login/return`)
  const OIDC_PROVIDERS = JSON.stringify([{ ...testClient, id: 'company', name: 'Company', issuer: company.issuer }])
  mail = await startMailApp({ SITE_NAME: 'Pics', TRUST_PROXY: '1', PUBLIC_URL: site, OIDC_PROVIDERS })
  admin = await mail.app.newUser()
  await mail.app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.id).execute()
})
afterAll(async () => {
  await mail.stop()
  await company.stop()
})

const call: MailApp['app']['call'] = (...request) => mail.app.call(...request)
const browser = () => crypto.randomUUID()
const login = (email: string, given: { browser?: string; address?: string; password?: string } = {}) =>
  call('POST', '/api/login', {
    body: {
      email,
      password: given.password ?? 'secret-1',
      ...(given.browser === undefined ? {} : { browser: given.browser }),
    },
    headers: { 'x-forwarded-for': given.address ?? '203.0.113.7' },
  })

const buyNow = 'https://buy-now.example.com/hooks'
/** Stores a webhook of which no mail tells. @returns its path */
async function webhookOf(userId: string): Promise<string> {
  const id = crypto.randomUUID()
  const row = { id, user_id: userId, url: 'https://example.com/', events: 'image.uploaded', secret: 'whsec_YQ==' }
  const unused = { old_secret: null, old_secret_until: null, off_reason: null }
  const times = { created_at: 0, paused_until: 0, expiring_until: 0 }
  await mail.app.deps.db
    .insertInto('webhooks')
    .values({ ...row, ...unused, ...times })
    .execute()
  return `/api/webhooks/${id}`
}

const changes: [what: string, subject: string, change: (user: User) => Promise<unknown>][] = [
  [
    'a new API key',
    'a new API key',
    ({ token }) => call('POST', '/api/api-keys', { token, body: { name: 'Buy now' } }),
  ],
  [
    'a new webhook',
    'a new webhook',
    ({ token }) => call('POST', '/api/webhooks', { token, body: { url: buyNow, events: ['image.uploaded'] } }),
  ],
  [
    'another URL of a webhook',
    'a webhook has a new URL',
    async ({ token, id }) => call('PATCH', await webhookOf(id), { token, body: { url: buyNow } }),
  ],
  [
    'another secret of a webhook',
    'a webhook has a new secret',
    async ({ token, id }) => call('POST', `${await webhookOf(id)}/secret`, { token }),
  ],
  [
    'a password that its user changes',
    'your password was changed',
    ({ token }) => call('PUT', '/api/me', { token, body: { currentPassword: 'secret-1', newPassword: 'secret-2' } }),
  ],
  [
    'a password that an admin sets',
    'your password was changed',
    ({ id }) =>
      call('PUT', `/api/users/${id}`, {
        token: admin.token,
        body: { password: 'secret-2', currentPassword: 'secret-1' },
      }),
  ],
  [
    'a password that the operator resets',
    'your password was changed',
    ({ email }) => resetPassword(mail.app.deps, email),
  ],
  [
    'an authenticator app that its user sets up',
    'an authenticator app was added',
    async ({ token }) => {
      const { secret } = (await call('POST', '/api/me/totp', { token })).body
      const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: mail.app.deps.now() })
      await call('POST', '/api/me/totp/confirm', { token, body: { code } })
    },
  ],
  [
    'a passkey that the operator removes',
    'a passkey was removed',
    async ({ id, email }) => {
      const passkey = { id, user_id: id, credential_id: id, public_key: '', name: 'Buy now', created_at: 0 }
      const rest = { counter: 0, transports: '', is_synced: 0 } as const
      await mail.app.deps.db
        .insertInto('passkeys')
        .values({ ...passkey, ...rest })
        .execute()
      await resetFactors(mail.app.deps, email)
    },
  ],
  [
    'an address that an admin changes',
    'your email address was changed',
    ({ id, email }) =>
      call('PUT', `/api/users/${id}`, {
        token: admin.token,
        body: { email: `new-${email}`, currentPassword: 'secret-1' },
      }),
  ],
  [
    'a login from a browser that is not known',
    'a login from a new browser',
    async ({ email }) => {
      await login(email, { browser: browser() })
      await login(email, { browser: browser(), address: '198.51.100.9' })
    },
  ],
]

describe.each(changes)('%s', (_, subject, change) => {
  it('is mailed to the user, also to one who wants no mails that remind', async () => {
    const user = await mail.app.newUser()
    await mail.app.deps.db.updateTable('users').set({ mail_digest: 0 }).where('id', '=', user.id).execute()
    // The first browser of an account is not announced.
    await mail.app.deps.db.deleteFrom('known_browsers').where('user_id', '=', user.id).execute()
    await change(user)
    const received = await mail.newMail()
    expect(received).toMatchObject({
      to: [user.email],
      headers: { subject: `Pics: ${subject}`, 'auto-submitted': 'auto-generated' },
      text: expect.stringContaining('about the safety of your account'),
    })
    expect(received.headers['list-unsubscribe']).toBe(undefined)
    expect(received.raw).not.toMatch(/Buy now|buy-now|secret-|text\/html/)
  })

  it('is not mailed to an address that was not confirmed', async () => {
    const user = await mail.app.newUser()
    const { db } = mail.app.deps
    await db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', user.id).execute()
    await change(user)
    expect(await mail.newMails()).toEqual([])
    expect(await db.selectFrom('outgoing_mail').selectAll().execute()).toEqual([])
  })
})

/** Sets up a way to log in. @returns a login with it from a browser */
async function setUp(
  way: 'a code after the password' | 'a passkey' | 'a login provider',
  { email, token }: Pick<User, 'email' | 'token'>,
): Promise<(from: string) => Promise<ApiResponse>> {
  if (way === 'a passkey') {
    const device = createAuthenticator(site)
    const { options, token: challenge } = (await call('POST', '/api/me/passkeys/options', { token })).body
    const body = { token: challenge, response: device.register(options), name: 'Laptop' }
    expect((await call('POST', '/api/me/passkeys', { token, body })).status).toBe(201)
    return async (from) => {
      const start = (await call('POST', '/api/login/passkey/options')).body
      const response = device.assert(start.options)
      return call('POST', '/api/login/passkey', { body: { token: start.token, response, browser: from } })
    }
  }
  if (way === 'a login provider') {
    company.users.set(email, { email, email_verified: true })
    return async (from) => {
      const { url, token: started } = (await call('POST', '/api/login/oidc/company')).body
      const query = await company.logIn(url, email)
      return call('POST', '/api/login/oidc', { body: { token: started, query, browser: from } })
    }
  }
  const { secret } = (await call('POST', '/api/me/totp', { token })).body
  const code = () => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: mail.app.deps.now() })
  expect((await call('POST', '/api/me/totp/confirm', { token, body: { code: code() } })).status).toBe(200)
  return async (from) => {
    // A code is accepted once.
    mail.app.moveClock(30_000)
    const { challenge } = (await login(email)).body
    return call('POST', '/api/login/code', { body: { challenge, code: code(), browser: from } })
  }
}

describe('a request for a new password', () => {
  const request = (email: string) => call('POST', '/api/password-reset', { body: { email } })
  /** An account as a login at the provider creates it. */
  async function newProviderUser(provider: string): Promise<User> {
    const user = await mail.app.newUser()
    const { db } = mail.app.deps
    await db.updateTable('users').set({ password_hash: '' }).where('id', '=', user.id).execute()
    const row = { id: user.id, user_id: user.id, provider, issuer: company.issuer, subject: user.id, email: null }
    await db
      .insertInto('identities')
      .values({ ...row, created_at: 1, last_used_at: null })
      .execute()
    return user
  }

  it('of an account that logs in at a provider is answered with where to log in, and gives it no password', async () => {
    const { email } = await newProviderUser('company')
    expect((await request(email)).status).toBe(200)
    const received = await mail.newMail()
    expect(received).toMatchObject({ to: [email], headers: { subject: 'Pics: how to log in' } })
    expect(received.text).toContain(`It has none: it logs in with Company, here:\n\n${site}/login\n`)
    expect(received.text).not.toContain('#')
    expect(
      await mail.app.deps.db.selectFrom('mail_links').select('email').where('email', '=', email).execute(),
    ).toEqual([])
  })

  it('gives a password to an account whose provider was removed from the settings', async () => {
    const { email } = await newProviderUser('former')
    expect((await request(email)).status).toBe(200)
    expect((await mail.newMail()).text).toContain(`${site}/reset-password#`)
  })
})

describe('a login', () => {
  it('is announced once per browser; its mail names the time and the network only', async () => {
    const { email, id } = await mail.app.newUser()
    await mail.app.deps.db.deleteFrom('known_browsers').where('user_id', '=', id).execute()
    const [home, work] = [browser(), browser()]
    await login(email, { browser: home })
    await login(email, { browser: home, address: '198.51.100.9' })
    expect(await mail.newMails()).toEqual([])
    await login(email, { browser: work, address: '198.51.100.9' })
    const { text } = await mail.newMail()
    expect(text).toMatch(/at \d{4}-\d\d-\d\d \d\d:\d\d UTC .*in the network 198\.51\.100\.0\/24\./)
    expect(text).not.toMatch(/198\.51\.100\.9|Mozilla/)
    for (const known of [work, home]) await login(email, { browser: known })
    await login(email, { browser: browser(), password: 'wrong' })
    expect(await mail.newMails()).toEqual([])
  })

  it('leaves its browser unknown when its mail cannot be queued', async () => {
    const { email, id } = await mail.app.newUser()
    const { deps } = mail.app
    const account = await deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const work = browser()
    const from = { address: '198.51.100.9', userAgent: undefined, browser: work }
    const broken = {
      ...deps,
      randomBytes: () => {
        throw new Error('no mail can be queued')
      },
    }
    await deps.db.deleteFrom('known_browsers').where('user_id', '=', id).execute()
    await login(email, { browser: browser() })
    await expect(announceUnknownBrowser(broken, account, from)).rejects.toThrow('no mail')
    await login(email, { browser: work })
    expect(await mail.newMails()).toHaveLength(1)
  })

  it('of a program is announced once per network', async () => {
    const { email, id } = await mail.app.newUser()
    await mail.app.deps.db.deleteFrom('known_browsers').where('user_id', '=', id).execute()
    for (const address of ['203.0.113.7', '203.0.113.8']) await login(email, { address })
    expect(await mail.newMails()).toEqual([])
    for (const address of ['198.51.100.1', '198.51.100.2']) await login(email, { address })
    expect(await mail.newMails()).toHaveLength(1)
  })

  it('is announced five times an hour at most, and fifty browsers are known', async () => {
    const { email, id } = await mail.app.newUser()
    for (let n = 0; n < accountLimits.browsers.maxPerUser + 3; n++) {
      expect((await login(email, { browser: browser() })).status).toBe(200)
      mail.app.moveClock(1)
    }
    expect(await mail.newMails()).toHaveLength(accountLimits.browsers.notices.limit)
    const known = mail.app.deps.db.selectFrom('known_browsers').select('user_id').where('user_id', '=', id)
    expect(await known.execute()).toHaveLength(accountLimits.browsers.maxPerUser)
  })

  it.each(['a code after the password', 'a passkey', 'a login provider'] as const)(
    'by %s is announced, too',
    async (way) => {
      const { email, id, token } = await mail.app.newUser()
      await mail.app.deps.db.deleteFrom('known_browsers').where('user_id', '=', id).execute()
      const logInFrom = await setUp(way, { email, token })
      const announced = async () =>
        (await mail.newMails()).filter(({ headers }) => headers['subject'] === 'Pics: a login from a new browser')
          .length
      const counts: number[] = []
      const [home, work] = [browser(), browser()]
      for (const from of [home, home, work, work]) {
        expect((await logInFrom(from)).status).toBe(200)
        counts.push(await announced())
      }
      expect(counts).toEqual([0, 0, 1, 0])
    },
  )

  it.each(['short', 'x'.repeat(65), 7])('with the browser %j is refused', async (given) => {
    const body = { email: 'a@example.com', password: 'secret-1', browser: given }
    expect(await call('POST', '/api/login', { body })).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  })
})

describe('a server without SMTP_URL', () => {
  it('confirms and resets nothing, says so, queues no mail and stores no browsers', async () => {
    const app = await startTestApp()
    try {
      const { token, email } = await app.newUser()
      const off = { status: 403, body: { code: 'mail_off', error: 'This server sends no mail. Ask its operator' } }
      expect(await app.call('POST', '/api/me/email', { token, body: {} })).toMatchObject(off)
      expect(await app.call('POST', '/api/password-reset', { body: { email } })).toMatchObject(off)
      expect((await app.call('GET', '/api/me', { token })).body.user.emailConfirmed).toBe(false)
      const body = { email, password: 'secret-1', browser: browser() }
      expect((await app.call('POST', '/api/login', { body })).status).toBe(200)
      await app.call('POST', '/api/api-keys', { token, body: {} })
      for (const table of ['outgoing_mail', 'known_browsers', 'mail_links'] as const)
        expect(await app.deps.db.selectFrom(table).selectAll().execute()).toEqual([])
      const page = await (await app.request('/login', { headers: { accept: 'text/html' } })).text()
      expect(page).toContain('"mail":false')
    } finally {
      await app.stop()
    }
  })
})
