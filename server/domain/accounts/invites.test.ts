// Who may register: REGISTRATION, REGISTRATION_DOMAINS and invitations.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { startMailApp, tokenIn } from '../../testing/mail-app.ts'

const adminLogin = { email: 'boss@example.com', password: 'boss-secret' }
const admin = { ADMIN_EMAIL: adminLogin.email, ADMIN_PASSWORD: adminLogin.password }
const running: { stop(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const part of running.splice(0).toReversed()) await part.stop()
})

let app: TestApp
let token: string
beforeAll(async () => {
  app = await startTestApp({ ...admin, REGISTRATION: 'invite' })
  token = await logInAdmin(app)
})
afterAll(() => app.stop())

async function logInAdmin(to: TestApp): Promise<string> {
  return (await to.call('POST', '/api/login', { body: adminLogin })).body.token
}
const create = (body: object = {}) => app.call('POST', '/api/admin/invites', { token, body })
const list = async () => (await app.call('GET', '/api/admin/invites', { token })).body
const secretOf = ({ link }: { link: string }) => new URL(link).hash.slice(1)
const newEmail = () => `user-${crypto.randomUUID()}@example.com`
const register = (to: TestApp, invite?: string, email = newEmail()) =>
  to.call('POST', '/api/register', {
    body: { email, password: 'secret-1', ...(invite === undefined ? {} : { invite }) },
  })
const endedInvite = { status: 403, body: { code: 'invite_ended' } }

describe('an invitation', () => {
  it('registers as many people as it allows, in its role; its link is shown once', async () => {
    const { status, body } = await create({ note: ' The Lovelaces ', role: 'admin', maxUses: 2, days: 30 })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      note: 'The Lovelaces',
      role: 'admin',
      uses: 0,
      maxUses: 2,
      expiresAt: new Date(Date.parse(body.createdAt) + 30 * dayMs).toISOString(),
      createdBy: adminLogin.email,
      link: expect.stringMatching(new RegExp(`^${app.url}/register#[\\w-]{43}$`)),
    })
    for (let n = 0; n < 2; n++)
      expect(await register(app, secretOf(body))).toMatchObject({ status: 201, body: { user: { role: 'admin' } } })
    expect(await register(app, secretOf(body))).toMatchObject(endedInvite)
    const [listed] = await list()
    expect(listed).toMatchObject({ id: body.id, uses: 2 })
    expect(JSON.stringify(await list())).not.toContain(secretOf(body))
    const { target } = (await app.call('GET', '/api/admin/audit?action=invite_created', { token })).body[0]
    expect(target).toBe(body.id)
    const [made] = (await app.call('GET', '/api/admin/audit?action=user_created', { token })).body
    expect(made.details).toEqual({ role: 'admin', status: 'Active', invite: body.id })
  })

  it('is used by one of two people who register at the same time', async () => {
    const { body } = await create()
    const both = await Promise.all([register(app, secretOf(body)), register(app, secretOf(body))])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403])
  })

  it('is not used up by a registration that fails', async () => {
    const { body } = await create()
    const { email } = (await register(app, secretOf((await create()).body))).body.user
    expect(await register(app, secretOf(body), email)).toMatchObject({
      status: 409,
      body: { code: 'registration_failed' },
    })
    expect((await register(app, secretOf(body))).status).toBe(201)
  })

  it('ends when it is deleted or its time is over', async () => {
    const [deleted, expired] = [(await create()).body, (await create({ days: 1 })).body]
    expect((await app.call('DELETE', `/api/admin/invites/${deleted.id}`, { token })).status).toBe(200)
    expect(await app.call('DELETE', `/api/admin/invites/${deleted.id}`, { token })).toMatchObject({
      status: 404,
      body: { code: 'invite_not_found' },
    })
    app.moveClock(dayMs)
    for (const { link } of [deleted, expired])
      expect(await register(app, secretOf({ link }))).toMatchObject(endedInvite)
    expect((await list()).map(({ id }: { id: string }) => id)).not.toContain(expired.id)
    token = await logInAdmin(app)
  })

  it('for an admin needs the password, or a recent login', async () => {
    app.moveClock(accountLimits.recentLoginMs + 1)
    expect(await create({ role: 'admin' })).toMatchObject({ status: 403, body: { code: 'password_required' } })
    expect(await create({ role: 'admin', currentPassword: 'wrong' })).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    })
    expect((await create({ role: 'admin', currentPassword: adminLogin.password })).status).toBe(201)
    expect((await create()).status).toBe(201)
  })

  it.each([
    [{ maxUses: 0 }, 'maxUses: '],
    [{ maxUses: 1001 }, 'maxUses: '],
    [{ maxUses: 1.5 }, 'maxUses: '],
    [{ days: 366 }, 'days: '],
    [{ role: 'owner' }, 'role: '],
    [{ note: 'x'.repeat(101) }, 'note: '],
    [{ uses: 1 }, 'uses: is not a field of this request'],
  ])('with %j is refused', async (body, text) => {
    const before = (await list()).length
    const answer = await create(body)
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_input'])
    expect(answer.body.error).toContain(text)
    expect(await list()).toHaveLength(before)
  })

  it('is one of a hundred', async () => {
    const { length } = await list()
    for (let n = length; n < accountLimits.invites.max; n++) expect((await create()).status).toBe(201)
    expect(await create()).toMatchObject({ status: 409, body: { code: 'too_many_invites' } })
    await app.deps.db.deleteFrom('invites').execute()
  })
})

