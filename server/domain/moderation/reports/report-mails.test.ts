// Mails about reports: to the operator about new ones, to the owner about a decision.
import { afterEach, expect, it } from 'vitest'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { reportLimits } from '../../../../contract/plain/moderation-limits.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { startSmtpServer } from '../../../testing/smtp-server.ts'
import { jpeg } from '../../../testing/test-images.ts'
import { promote } from '../../accounts/operator-accounts.ts'
import { sendDueMail } from '../../mail/mail-queue.ts'
import { sendReportDigest } from './report-digest.ts'

const { everyMs, maxListed } = reportLimits.digest
const running: { stop(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const part of running.splice(0).toReversed()) await part.stop()
})

async function startAll(settings: Record<string, string> = {}) {
  const smtp = await startSmtpServer()
  running.push(smtp)
  const mail = { SMTP_URL: smtp.url, SUPPORT_EMAIL: 'support@example.com', SITE_NAME: 'Pics' }
  const app = await startTestApp({ ...mail, ...settings })
  running.push(app)
  return { smtp, app, owner: await app.newUser('owner@example.com') }
}

async function upload(app: TestApp, user: { token: string }, name: string): Promise<UploadedImage> {
  return (await app.upload(await jpeg(20, 10), { token: user.token, name })).body
}

async function report(app: TestApp, image: string, more: object = {}) {
  // Another hour of the rate limit.
  app.moveClock(reportLimits.perAddress.windowMs)
  const { status } = await app.call('POST', '/api/reports', { body: { image, reason: 'spam', ...more } })
  expect(status).toBe(201)
}

/** The scheduled job, and the queue after it. */
async function run(app: TestApp) {
  const result = await sendReportDigest(app.deps)
  await sendDueMail(app.deps, app.deps.now())
  return result
}

async function decideAll(app: TestApp, action: string, note?: string) {
  const { email } = await app.newUser()
  await promote(app.deps, email)
  const { token } = (await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).body
  for (const { id } of (await app.call('GET', '/api/admin/reports', { token })).body) {
    const body = { action, ...(note !== undefined && { note }) }
    expect((await app.call('POST', `/api/admin/reports/${id}/decide`, { token, body })).status).toBe(200)
  }
  await sendDueMail(app.deps, app.deps.now())
}

it('newly reported images are announced to SUPPORT_EMAIL once, at most once an hour', async () => {
  const { smtp, app, owner } = await startAll({ PUBLIC_URL: 'https://pics.example' })
  expect(await run(app)).toEqual({ digests: 0, images: 0 })
  const [cat, dog, bird] = [
    await upload(app, owner, 'cat.jpg'),
    await upload(app, owner, 'dog.jpg'),
    await upload(app, owner, 'bird.jpg'),
  ]
  await report(app, cat.id, { comment: 'https://evil.example', email: 'eve@example.com' })
  await report(app, cat.id, { reason: 'copyright' })
  expect(await run(app)).toEqual({ digests: 1, images: 1 })
  expect(smtp.mails).toMatchObject([
    {
      to: ['support@example.com'],
      headers: { subject: 'Pics: 1 image was reported', 'auto-submitted': 'auto-generated' },
    },
  ])
  expect(smtp.mails[0]?.text).toContain('- cat\n  2 reports: copyright, spam\n')
  expect(smtp.mails[0]?.text).toContain('https://pics.example/admin?tab=reports')
  expect(smtp.mails[0]?.raw).not.toMatch(/evil|eve@/)
  expect(smtp.mails[0]?.headers['reply-to']).toBe(undefined)

  app.moveClock(-everyMs)
  await report(app, dog.id)
  await report(app, cat.id)
  app.moveClock(-everyMs)
  expect(await run(app)).toEqual({ digests: 0, images: 0 })
  app.moveClock(everyMs)
  expect(await run(app)).toEqual({ digests: 1, images: 1 })
  expect(smtp.mails[1]?.text).toContain('- dog\n  1 report: spam\n')
  expect(smtp.mails[1]?.text).not.toContain('- cat')

  app.moveClock(everyMs)
  expect(await run(app)).toEqual({ digests: 0, images: 0 })
  await report(app, bird.id)
  await decideAll(app, 'dismiss')
  expect(await run(app)).toEqual({ digests: 0, images: 0 })
  expect(smtp.mails).toHaveLength(2)
})

