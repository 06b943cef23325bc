// Links in mails, followed as the pages do: registration, confirmation of an address, its change, and
// a new password. Mails are received by a real SMTP server.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import { type MailApp, startMailApp, tokenIn } from '../../../testing/mail-app.ts'
import type { TestApp } from '../../../testing/app.ts'
import { hashCount } from '../passwords.ts'

const password = 'secret-1'
const hourMs = 60 * 60_000
const ended = { status: 403, body: { code: 'mail_link_ended' } }
let mail: MailApp
let app: TestApp
beforeAll(async () => {
  mail = await startMailApp({ SITE_NAME: 'Pics' })
  ;({ app } = mail)
})
afterAll(() => mail.stop())
// Another window of the limits of mails.
beforeEach(() => app.moveClock(hourMs))

const newEmail = () => `user-${crypto.randomUUID()}@example.com`
const register = (email: string, more: object = {}) =>
  app.call('POST', '/api/register', { body: { email, password, ...more } })
const login = (email: string, given = password) => app.call('POST', '/api/login', { body: { email, password: given } })
const confirm = (token: string, given = password) =>
  app.call('POST', '/api/confirm-email', { body: { token, password: given } })
const requestReset = (email: string) => app.call('POST', '/api/password-reset', { body: { email } })
const reset = (token: string, newPassword = 'secret-2') =>
  app.call('PUT', '/api/password-reset', { body: { token, newPassword } })
const requestConfirmation = (token: string, body: object = {}) => app.call('POST', '/api/me/email', { token, body })
const me = async (token: string) => (await app.call('GET', '/api/me', { token })).body.user

/** An account that registered itself where no mail was sent. */
async function newUnconfirmed() {
  const user = await app.newUser(newEmail())
  await app.deps.db
    .updateTable('users')
    .set({ email_confirmed_at: null, self_registered: 1 })
    .where('id', '=', user.id)
    .execute()
  return user
}
/** Every other way to log in, and a known browser, as the user of an account sets them up. */
async function leaveLogins(id: string): Promise<void> {
  const { db } = app.deps
  const factor = { user_id: id, secret: 'JBSWY3DPEHPK3PXP', created_at: 1, confirmed_at: 1, last_step: 0 }
  await db.insertInto('totp_factors').values(factor).execute()
  await db.insertInto('recovery_codes').values({ code_hash: id, user_id: id, created_at: 1 }).execute()
  const passkey = { id, user_id: id, credential_id: id, public_key: '', name: 'Laptop', created_at: 1 }
  const rest = { counter: 0, transports: '', is_synced: 0 } as const
  await db
    .insertInto('passkeys')
    .values({ ...passkey, ...rest })
    .execute()
  const identity = { id, user_id: id, provider: 'company', issuer: 'https://idp.example', subject: id, created_at: 1 }
  await db.insertInto('identities').values(identity).execute()
  await db.insertInto('known_browsers').values({ user_id: id, browser_hash: 'squatter', seen_at: 1 }).execute()
}
async function registrationToken(email: string): Promise<string> {
  await register(email)
  return tokenIn(await mail.newMail())
}
async function resetToken(email: string): Promise<string> {
  await requestReset(email)
  return tokenIn(await mail.newMail())
}

