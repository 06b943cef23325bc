// The end of an account by its user: nothing of it remains, or it can be cancelled for seven days.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { startSmtpServer } from '../../testing/smtp-server.ts'
import { jpeg } from '../../testing/test-images.ts'
import { allTables } from '../backups/table-list.ts'
import { removeImages } from '../images/deletion/remove-images.ts'
import { sendReport } from '../moderation/reports/send-report.ts'
import { sendDueMail } from '../mail/mail-queue.ts'
import { sweepExpired } from '../images/deletion/sweep.ts'
import { deleteDueAccounts } from './delete-account.ts'

const adminLogin = { email: 'boss@example.com', password: 'boss-secret' }
let app: TestApp
let admin: string
let picture: Buffer
beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: adminLogin.email, ADMIN_PASSWORD: adminLogin.password, TRUST_PROXY: '1' })
  admin = (await app.call('POST', '/api/login', { body: adminLogin })).body.token
  picture = await jpeg(900, 600)
})
afterAll(() => app.stop())

const graceMs = limits.account.deletionGraceMs
const deleteMe = (token: string, body: object = {}) => app.call('DELETE', '/api/me', { token, body })
const me = (token: string) => app.call('GET', '/api/me', { token })
const exists = async (id: string) =>
  (await app.deps.db.selectFrom('users').select('id').where('id', '=', id).execute()).length === 1
const runJob = () => deleteDueAccounts(app.deps, app.deps.now())

/** The rows of every table that contain one of the texts. */
async function rowsWith(texts: string[]): Promise<string[]> {
  const found: string[] = []
  for (const table of allTables) {
    const rows = await app.deps.db.selectFrom(table).selectAll().execute()
    for (const row of rows) {
      const text = JSON.stringify(row).toLowerCase()
      if (texts.some((one) => text.includes(one.toLowerCase()))) found.push(`${table}: ${text}`)
    }
  }
  return found
}

it('a deletion at once leaves nothing of the account in database, store, variants and caches', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.23', 'user-agent': 'curl/8.14.1' }
  const credentials = { email: 'ophelia@example.com', password: 'secret-1' }
  const call = (method: string, path: string, body?: object, token?: string) =>
    app.call(method, path, { token, headers, ...(body === undefined ? {} : { body }) })
  await call('POST', '/api/login', credentials)
  const { token, user } = (await call('POST', '/api/register', { ...credentials, name: 'Ophelia Quill' })).body
  await call('POST', '/api/login', { ...credentials, password: 'wrong' })
  const { key } = (await call('POST', '/api/api-keys', { name: 'Quill key' }, token)).body
  await call('POST', '/api/webhooks', { url: 'https://quill.example.com/', events: ['image.uploaded'] }, token)
  const change = { email: 'quill@example.com', currentPassword: adminLogin.password }
  expect((await app.call('PUT', `/api/users/${user.id}`, { token: admin, body: change })).status).toBe(200)
  const images: { id: string; file_name: string; url: string }[] = []
  for (const name of ['Elsinore by night.jpg', 'Elsinore by day.jpg', 'Elsinore removed.jpg'])
    images.push((await app.upload(picture, { token, name, headers })).body)
  const [night, , removed] = images
  await sendReport(app.deps, { address: '203.0.113.9', body: { image: night?.id ?? '', reason: 'spam' } })
  await removeImages(app.deps, [removed?.id ?? ''], { actor: 'server', action: 'image_deleted' })
  const paths = images.flatMap(({ id, file_name: name }) => [
    `/uploads/${name}`,
    `/api/thumbnail/${id}/400`,
    `/api/resize/${id}/300`,
  ])
  for (const path of [...paths, ...paths])
    expect((await app.request(path)).status).toBe(path.includes(removed?.id ?? '') ? 410 : 200)
  const written = ['ophelia', 'quill', 'elsinore', '198.51.100']
  expect(await rowsWith(written)).not.toEqual([])

  expect(await deleteMe(token, { immediately: true })).toMatchObject({ status: 200, body: { success: true } })
  for (const path of paths) expect((await app.request(path)).status).toBe(410)
  expect((await me(token)).status).toBe(401)
  expect((await call('GET', '/api/images', undefined, key)).status).toBe(401)
  expect((await call('POST', '/api/login', { ...credentials, email: 'quill@example.com' })).status).toBe(401)

  await sweepExpired(app.deps)
  // By tombstones, which have the ids only.
  for (const path of paths) expect((await app.request(path)).status).toBe(410)
  // The last login failed after the deletion: an attempt at an unknown account.
  await app.deps.db.deleteFrom('audit_log').where('target_label', '=', 'quill@example.com').execute()
  expect(await rowsWith(written)).toEqual([])
  const left = new Set((await rowsWith([user.id, ...images.map(({ id }) => id)])).map((row) => row.split(':')[0]))
  // Ids only: what was done, which URLs respond 410, and what was reported.
  expect(left).toEqual(new Set(['audit_log', 'report_cases', 'tombstones']))
  const files = [...(await app.files('originals')), ...(await app.files('variants'))]
  expect(files.filter((file) => images.some(({ id }) => file.includes(id)))).toEqual([])

  const again = await app.call('POST', '/api/register', { body: { ...credentials, email: 'quill@example.com' } })
  expect([again.status, again.body.user.imageCount]).toEqual([201, 0])
})

