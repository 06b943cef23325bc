// Authenticator apps, recovery codes and passkeys: what a login needs, and what is refused.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import { type ApiResponse, startTestApp, type TestApp } from '../../../testing/app.ts'
import { type Authenticator, createAuthenticator } from '../../../testing/authenticator.ts'
import { startSession } from '../sessions.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1' })
})
afterAll(() => app.stop())

const password = 'secret-1'
const stepMs = 30_000

interface User {
  id: string
  email: string
  token: string
}

const call = (method: string, path: string, { token }: { token?: string }, body?: unknown) =>
  app.call(method, path, { token, ...(body === undefined ? {} : { body }) })

/** @param steps by which the clock of the device differs */
const codeOf = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: app.deps.now() + steps * stepMs })

/** A user with an authenticator app. A new step has begun, so that the next code is a new one and no step ends meanwhile. */
async function newUserWithApp(): Promise<User & { secret: string; recoveryCodes: string[] }> {
  const user = await app.newUser()
  const { secret } = (await call('POST', '/api/me/totp', user)).body
  const { status, body } = await call('POST', '/api/me/totp/confirm', user, { code: codeOf(secret) })
  expect(status).toBe(200)
  app.moveClock(stepMs - (app.deps.now() % stepMs))
  return { ...user, secret, recoveryCodes: body.recoveryCodes }
}

async function newUserWithPasskey(): Promise<User & { device: Authenticator; passkeyId: string }> {
  const user = await app.newUser()
  const device = createAuthenticator(app.url)
  const { status, body } = await addPasskey(user, device)
  expect(status).toBe(201)
  return { ...user, device, passkeyId: body.passkey.id }
}

async function addPasskey(user: { token: string }, device: Authenticator, name = 'Laptop'): Promise<ApiResponse> {
  const { options, token } = (await call('POST', '/api/me/passkeys/options', user)).body
  return call('POST', '/api/me/passkeys', user, { token, response: device.register(options), name })
}

/** The body of a login with a passkey. */
async function assertion(device: Authenticator) {
  const { options, token } = (await call('POST', '/api/login/passkey/options', {})).body
  return { token, response: device.assert(options) }
}

const login = (email: string) => call('POST', '/api/login', {}, { email, password })
const loginWithCode = (challenge: string, code: string) => call('POST', '/api/login/code', {}, { challenge, code })
const challengeOf = async (email: string): Promise<string> => (await login(email)).body.challenge