describe('a registration where mail is sent', () => {
  it('creates the account when its link is followed with the password, and mails nothing else before', async () => {
    const email = newEmail()
    expect(await register(email.toUpperCase(), { name: 'Dana' })).toMatchObject({
      status: 201,
      body: { success: true, confirmation: 'mailed' },
    })
    const received = await mail.newMail()
    expect(received).toMatchObject({
      to: [email],
      headers: { subject: 'Pics: confirm your email address', 'auto-submitted': 'auto-generated' },
      text: expect.stringMatching(/^https:\/\/pics\.example\/confirm-email#[\w-]{43}$/m),
    })
    expect(received.headers['list-unsubscribe']).toBe(undefined)
    expect((await login(email)).status).toBe(401)

    const token = tokenIn(received)
    expect(await confirm(token, 'wrong')).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    expect((await login(email)).status).toBe(401)
    expect(await confirm(token)).toMatchObject({ status: 200, body: { success: true, email } })
    expect((await login(email)).body.user).toMatchObject({ email, name: 'Dana', emailConfirmed: true, role: 'user' })
    expect(await confirm(token)).toMatchObject(ended)
    expect(await mail.newMails()).toEqual([])
  })

  it('responds the same for an address with an account, and hashes a password as often', async () => {
    const { email } = await app.newUser()
    await mail.newMails()
    const responses: object[] = []
    for (const address of [newEmail(), email]) {
      const before = hashCount()
      const { status, body, headers } = await register(address)
      responses.push({ status, body, headers: [...headers.keys()], hashes: hashCount() - before })
    }
    expect(responses[0]).toEqual(responses[1])
    expect(responses[0]).toMatchObject({ status: 201, hashes: 1 })
    const mails = await mail.newMails()
    const toOwner = mails.find(({ to }) => to[0] === email)
    expect(toOwner?.headers['subject']).toBe('Pics: you already have an account')
    expect(toOwner?.text).not.toMatch(/#[\w-]{43}/)
    expect((await login(email)).status).toBe(200)
  })

  it('of an address that another account has but never confirmed lets its owner take that account over', async () => {
    const squatter = await newUnconfirmed()
    const { key } = (await app.call('POST', '/api/api-keys', { token: squatter.token, body: {} })).body
    const hook = { url: 'https://example.com/hooks', events: ['image.uploaded'] }
    expect((await app.call('POST', '/api/webhooks', { token: squatter.token, body: hook })).status).toBe(201)
    await leaveLogins(squatter.id)
    expect((await app.call('DELETE', '/api/me', { token: squatter.token, body: {} })).status).toBe(200)
    await register(squatter.email)
    const received = await mail.newMail()
    expect(received.headers['subject']).toBe('Pics: confirm your email address')
    expect(received.text).toContain('https://pics.example/reset-password#')

    expect((await reset(tokenIn(received), 'owner-secret')).status).toBe(200)
    expect((await login(squatter.email)).status).toBe(401)
    for (const token of [squatter.token, key])
      expect((await app.call('GET', '/api/images', { token })).status).toBe(401)
    const { token, user } = (await login(squatter.email, 'owner-secret')).body
    expect(user).toMatchObject({ emailConfirmed: true, deletion_at: null })
    expect((await app.call('GET', '/api/webhooks', { token })).body).toEqual([])
    expect((await app.call('GET', '/api/me/security', { token })).body).toEqual({
      hasPassword: true,
      totp: null,
      passkeys: [],
      recoveryCodes: 0,
      identities: [],
    })
    const browsers = app.deps.db.selectFrom('known_browsers').select('seen_at').where('user_id', '=', user.id)
    // That of the login above.
    expect(await browsers.execute()).toHaveLength(1)
    await mail.newMails()
  })

  it.each<[who: string, change: { role?: 'admin'; self_registered?: 0 }]>([
    ['an admin who registered', { role: 'admin' }],
    ['a user whom an admin created', { self_registered: 0 }],
  ])(
    'of the address of %s, never confirmed, keeps the second factor and the other ways to log in',
    async (_, change) => {
      const user = await newUnconfirmed()
      const hook = { url: 'https://example.com/hooks', events: ['image.uploaded'] }
      expect((await app.call('POST', '/api/webhooks', { token: user.token, body: hook })).status).toBe(201)
      await leaveLogins(user.id)
      const { db } = app.deps
      const deletionAt = app.deps.now() + hourMs
      await db
        .updateTable('users')
        .set({ ...change, deletion_at: deletionAt })
        .where('id', '=', user.id)
        .execute()
      await register(user.email)
      expect((await reset(tokenIn(await mail.newMail()), 'owner-secret')).status).toBe(200)
      expect((await login(user.email, 'owner-secret')).body.code).toBe('second_factor_required')
      const left = await Promise.all(
        (['totp_factors', 'passkeys', 'recovery_codes', 'identities', 'webhooks'] as const).map(
          async (table) =>
            (await db.selectFrom(table).select('user_id').where('user_id', '=', user.id).execute()).length,
        ),
      )
      expect(left).toEqual([1, 1, 1, 1, 1])
      const account = db.selectFrom('users').select(['email_confirmed_at', 'deletion_at']).where('id', '=', user.id)
      expect(await account.execute()).toEqual([{ email_confirmed_at: expect.any(Number), deletion_at: deletionAt }])
      await mail.newMails()
    },
  )

  it('is won by the first link that is followed, when there are several', async () => {
    const email = newEmail()
    const first = await registrationToken(email)
    await register(email, { password: 'secret-of-another' })
    const second = tokenIn(await mail.newMail())
    expect((await confirm(second, 'secret-of-another')).status).toBe(200)
    expect(await confirm(first)).toMatchObject(ended)
    expect((await login(email, 'secret-of-another')).status).toBe(200)
  })

  it('ends with an account that was created for the address meanwhile', async () => {
    const email = newEmail()
    const token = await registrationToken(email)
    await app.newUser(email)
    expect(await confirm(token, password)).toMatchObject(ended)
  })
})

describe('a lost password', () => {
  it('is set by the link that is mailed to the address, which ends sessions and keys, and is announced', async () => {
    const { email, token: session } = await app.newUser()
    const { key } = (await app.call('POST', '/api/api-keys', { token: session, body: {} })).body
    await mail.newMails()
    const other = await resetToken(email)
    const token = await resetToken(email)
    expect(await reset(token, 'password1')).toMatchObject({ status: 400, body: { code: 'weak_password' } })
    expect(await reset(token)).toMatchObject({ status: 200, body: { success: true, email } })
    for (const used of [session, key]) expect((await app.call('GET', '/api/images', { token: used })).status).toBe(401)
    expect((await login(email)).status).toBe(401)
    expect((await login(email, 'secret-2')).status).toBe(200)
    for (const link of [token, other]) expect(await reset(link, 'secret-3')).toMatchObject(ended)
    expect(await mail.newMail()).toMatchObject({
      to: [email],
      headers: { subject: 'Pics: your password was changed' },
      text: expect.stringContaining('https://pics.example/reset-password'),
    })
  })

  it('gets the same response for an address without an account, which gets no mail', async () => {
    const { email } = await app.newUser()
    const responses: object[] = []
    for (const address of [newEmail(), email]) {
      const before = hashCount()
      const { status, body, headers } = await requestReset(address)
      responses.push({ status, body, headers: [...headers.keys()], hashes: hashCount() - before })
    }
    expect(responses[0]).toEqual(responses[1])
    expect(responses[0]).toMatchObject({ status: 200, body: { success: true }, hashes: 0 })
    const headers = { subject: 'Pics: choose a new password' }
    expect(await mail.newMail()).toMatchObject({ to: [email], headers })
  })

  it('of an inactive account is not mailed', async () => {
    const { id, email } = await app.newUser()
    await app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', id).execute()
    expect((await requestReset(email)).status).toBe(200)
    expect(await mail.newMails()).toEqual([])
  })

  it('of an address that was not confirmed is a confirmation', async () => {
    const { email } = await newUnconfirmed()
    await requestReset(email)
    const received = await mail.newMail()
    expect(received.headers['subject']).toBe('Pics: confirm your email address')
    expect((await reset(tokenIn(received))).status).toBe(200)
    expect((await login(email, 'secret-2')).body.user.emailConfirmed).toBe(true)
    await mail.newMails()
  })
})

describe('an address', () => {
  it('is confirmed by the link and the password of the account, at any session', async () => {
    const { email, token } = await newUnconfirmed()
    expect((await me(token)).emailConfirmed).toBe(false)
    expect((await requestConfirmation(token)).status).toBe(200)
    const link = tokenIn(await mail.newMail())
    expect(await confirm(link, 'wrong')).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    expect((await me(token)).emailConfirmed).toBe(false)
    expect((await confirm(link)).body).toEqual({ success: true, email })
    expect((await me(token)).emailConfirmed).toBe(true)
    expect(await requestConfirmation(token)).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  })

  it('is replaced by another once that is confirmed, and is notified', async () => {
    const { email, token } = await app.newUser()
    const next = newEmail()
    app.moveClock(accountLimits.recentLoginMs + 1)
    expect(await requestConfirmation(token, { email: next })).toMatchObject({
      status: 403,
      body: { code: 'password_required' },
    })
    expect(await requestConfirmation(token, { email: next, currentPassword: 'wrong' })).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    })
    expect(await mail.newMails()).toEqual([])
    expect((await requestConfirmation(token, { email: next, currentPassword: password })).status).toBe(200)
    const received = await mail.newMail()
    expect(received.to).toEqual([next])
    expect((await me(token)).email).toBe(email)

    const link = tokenIn(received)
    const older = await resetToken(email)
    expect((await confirm(link)).body.email).toBe(next)
    expect(await me(token)).toMatchObject({ email: next, emailConfirmed: true })
    expect((await login(email)).status).toBe(401)
    expect((await login(next)).status).toBe(200)
    const notice = await mail.newMail()
    expect(notice).toMatchObject({ to: [email], headers: { subject: 'Pics: your email address was changed' } })
    expect(notice.text).not.toContain(next)
    for (const used of [link, older])
      expect([(await confirm(used)).status, (await reset(used)).status]).toEqual([403, 403])
  })

  it('of another account is not taken: its owner gets a mail, the response is the same', async () => {
    const { token } = await app.newUser()
    const owner = await app.newUser()
    const unconfirmed = await newUnconfirmed()
    await mail.newMails()
    for (const { email } of [owner, unconfirmed])
      expect(await requestConfirmation(token, { email })).toMatchObject({ status: 200, body: { success: true } })
    expect(await mail.newMail()).toMatchObject({
      to: [owner.email],
      headers: { subject: 'Pics: you already have an account' },
    })
    expect((await login(owner.email)).status).toBe(200)
  })

  it('that an admin changes is not confirmed; the old one is notified', async () => {
    const { id, email } = await app.newUser()
    const admin = await app.newUser()
    await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.id).execute()
    const next = newEmail()
    const body = { email: next, currentPassword: password }
    const { status, body: changed } = await app.call('PUT', `/api/users/${id}`, { token: admin.token, body })
    expect([status, changed.user.emailConfirmed]).toEqual([200, false])
    const stored = app.deps.db.selectFrom('users').select('self_registered').where('id', '=', id)
    expect(await stored.execute()).toEqual([{ self_registered: 0 }])
    expect(await mail.newMail()).toMatchObject({ to: [email] })
  })
})