describe('a deletion after seven days', () => {
  it('is shown, changes nothing until then, and can be cancelled', async () => {
    const { token, id } = await app.newUser()
    const image = (await app.upload(picture, { token })).body
    const { body } = await deleteMe(token)
    expect(Date.parse(body.deletion_at) - app.deps.now()).toBeLessThanOrEqual(graceMs)
    expect((await me(token)).body.user.deletion_at).toBe(body.deletion_at)
    app.moveClock(graceMs - 60_000)
    expect(await runJob()).toEqual({ accounts: 0 })
    expect((await app.request(`/uploads/${image.file_name}`)).status).toBe(200)
    const [user] = (await app.call('GET', '/api/users', { token: await logIn() })).body
    expect(user).toMatchObject({ id, deletion_at: body.deletion_at })
    expect(await app.call('POST', '/api/me/restore', { token })).toMatchObject({
      status: 200,
      body: { user: { id, deletion_at: null } },
    })
    expect((await me(token)).body.user.deletion_at).toBeNull()
    app.moveClock(graceMs)
    expect(await runJob()).toEqual({ accounts: 0 })
    expect(await exists(id)).toBe(true)
  })

  it('is done by a job, which leaves other accounts alone', async () => {
    const [leaving, staying] = [await app.newUser(), await app.newUser()]
    const image = (await app.upload(picture, { token: leaving.token })).body
    await deleteMe(leaving.token)
    app.moveClock(graceMs + 1000)
    expect(await runJob()).toEqual({ accounts: 1 })
    expect([await exists(leaving.id), await exists(staying.id)]).toEqual([false, true])
    expect((await app.request(`/uploads/${image.file_name}`)).status).toBe(410)
    expect(await runJob()).toEqual({ accounts: 0 })
    expect(await rowsWith([leaving.email])).toEqual([])
  })

  it('is cancelled by the job when its user has become the only admin', async () => {
    const { id, token } = await app.newUser()
    const users = () => app.deps.db.updateTable('users')
    await users().set({ role: 'admin' }).where('id', '=', id).execute()
    expect((await deleteMe(token)).status).toBe(200)
    await users().set({ status: 'Inactive' }).where('email', '=', adminLogin.email).execute()
    app.moveClock(graceMs + 1000)
    expect(await runJob()).toEqual({ accounts: 0 })
    const row = app.deps.db.selectFrom('users').select('deletion_at').where('id', '=', id)
    expect(await row.executeTakeFirst()).toEqual({ deletion_at: null })
    await users().set({ status: 'Active' }).where('email', '=', adminLogin.email).execute()
    await users().set({ role: 'user' }).where('id', '=', id).execute()
  })
})