describe('REGISTRATION=invite', () => {
  it('refuses registrations without an invitation, and with a wrong one', async () => {
    expect(await register(app)).toMatchObject({ status: 403, body: { code: 'invite_required' } })
    for (const wrong of ['x', 'ä', 'A'.repeat(43)]) expect(await register(app, wrong)).toMatchObject(endedInvite)
    expect((await register(app, 'x'.repeat(101))).status).toBe(400)
  })

  it('throttles wrong invitations by the address of the client', async () => {
    app.moveClock(accountLimits.mailLinks.wrong.windowMs)
    for (let n = 0; n < accountLimits.mailLinks.wrong.limit; n++)
      expect((await register(app, `wrong-${n}`)).status).toBe(403)
    expect((await register(app, 'wrong')).status).toBe(429)
  })
})

it('REGISTRATION=closed refuses registrations, also with an invitation; admins still create users', async () => {
  const closed = await startTestApp({ ...admin, REGISTRATION: 'closed' })
  running.push(closed)
  const adminLogin = await logInAdmin(closed)
  const { body } = await closed.call('POST', '/api/admin/invites', { token: adminLogin, body: {} })
  for (const invite of [undefined, secretOf(body)])
    expect(await register(closed, invite)).toMatchObject({ status: 403, body: { code: 'registration_closed' } })
  const user = { email: 'made@example.com', password: 'secret-1' }
  expect((await closed.call('POST', '/api/users', { token: adminLogin, body: user })).status).toBe(201)
})

it('REGISTRATION_DOMAINS limits the addresses of registrations, not those that admins create', async () => {
  const limited = await startTestApp({ ...admin, REGISTRATION_DOMAINS: 'Example.org, sub.example.net' })
  running.push(limited)
  const allowed = ['a@example.org', 'B@EXAMPLE.ORG', 'c@sub.example.net']
  for (const email of allowed) expect((await register(limited, undefined, email)).status).toBe(201)
  for (const email of [
    'a@example.com',
    'a@example.net',
    'a@evil-example.org',
    'a@example.org.evil.net',
    'a@x.example.org',
  ])
    expect(await register(limited, undefined, email)).toMatchObject({
      status: 400,
      body: { error: 'email: must be an address at example.org or sub.example.net' },
    })
  const body = { email: 'made@example.com', password: 'secret-1' }
  expect((await limited.call('POST', '/api/users', { token: await logInAdmin(limited), body })).status).toBe(201)
})

it('an invitation is used when the link of the registration is followed, if it is still valid', async () => {
  const mail = await startMailApp({ ...admin, REGISTRATION: 'invite' })
  running.push(mail)
  const invite = async () => {
    const body = { maxUses: 1 }
    return (await mail.app.call('POST', '/api/admin/invites', { token: await logInAdmin(mail.app), body })).body
  }
  const follow = async (invitation: { link: string }) => {
    expect((await register(mail.app, secretOf(invitation))).body).toEqual({ success: true, confirmation: 'mailed' })
    const token = tokenIn(await mail.newMail())
    return () => mail.app.call('POST', '/api/confirm-email', { body: { token, password: 'secret-1' } })
  }
  const shared = await invite()
  expect(shared.link).toMatch(/^https:\/\/pics\.example\/register#/)
  const [first, second] = [await follow(shared), await follow(shared)]
  expect((await first()).status).toBe(200)
  expect(await second()).toMatchObject(endedInvite)
  const withdrawn = await invite()
  const late = await follow(withdrawn)
  await mail.app.call('DELETE', `/api/admin/invites/${withdrawn.id}`, { token: await logInAdmin(mail.app) })
  expect(await late()).toMatchObject({ status: 403, body: { code: 'mail_link_ended' } })
})