/** Ways to get a link of each purpose, and what must be unchanged after it was refused. */
const kinds = {
  async register() {
    const email = newEmail()
    const token = await registrationToken(email)
    return { token, follow: confirm, isUnchanged: async () => (await login(email)).status === 401 }
  },
  async confirm() {
    const user = await newUnconfirmed()
    await requestConfirmation(user.token)
    const token = tokenIn(await mail.newMail())
    return { token, follow: confirm, isUnchanged: async () => !(await me(user.token)).emailConfirmed }
  },
  async reset() {
    const user = await app.newUser()
    const token = await resetToken(user.email)
    return { token, follow: reset, isUnchanged: async () => (await login(user.email)).status === 200 }
  },
}

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])('a link of the kind %s', (kind) => {
  it('is refused when it is altered, cut, of another kind or expired, and changes nothing', async () => {
    const { token, follow, isUnchanged } = await kinds[kind]()
    const last = token.at(-1) === 'A' ? 'B' : 'A'
    const wrong = [`${token.slice(0, -1)}${last}`, token.slice(1), `${token}A`, 'x', 'ä'.repeat(43)]
    for (const altered of wrong) expect(await follow(altered)).toMatchObject(ended)
    const ofAnotherKind = follow === confirm ? reset : confirm
    expect(await ofAnotherKind(token)).toMatchObject(ended)
    expect(await isUnchanged()).toBe(true)
    app.moveClock(kind === 'reset' ? accountLimits.mailLinks.resetMs : accountLimits.mailLinks.confirmMs)
    expect(await follow(token)).toMatchObject(ended)
    expect(await isUnchanged()).toBe(true)
    expect(ended.body.code).toBe('mail_link_ended')
  })

  it('works once, also when it is followed twice at the same time', async () => {
    const { token, follow } = await kinds[kind]()
    const both = await Promise.all([follow(token), follow(token)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
    expect(await follow(token)).toMatchObject(ended)
    await mail.newMails()
  })

  it.each([
    [{}, 'token: '],
    [{ token: '', password, newPassword: password }, 'token: '],
    [{ token: 'x'.repeat(101), password, newPassword: password }, 'token: '],
    [{ token: 7, password, newPassword: password }, 'token: '],
    [{ token: 'x' }, 'assword: '],
  ])('with the body %j is refused with 400', async (body, text) => {
    const [method, path, field] =
      kind === 'reset' ? ['PUT', '/api/password-reset', 'password'] : ['POST', '/api/confirm-email', 'newPassword']
    const { [field as keyof typeof body]: _, ...given } = body as Record<string, unknown>
    const { status, body: answer } = await app.call(method ?? '', path ?? '', { body: given })
    expect([status, answer.code]).toEqual([400, 'invalid_input'])
    expect(answer.error).toContain(text)
  })
})

it('wrong links are throttled by the address of the client, and a right one is not counted', async () => {
  const token = await registrationToken(newEmail())
  for (let n = 0; n < accountLimits.mailLinks.wrong.limit; n++) expect((await confirm(`wrong-${n}`)).status).toBe(403)
  expect(await confirm(token)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect((await reset('wrong')).status).toBe(429)
  app.moveClock(accountLimits.mailLinks.wrong.windowMs)
  expect((await confirm(token)).status).toBe(200)
})

it('passwords that are tried with a link are throttled like logins', async () => {
  const token = await registrationToken(newEmail())
  const tries: number[] = []
  for (let n = 0; n < 8; n++) tries.push((await confirm(token, `wrong-${n}`)).status)
  expect(tries.slice(0, 6)).toEqual(Array(6).fill(403))
  expect(tries.slice(6)).toEqual([429, 429])
})

describe('mails with links', () => {
  it('are three an hour to an address, whether it has an account, however it is written', async () => {
    const { email } = await app.newUser()
    for (const [name, address] of [
      ['known', email],
      ['unknown', newEmail()],
    ] as const) {
      const spellings = [address, address.toUpperCase(), address.replace('@', `+${name}@`), address]
      const statuses: number[] = []
      for (const spelling of spellings) statuses.push((await requestReset(spelling)).status)
      expect(statuses).toEqual([200, 200, 200, 429])
    }
    expect((await mail.newMails()).length).toBeLessThanOrEqual(3)
  })

  it('for a new password are counted apart from those that have no link', async () => {
    const { email } = await app.newUser()
    for (const expected of [201, 201, 201, 429]) expect((await register(email)).status).toBe(expected)
    await mail.newMails()
    expect((await reset(await resetToken(email))).status).toBe(200)
    await mail.newMails()
  })

  it('are twenty an hour from an address of clients', async () => {
    const statuses: number[] = []
    for (let n = 0; n <= accountLimits.mailLinks.perSender.limit; n++)
      statuses.push((await register(newEmail())).status)
    expect(statuses).toEqual([...Array(accountLimits.mailLinks.perSender.limit).fill(201), 429])
    expect(await mail.newMails()).toHaveLength(accountLimits.mailLinks.perSender.limit)
  })
})

it('tokens and passwords are in no table but the outbox, and in no log line', async () => {
  const email = newEmail()
  await register(email)
  await app.deps.background.idle()
  const queued = await app.deps.db.selectFrom('outgoing_mail').selectAll().execute()
  const received = await mail.newMail()
  const token = tokenIn(received)
  expect(JSON.stringify(queued)).toContain(token)
  for (const table of ['mail_links', 'users', 'audit_log', 'outgoing_mail', 'settings'] as const)
    expect(JSON.stringify(await app.deps.db.selectFrom(table).selectAll().execute())).not.toContain(token)
  await confirm(token)
  expect(JSON.stringify(app.logged)).not.toContain(token)
})