it('the announcement of many images lists the first ones and the number of the others', async () => {
  const { smtp, app } = await startAll()
  const ids = Array.from({ length: maxListed + 2 }, (_, n) => `n${n}`)
  const opened = { opened_at: 1, report_count: 1, owner_id: null, announced_at: null }
  const undecided = { decision: null, note: null, decided_at: null, decided_by: null }
  const cases = ids.map((id) => ({ id, image_id: id, original_name: `${id}.jpg`, ...opened, ...undecided }))
  await app.deps.db.insertInto('report_cases').values(cases).execute()
  const reports = ids.map((id) => ({
    id,
    case_id: id,
    reason: 'spam' as const,
    comment: '',
    email: null,
    created_at: 1,
  }))
  await app.deps.db.insertInto('reports').values(reports).execute()
  expect(await run(app)).toEqual({ digests: 1, images: maxListed + 2 })
  const text = smtp.mails[0]?.text ?? ''
  expect(smtp.mails[0]?.headers['subject']).toBe(`Pics: ${maxListed + 2} images were reported`)
  expect(text.match(/^- n\d+$/gm)).toHaveLength(maxListed)
  expect(text.match(/^  1 report: spam$/gm)).toHaveLength(maxListed)
  expect(text).toContain('and 2 more.')
})

it('a digest is not blocked by a clock that was wrong', async () => {
  const { app, owner } = await startAll()
  await report(app, (await upload(app, owner, 'one.jpg')).id)
  app.moveClock(1000 * everyMs)
  expect(await run(app)).toMatchObject({ digests: 1 })
  app.moveClock(-1000 * everyMs)
  await report(app, (await upload(app, owner, 'two.jpg')).id)
  expect(await run(app)).toMatchObject({ digests: 1 })
})

it('nothing is announced without SMTP_URL', async () => {
  const app = await startTestApp({ SUPPORT_EMAIL: 'support@example.com' })
  running.push(app)
  const owner = await app.newUser()
  await report(app, (await upload(app, owner, 'cat.jpg')).id)
  expect(await run(app)).toEqual({ digests: 0, images: 0 })
  await decideAll(app, 'remove')
  expect(await app.deps.db.selectFrom('outgoing_mail').selectAll().execute()).toEqual([])
})

it('a takedown is mailed to the owner, also to an inactive one who wants no mails, and nothing else is', async () => {
  const { smtp, app, owner } = await startAll({ PUBLIC_URL: 'https://pics.example' })
  const unwilling = { mail_digest: 0, status: 'Inactive' } as const
  const cases = [
    ['quarantine', 'Pics: one of your images was hidden', 'hid it from everyone'],
    ['remove', 'Pics: one of your images was removed', 'removed it'],
    ['block', 'Pics: one of your images was removed', 'removed it'],
    ['dismiss', undefined, undefined],
  ] as const
  for (const [n, [action, subject, text]] of cases.entries()) {
    const { id } = (await app.upload(await jpeg(20 + n, 10), { token: owner.token, name: 'cat.jpg' })).body
    await report(app, id, { reason: 'copyright', comment: 'Secret comment', email: 'eve@example.com' })
    await app.deps.db.updateTable('users').set(unwilling).where('id', '=', owner.id).execute()
    await decideAll(app, action, 'Secret note')
    await app.deps.db.updateTable('users').set({ status: 'Active' }).where('id', '=', owner.id).execute()
    const [mail, ...others] = smtp.mails.splice(0)
    expect(others).toEqual([])
    if (text === undefined) {
      expect(mail).toBe(undefined)
      continue
    }
    expect(mail).toMatchObject({
      to: ['owner@example.com'],
      headers: { subject, 'auto-submitted': 'auto-generated' },
    })
    expect(mail?.text).toContain(text)
    expect(mail?.text).toContain('was reported (copyright)')
    expect(mail?.text).toContain(`- cat\n  https://pics.example/api/thumbnail/${id}/400\n`)
    expect(mail?.text).toContain('write to support@example.com')
    expect(mail?.raw).not.toMatch(/Secret|eve@/)
  }
  await report(app, (await app.guestImage(await jpeg(30, 10))).id)
  await decideAll(app, 'remove')
  expect(smtp.mails).toEqual([])
})