describe('a login with an authenticator app', () => {
  it('needs the password and then a code', async () => {
    const user = await newUserWithApp()
    const first = await login(user.email)
    expect([first.status, first.body.code, first.body.factors]).toEqual([401, 'second_factor_required', ['totp']])
    expect(first.body.token).toBeUndefined()
    const second = await loginWithCode(first.body.challenge, codeOf(user.secret))
    expect([second.status, second.body.user.id]).toEqual([200, user.id])
    expect((await call('GET', '/api/me', second.body)).status).toBe(200)
  })

  it.each([-1, 0, 1])('accepts a code of a clock that is %d steps off', async (steps) => {
    const user = await newUserWithApp()
    app.moveClock(stepMs)
    expect((await loginWithCode(await challengeOf(user.email), codeOf(user.secret, steps))).status).toBe(200)
  })

  it.each<[what: string, code: (secret: string) => string]>([
    ['of a clock two steps behind', (secret) => codeOf(secret, -2)],
    ['of a clock two steps ahead', (secret) => codeOf(secret, 2)],
    ['of another secret', () => codeOf(new Secret().base32)],
    ['with a letter', (secret) => codeOf(secret).replace(/^./, 'a')],
    ['that is empty', () => ''],
  ])('refuses a code %s', async (_, code) => {
    const user = await newUserWithApp()
    app.moveClock(2 * stepMs)
    const refused = await loginWithCode(await challengeOf(user.email), code(user.secret))
    expect([refused.status, refused.body.code]).toEqual([403, 'wrong_code'])
  })

  it('accepts a code once, and none that is older', async () => {
    const user = await newUserWithApp()
    const challenge = await challengeOf(user.email)
    const [older, code] = [codeOf(user.secret), codeOf(user.secret, 1)]
    const both = await Promise.all([loginWithCode(challenge, code), loginWithCode(challenge, code)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
    expect((await loginWithCode(challenge, older)).body.code).toBe('wrong_code')
  })

  const { perAccountAndAddress, perAccount } = accountLimits.factors.codes
  const from = (address: string, challenge: string, code: string) =>
    app.call('POST', '/api/login/code', { body: { challenge, code }, headers: { 'x-forwarded-for': address } })
  /** Wrong codes of other addresses, until the account has had as many as are allowed. */
  async function guess(challenge: string): Promise<void> {
    for (let tries = 0; tries < perAccount.limit; tries++) {
      const address = `198.51.100.${Math.floor(tries / perAccountAndAddress.limit)}`
      expect((await from(address, challenge, '000000')).body.code).toBe('wrong_code')
    }
  }

  it('limits the wrong codes of an address, whatever the challenge, and not those of the owner elsewhere', async () => {
    const user = await newUserWithApp()
    for (let tries = 0; tries < perAccountAndAddress.limit; tries++)
      expect((await from('198.51.100.1', await challengeOf(user.email), '000000')).body.code).toBe('wrong_code')
    const challenge = await challengeOf(user.email)
    for (const code of [codeOf(user.secret), user.recoveryCodes[0] ?? '']) {
      const refused = await from('198.51.100.1', challenge, code)
      expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    }
    expect((await from('203.0.113.7', challenge, codeOf(user.secret))).status).toBe(200)
    app.moveClock(perAccountAndAddress.windowMs)
    expect((await from('198.51.100.1', await challengeOf(user.email), codeOf(user.secret))).status).toBe(200)
  })

  it('limits the wrong codes of all addresses, until the hour is over', async () => {
    const user = await newUserWithApp()
    await guess(await challengeOf(user.email))
    const refused = await from('203.0.113.7', await challengeOf(user.email), codeOf(user.secret))
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    app.moveClock(perAccount.windowMs)
    expect((await from('203.0.113.7', await challengeOf(user.email), codeOf(user.secret))).status).toBe(200)
  })

  it('lets the owner in with a recovery code, or a new password and a code, while others guess', async () => {
    const user = await newUserWithApp()
    const challenge = await challengeOf(user.email)
    await guess(challenge)
    expect((await from('203.0.113.7', challenge, user.recoveryCodes[0] ?? '')).status).toBe(200)
    const changed = { currentPassword: password, newPassword: 'secret-2' }
    expect((await call('PUT', '/api/me', user, changed)).status).toBe(200)
    expect((await from('198.51.100.9', challenge, '000000')).body.code).toBe('challenge_ended')
    const own = (await call('POST', '/api/login', {}, { email: user.email, password: 'secret-2' })).body.challenge
    expect((await from('203.0.113.7', own, codeOf(user.secret))).status).toBe(200)
  })

  it.each<[what: string, change: (user: User) => Promise<unknown>, code: string]>([
    ['ends after five minutes', async () => app.moveClock(accountLimits.factors.challengeMs + 1000), 'challenge_ended'],
    [
      'ends with the password',
      (user) => call('PUT', '/api/me', user, { currentPassword: password, newPassword: 'secret-2' }),
      'challenge_ended',
    ],
    [
      'does not help an account that was deactivated',
      ({ id }) => app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', id).execute(),
      'inactive_account',
    ],
  ])('a challenge %s', async (_, change, code) => {
    const user = await newUserWithApp()
    const challenge = await challengeOf(user.email)
    await change(user)
    expect((await loginWithCode(challenge, codeOf(user.secret))).body.code).toBe(code)
  })

  it('refuses an altered challenge, and a session token as one', async () => {
    const user = await newUserWithApp()
    const challenge = await challengeOf(user.email)
    for (const wrong of [`${challenge.slice(0, -3)}AAA`, user.token, 'x'])
      expect((await loginWithCode(wrong, codeOf(user.secret))).body.code).toBe('challenge_ended')
    expect((await call('GET', '/api/me', { token: challenge })).status).toBe(401)
  })

  it('is the same for a wrong password as without a second factor', async () => {
    const user = await newUserWithApp()
    const { status, body } = await call('POST', '/api/login', {}, { email: user.email, password: 'wrong' })
    expect([status, body.code, body.challenge]).toEqual([401, 'wrong_credentials', undefined])
  })
})

describe('setting up an authenticator app', () => {
  it('counts after its first code, and is refused while there is one', async () => {
    const user = await app.newUser()
    const { secret, uri } = (await call('POST', '/api/me/totp', user)).body
    expect(uri).toMatch(/^otpauth:\/\/totp\/Image%20Host:user-.*secret=/)
    expect((await login(user.email)).status).toBe(200)
    expect((await call('POST', '/api/me/totp/confirm', user, { code: '000000' })).body.code).toBe('wrong_code')
    const next = (await call('POST', '/api/me/totp', user)).body
    expect((await call('POST', '/api/me/totp/confirm', user, { code: codeOf(secret) })).body.code).toBe('wrong_code')
    expect((await call('POST', '/api/me/totp/confirm', user, { code: codeOf(next.secret) })).status).toBe(200)
    expect((await call('POST', '/api/me/totp', user)).body.code).toBe('totp_exists')
    expect((await call('POST', '/api/me/totp/confirm', user, { code: '000000' })).body.code).toBe('totp_not_found')
  })

  it('is undone by removing it, which removes the recovery codes too', async () => {
    const user = await newUserWithApp()
    expect((await call('DELETE', '/api/me/totp', user)).status).toBe(200)
    expect((await call('DELETE', '/api/me/totp', user)).body.code).toBe('totp_not_found')
    expect((await call('GET', '/api/me/security', user)).body).toMatchObject({ totp: null, recoveryCodes: 0 })
    expect((await call('POST', '/api/me/recovery-codes', user)).body.code).toBe('no_second_factor')
    expect((await login(user.email)).status).toBe(200)
  })
})

describe('a recovery code', () => {
  it('logs in once, however it is typed', async () => {
    const user = await newUserWithApp()
    const [code = ''] = user.recoveryCodes
    expect(user.recoveryCodes).toHaveLength(accountLimits.factors.recoveryCodes)
    expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/)
    const typed = code.replaceAll('-', ' ').toUpperCase()
    expect((await loginWithCode(await challengeOf(user.email), typed)).status).toBe(200)
    expect((await loginWithCode(await challengeOf(user.email), code)).body.code).toBe('wrong_code')
    expect((await call('GET', '/api/me/security', user)).body.recoveryCodes).toBe(
      accountLimits.factors.recoveryCodes - 1,
    )
  })

  it('is of one account', async () => {
    const [user, another] = [await newUserWithApp(), await newUserWithApp()]
    const [code = ''] = another.recoveryCodes
    expect((await loginWithCode(await challengeOf(user.email), code)).body.code).toBe('wrong_code')
  })

  it('ends when the codes are replaced', async () => {
    const user = await newUserWithApp()
    const { status, body } = await call('POST', '/api/me/recovery-codes', user)
    expect([status, body.recoveryCodes]).toEqual([201, expect.any(Array)])
    const [[before = ''], [after = '']] = [user.recoveryCodes, body.recoveryCodes as string[]]
    expect((await loginWithCode(await challengeOf(user.email), before)).body.code).toBe('wrong_code')
    expect((await loginWithCode(await challengeOf(user.email), after)).status).toBe(200)
  })
})

describe('a passkey', () => {
  it('logs in without a password, and notes its use', async () => {
    const user = await newUserWithPasskey()
    const { status, body } = await call('POST', '/api/login/passkey', {}, await assertion(user.device))
    expect([status, body.user?.id]).toEqual([200, user.id])
    const { passkeys } = (await call('GET', '/api/me/security', body)).body
    expect(passkeys).toMatchObject([{ id: user.passkeyId, name: 'Laptop', isSynced: true }])
    expect(passkeys[0].lastUsedAt).not.toBeNull()
  })

  it('is the second factor after a password, of the same account only', async () => {
    const [user, another] = [await newUserWithPasskey(), await newUserWithPasskey()]
    const { body } = await login(user.email)
    expect(body).toMatchObject({ code: 'second_factor_required', factors: ['passkey'] })
    const { challenge } = body
    const foreign = { ...(await assertion(another.device)), challenge }
    expect((await call('POST', '/api/login/passkey', {}, foreign)).body.error).toMatch(/belongs to another account/)
    const own = { ...(await assertion(user.device)), challenge }
    expect((await call('POST', '/api/login/passkey', {}, own)).body.user?.id).toBe(user.id)
  })

  it('whose counter is behind is noticed as a copy', async () => {
    const user = await newUserWithPasskey()
    for (const [counter, status] of [
      [user.device.counter, 200],
      [1, 403],
      [100, 200],
    ] as const) {
      user.device.counter = counter
      const { status: given, body } = await call('POST', '/api/login/passkey', {}, await assertion(user.device))
      expect([given, body.error ?? '']).toEqual([status, status === 200 ? '' : expect.stringContaining('a copy')])
    }
    expect(app.logged.some(({ msg }) => String(msg).includes('it may be a copy'))).toBe(true)
  })

  it.each<[what: string, change: (user: { device: Authenticator }, body: Assertion) => void, code: string]>([
    ['for another site', () => {}, 'passkey_refused'],
    ['with an altered signature', (_, { response }) => (response.response.signature = 'MEUCIQAA'), 'passkey_refused'],
    [
      'with bytes that are none',
      (_, { response }) => (response.response.authenticatorData = 'AAAA'),
      'passkey_refused',
    ],
    ['of an unknown passkey', (_, { response }) => (response.id = response.rawId = 'AAAA'), 'passkey_refused'],
    [
      'with the handle of another user',
      (_, { response }) => (response.response.userHandle = 'AAAA'),
      'passkey_refused',
    ],
    ['that is too late', () => app.moveClock(accountLimits.factors.challengeMs + 1000), 'challenge_ended'],
    ['to an altered challenge', (_, body) => (body.token = `${body.token.slice(0, -3)}AAA`), 'challenge_ended'],
  ])('refuses a response %s, and changes nothing', async (what, change, code) => {
    const user = await newUserWithPasskey()
    if (what === 'for another site') user.device.origin = 'https://evil.example'
    const body = await assertion(user.device)
    change(user, body)
    const refused = await call('POST', '/api/login/passkey', {}, body)
    expect([refused.status, refused.body.code]).toEqual([403, code])
    const [stored] = (await call('GET', '/api/me/security', await freshly(user))).body.passkeys
    expect(stored.lastUsedAt).toBeNull()
  })

  it('is refused without the verification of its user', async () => {
    const user = await newUserWithPasskey()
    user.device.verifiesUser = false
    const refused = await call('POST', '/api/login/passkey', {}, await assertion(user.device))
    expect(refused.body.code).toBe('passkey_refused')
    const device = createAuthenticator(app.url)
    device.verifiesUser = false
    expect((await addPasskey(user, device)).body.code).toBe('passkey_refused')
  })

  it('responds to a challenge once', async () => {
    const user = await newUserWithPasskey()
    const body = await assertion(user.device)
    expect((await call('POST', '/api/login/passkey', {}, body)).status).toBe(200)
    expect((await call('POST', '/api/login/passkey', {}, body)).body.code).toBe('challenge_ended')
  })

  it('is refused after too many refusals of an address', async () => {
    const own = await startTestApp()
    try {
      const body = { token: 'x', response: createAuthenticator(own.url).assert({ challenge: 'AAAA' }) }
      for (let tries = 0; tries < accountLimits.login.perAddress.limit; tries++)
        expect((await own.call('POST', '/api/login/passkey', { body })).status).toBe(403)
      expect((await own.call('POST', '/api/login/passkey', { body })).status).toBe(429)
    } finally {
      await own.stop()
    }
  })

  it('is added once, for the user who started, up to a limit', async () => {
    const [user, another] = [await newUserWithPasskey(), await app.newUser()]
    expect((await addPasskey(user, user.device)).body.error).toMatch(/known already/)
    const { options, token } = (await call('POST', '/api/me/passkeys/options', another)).body
    const body = { token, response: createAuthenticator(app.url).register(options), name: 'Phone' }
    expect((await call('POST', '/api/me/passkeys', user, body)).body.code).toBe('challenge_ended')
    const { maxPasskeys } = accountLimits.factors
    const statuses: number[] = []
    for (let count = 1; count < maxPasskeys; count++)
      statuses.push((await addPasskey(user, createAuthenticator(app.url))).status)
    expect(new Set(statuses)).toEqual(new Set([201]))
    const beyond = await call('POST', '/api/me/passkeys/options', user)
    expect([beyond.status, beyond.body.code]).toEqual([409, 'too_many_passkeys'])
  })

  it('is renamed and removed by its user only', async () => {
    const [user, another] = [await newUserWithPasskey(), await app.newUser()]
    const path = `/api/me/passkeys/${user.passkeyId}`
    expect((await call('PATCH', path, another, { name: 'Mine' })).body.code).toBe('passkey_not_found')
    expect((await call('DELETE', path, another)).body.code).toBe('passkey_not_found')
    expect((await call('PATCH', path, user, { name: ' My  phone ' })).body.name).toBe('My phone')
    expect((await call('DELETE', path, user)).status).toBe(200)
    expect((await call('POST', '/api/login/passkey', {}, await assertion(user.device))).body.code).toBe(
      'passkey_refused',
    )
    expect((await login(user.email)).status).toBe(200)
  })

  it('of an inactive account does not log in', async () => {
    const user = await newUserWithPasskey()
    await app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', user.id).execute()
    const refused = await call('POST', '/api/login/passkey', {}, await assertion(user.device))
    expect(refused.body.code).toBe('inactive_account')
  })
})

type Assertion = Awaited<ReturnType<typeof assertion>>

/** A new session of the same user, for requests after the clock has moved. */
async function freshly(user: { device: Authenticator; id: string }): Promise<{ token: string }> {
  const account = await app.deps.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
  return { token: (await startSession(app.deps, account, { address: '' })) ?? '' }
}

describe('confirming who one is', () => {
  const minutes11 = 11 * 60_000
  const changes = [
    ['POST', '/api/me/totp'],
    ['DELETE', '/api/me/totp'],
    ['POST', '/api/me/recovery-codes'],
    ['POST', '/api/me/passkeys/options'],
    ['DELETE', '/api/me/passkeys/none'],
    ['POST', '/api/me/providers/none'],
    ['DELETE', '/api/me/identities/none'],
  ] as const

  it('is needed for every change of the factors after ten minutes', async () => {
    const user = await newUserWithApp()
    app.moveClock(minutes11)
    for (const [method, path] of changes)
      expect([path, (await call(method, path, user)).body.code]).toEqual([path, 'password_required'])
  })

  it.each<[how: string, proof: (user: Complete) => Promise<object> | object]>([
    ['the password', () => ({ currentPassword: password })],
    ['a code', ({ secret }) => ({ code: codeOf(secret) })],
    ['a passkey', async ({ device }) => ({ passkey: await assertion(device) })],
  ])('works with %s, for ten minutes', async (_, proof) => {
    const user = await newCompleteUser()
    app.moveClock(minutes11)
    expect((await call('POST', '/api/me/confirm', user, await proof(user))).status).toBe(200)
    expect((await call('POST', '/api/me/recovery-codes', user)).status).toBe(201)
    expect((await call('POST', '/api/api-keys', user, {})).status).toBe(201)
    app.moveClock(minutes11)
    expect((await call('POST', '/api/me/recovery-codes', user)).body.code).toBe('password_required')
  })

  it.each<[how: string, proof: (user: Complete) => Promise<object> | object, code: string]>([
    ['nothing', () => ({}), 'password_required'],
    ['a wrong password', () => ({ currentPassword: 'wrong' }), 'wrong_password'],
    ['a wrong code', () => ({ code: '000000' }), 'wrong_code'],
    ['a recovery code', ({ recoveryCodes: [code] }) => ({ code }), 'wrong_code'],
    [
      'a passkey of another account',
      async () => ({ passkey: await assertion((await newUserWithPasskey()).device) }),
      'passkey_refused',
    ],
  ])('fails with %s', async (_, proof, code) => {
    const user = await newCompleteUser()
    app.moveClock(minutes11)
    expect((await call('POST', '/api/me/confirm', user, await proof(user))).body.code).toBe(code)
    expect((await call('POST', '/api/me/recovery-codes', user)).body.code).toBe('password_required')
  })

  type Complete = Awaited<ReturnType<typeof newCompleteUser>>
  async function newCompleteUser() {
    const user = await newUserWithApp()
    const device = createAuthenticator(app.url)
    await addPasskey(user, device)
    return { ...user, device }
  }
})

describe('REQUIRE_2FA', () => {
  const adminLogin = { email: 'boss@example.com', password: 'boss-secret' }

  it.each([
    ['all', { user: true, admin: true }],
    ['admins', { user: false, admin: true }],
  ])('%s lets sessions without a factor do nothing but set one up', async (REQUIRE_2FA, needs) => {
    const own = await startTestApp({ REQUIRE_2FA, ADMIN_EMAIL: adminLogin.email, ADMIN_PASSWORD: adminLogin.password })
    try {
      const user = await own.newUser()
      const admin = (await own.call('POST', '/api/login', { body: adminLogin })).body
      expect(admin.needsSecondFactor).toBe(needs.admin)
      for (const [{ token }, isNeeded] of [
        [user, needs.user],
        [admin, needs.admin],
      ] as const) {
        expect((await own.call('GET', '/api/me', { token })).body.needsSecondFactor).toBe(isNeeded)
        const { status, body } = await own.call('GET', '/api/images', { token })
        expect([status, body.code]).toEqual(isNeeded ? [403, 'second_factor_missing'] : [200, undefined])
        expect((await own.upload(Buffer.alloc(0), { token })).body.code).toBe(
          isNeeded ? 'second_factor_missing' : 'empty_file',
        )
      }
      const { token } = admin
      const { secret } = (await own.call('POST', '/api/me/totp', { token })).body
      await own.call('POST', '/api/me/totp/confirm', {
        token,
        body: { code: TOTP.generate({ secret: Secret.fromBase32(secret) }) },
      })
      expect((await own.call('GET', '/api/images', { token })).status).toBe(200)
      expect((await own.call('DELETE', '/api/me/totp', { token })).body.code).toBe('last_factor')
      expect((await own.call('GET', '/api/me/security', { token })).body.totp).not.toBeNull()
    } finally {
      await own.stop()
    }
  })
})

it('the session of a changed password keeps its second factor', async () => {
  const user = await newUserWithApp()
  const { body } = await call('PUT', '/api/me', user, { currentPassword: password, newPassword: 'secret-2' })
  const rows = await app.deps.db
    .selectFrom('sessions')
    .select('has_second_factor')
    .where('user_id', '=', user.id)
    .execute()
  expect([typeof body.token, rows]).toEqual(['string', [{ has_second_factor: 1 }]])
})