it('both are announced by mail to a confirmed address, which is then removed with the mail', async () => {
  const smtp = await startSmtpServer()
  const mailing = await startTestApp({
    SMTP_URL: smtp.url,
    SUPPORT_EMAIL: 'a@example.com',
    PUBLIC_URL: 'https://p.example',
  })
  try {
    const { token, id, email } = await mailing.newUser()
    await mailing.deps.db.updateTable('users').set({ email_confirmed_at: 1 }).where('id', '=', id).execute()
    const send = async (body: object) => {
      expect((await mailing.call('DELETE', '/api/me', { token, body })).status).toBe(200)
      await sendDueMail(mailing.deps, mailing.deps.now())
      return smtp.mails.at(-1)
    }
    expect(await send({})).toMatchObject({
      to: [email],
      headers: { subject: 'Image Host: your account will be deleted' },
    })
    expect(smtp.mails.at(-1)?.text).toContain('https://p.example/account')
    expect(await send({ immediately: true })).toMatchObject({
      to: [email],
      headers: { subject: 'Image Host: your account has been deleted' },
    })
    expect(smtp.mails).toHaveLength(2)
    expect(await mailing.deps.db.selectFrom('outgoing_mail').selectAll().execute()).toEqual([])
  } finally {
    await mailing.stop()
    await smtp.stop()
  }
})

const logIn = async (): Promise<string> => (await app.call('POST', '/api/login', { body: adminLogin })).body.token

describe('a deletion is refused and changes nothing', () => {
  it.each<[string, object, number, string]>([
    ['with a wrong password', { currentPassword: 'guess' }, 403, 'wrong_password'],
    ['with a password that is no text', { currentPassword: 5 }, 400, 'invalid_input'],
    ['with an unknown field', { immediately: true, userId: 'x' }, 400, 'invalid_input'],
    ['with a choice that is no boolean', { immediately: 'yes' }, 400, 'invalid_input'],
  ])('%s', async (_, body, status, code) => {
    const { token, id } = await app.newUser()
    for (const sent of [body, { immediately: true, ...body }])
      expect(await deleteMe(token, sent)).toMatchObject({ status, body: { code } })
    expect((await me(token)).body.user.deletion_at).toBeNull()
    expect(await exists(id)).toBe(true)
  })

  it('with an old login and no password', async () => {
    const { token } = await app.newUser()
    app.moveClock(accountLimits.recentLoginMs + 1)
    for (const immediately of [false, true])
      expect((await deleteMe(token, { immediately })).body.code).toBe('password_required')
    expect((await me(token)).body.user.deletion_at).toBeNull()
    expect((await deleteMe(token, { currentPassword: 'secret-1', immediately: true })).status).toBe(200)
  })

  it('by the last admin', async () => {
    const token = await logIn()
    for (const immediately of [false, true])
      expect((await deleteMe(token, { immediately })).body.code).toBe('last_admin')
    expect((await me(token)).body.user.deletion_at).toBeNull()
  })

  it('by an API key', async () => {
    const { token } = await app.newUser()
    const { key } = (await app.call('POST', '/api/api-keys', { token, body: {} })).body
    expect((await deleteMe(key)).body.code).toBe('api_key_not_enough')
    expect((await app.call('POST', '/api/me/restore', { token: key })).body.code).toBe('api_key_not_enough')
  })
})

it('of concurrent deletions of an account one succeeds, and the others end without an error', async () => {
  const { token, id } = await app.newUser()
  const responses = await Promise.all(Array.from({ length: 5 }, () => deleteMe(token, { immediately: true })))
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
  expect(statuses[0]).toBe(200)
  expect(new Set(statuses.slice(1))).toEqual(new Set([401]))
  expect(await exists(id)).toBe(false)
})

it('thousands of entries of the audit log lose email and address, and keep what was done', async () => {
  const { token, id, email } = await app.newUser()
  const { db } = app.deps
  const entry = await db.selectFrom('audit_log').selectAll().where('actor', '=', id).executeTakeFirstOrThrow()
  const many = Array.from({ length: 1200 }, (_, n) => ({ ...entry, id: `entry-${n}`, address: '198.51.100.23' }))
  for (let at = 0; at < many.length; at += 100)
    await db
      .insertInto('audit_log')
      .values(many.slice(at, at + 100))
      .execute()
  expect((await deleteMe(token, { immediately: true })).status).toBe(200)
  const rows = await db.selectFrom('audit_log').selectAll().where('actor', '=', id).execute()
  expect(rows.filter(({ action }) => action === 'user_created')).toHaveLength(1201)
  expect(rows.filter((row) => row.actor_email !== null || row.address !== null)).toEqual([])
  expect(await rowsWith([email])).toEqual([])
})
