import { afterEach, describe, expect, inject, it } from 'vitest'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { startSmtpServer, type TestSmtpServer } from '../../testing/smtp-server.ts'
import { sendExpiryDigests } from './expiry-digests.ts'
import { sendDueMail } from './mail-queue.ts'

const running: { stop(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const part of running.splice(0).toReversed()) await part.stop()
})

async function startAll(settings: Record<string, string> = {}) {
  const smtp = await startSmtpServer()
  running.push(smtp)
  return { smtp, app: await startApp(smtp, settings) }
}

async function startApp(smtp: TestSmtpServer, settings: Record<string, string> = {}) {
  const mail = { SMTP_URL: smtp.url, SUPPORT_EMAIL: 'support@example.com' }
  const app = await startTestApp({ ...mail, ...settings })
  running.push(app)
  return app
}

/** The hourly job, and the queue after it. */
async function run(app: TestApp) {
  const result = await sendExpiryDigests(app.deps, app.deps.now())
  await sendDueMail(app.deps, app.deps.now())
  return result
}

async function uploaded(app: TestApp, user: { token: string }, name: string) {
  const { status, body } = await app.upload(await jpeg(20, 10), { name, token: user.token })
  expect(status).toBe(201)
  return body as { id: string; file_name: string }
}

const expireIn = (app: TestApp, id: string, milliseconds: number) =>
  app.deps.db
    .updateTable('images')
    .set({ expires_at: app.deps.now() + milliseconds })
    .where('id', '=', id)
    .execute()

/** Rows like that of this image, without bytes of their own. */
async function copies(app: TestApp, id: string, count: number, expiresInMs: (index: number) => number) {
  const row = await app.deps.db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const now = app.deps.now()
  const rows = Array.from({ length: count }, (_, index) => ({
    ...row,
    id: `${id}-${index}`,
    file_name: `${index}-${row.file_name}`,
    expires_at: now + expiresInMs(index),
  }))
  for (let at = 0; at < count; at += 500) {
    await app.deps.db
      .insertInto('images')
      .values(rows.slice(at, at + 500))
      .execute()
  }
}

describe('a digest', () => {
  it('announces images that expire within 7 days to their user, once', async () => {
    const { smtp, app } = await startAll({ PUBLIC_URL: 'https://pics.example', SITE_NAME: 'Pics' })
    const user = await app.newUser('dana@example.com')
    await uploaded(app, user, 'cat on a mat.jpg')
    const later = await uploaded(app, user, 'dog.jpg')
    await app.guestImage(await jpeg(20, 10))
    expect(await run(app)).toEqual({ digests: 0, images: 0 })

    app.moveClock((limits.user.retentionDays - limits.expiryNoticeDays) * dayMs - 60_000)
    await expireIn(app, later.id, 20 * dayMs)
    expect(await run(app)).toEqual({ digests: 0, images: 0 })
    app.moveClock(120_000)
    expect(await run(app)).toEqual({ digests: 1, images: 1 })
    expect(smtp.mails).toMatchObject([
      {
        to: ['dana@example.com'],
        headers: {
          from: 'support@example.com',
          subject: 'Pics: 1 image expires within 7 days',
          'auto-submitted': 'auto-generated',
        },
        text: expect.stringMatching(/- cat-on-a-mat\n {2}expires on \d{4}-\d\d-\d\d \d\d:\d\d UTC\n/),
      },
    ])
    expect(smtp.mails[0]?.text).toContain('https://pics.example/notifications')
    expect(smtp.mails[0]?.text).not.toContain('dog')
    expect(smtp.mails[0]?.headers['reply-to']).toBe(undefined)

    for (let day = 0; day < 6; day++) {
      app.moveClock(dayMs)
      expect(await run(app)).toEqual({ digests: 0, images: 0 })
    }
    expect(smtp.mails).toHaveLength(1)
  })

  it('cannot be made to carry words of strangers to any address', async () => {
    const { smtp, app } = await startAll({ SITE_NAME: 'Pics' })
    const stranger = await app.newUser('victim@example.com')
    const words = 'Your account is LOCKED! Pay at www.evil.example or call +49 30 1234 Ж'
    await app.call('PUT', '/api/me', { token: stranger.token, body: { name: words, firstName: words } })
    for (const name of [`${words}.jpg`, 'evil.example', '<b>evil example<b>.jpg'])
      await expireIn(app, (await uploaded(app, stranger, name)).id, dayMs)
    const { db } = app.deps
    await db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', stranger.id).execute()
    expect(await run(app)).toEqual({ digests: 0, images: 0 })
    expect(smtp.mails).toEqual([])

    await db.updateTable('users').set({ email_confirmed_at: 1 }).where('id', '=', stranger.id).execute()
    expect(await run(app)).toEqual({ digests: 1, images: 3 })
    const [mail] = smtp.mails
    const listed = mail?.text.match(/^- .*$/gm)?.map((line) => line.slice(2)) ?? []
    expect(listed.toSorted()).toEqual(['b-evil-example-b', 'evil', 'your-account-is-lock'])
    expect(mail?.text.match(/https?:\/\/[^/\s]+/g)).toEqual(['https://pics.example', 'https://pics.example'])
    expect(mail?.text).not.toMatch(/LOCKED|evil\.example|1234|Ж|<b/)
    expect(mail?.headers['subject']).toBe('Pics: 3 images expire within 7 days')
    expect(mail?.headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  it('is switched off by its links: one for people, one for mail programs', async () => {
    const { smtp, app } = await startAll()
    const user = await app.newUser()
    const images = [await uploaded(app, user, 'one.jpg'), await uploaded(app, user, 'two.jpg')] as const
    await expireIn(app, images[0].id, dayMs)
    await run(app)
    const [mail] = smtp.mails
    if (!mail) throw new Error('No digest was sent')
    const { headers, text } = mail
    const url = /^<(https:\/\/pics\.example\/unsubscribe\/\S+)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? ''
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(text).toContain(`Switch these mails off: ${url}\n`)
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await app.request(new URL(url).pathname, { method: 'POST', body })).status).toBe(200)
    expect((await app.call('GET', '/api/me', { token: user.token })).body.user.mailDigest).toBe(false)
    app.moveClock(2 * accountLimits.digest.everyMs)
    await expireIn(app, images[1].id, dayMs)
    expect(await run(app)).toEqual({ digests: 0, images: 0 })
    expect(smtp.mails).toHaveLength(1)
  })

  it('is sent at most once a day; images that start to expire within 7 days since then wait for the next', async () => {
    const { smtp, app } = await startAll()
    const user = await app.newUser()
    const images = [await uploaded(app, user, 'one.jpg'), await uploaded(app, user, 'two.jpg')] as const
    await expireIn(app, images[0].id, 6 * dayMs)
    expect(await run(app)).toEqual({ digests: 1, images: 1 })
    await expireIn(app, images[1].id, 6 * dayMs)
    app.moveClock(3_600_000)
    expect(await run(app)).toEqual({ digests: 0, images: 0 })
    app.moveClock(accountLimits.digest.everyMs)
    expect(await run(app)).toEqual({ digests: 1, images: 1 })
    expect(smtp.mails.map(({ text }) => /- (\w+)$/m.exec(text)?.[1])).toEqual(['one', 'two'])
  })

  it('announces an extended image again before its new expiry', async () => {
    const { smtp, app } = await startAll()
    const user = await app.newUser()
    const image = await uploaded(app, user, 'cat.jpg')
    await expireIn(app, image.id, 3 * dayMs)
    expect(await run(app)).toEqual({ digests: 1, images: 1 })
    const extended = await app.call('POST', `/api/images/${image.id}/extend-expiration`, {
      token: user.token,
      body: {},
    })
    expect(extended.status).toBe(200)
    app.moveClock(2 * dayMs)
    expect(await run(app)).toEqual({ digests: 0, images: 0 })
    app.moveClock((limits.extensionDays - limits.expiryNoticeDays) * dayMs)
    expect(await run(app)).toEqual({ digests: 1, images: 1 })
    expect(smtp.mails).toHaveLength(2)
  })

  it('is not sent to users who switched it off or are inactive, nor for expired or quarantined images', async () => {
    const { smtp, app } = await startAll()
    const off = await app.newUser()
    const asleep = await app.newUser()
    const late = await app.newUser()
    const hidden = await app.newUser()
    for (const user of [off, asleep, hidden]) await expireIn(app, (await uploaded(app, user, 'cat.jpg')).id, dayMs)
    await expireIn(app, (await uploaded(app, late, 'cat.jpg')).id, -1)
    const { db } = app.deps
    await db.updateTable('users').set({ mail_digest: 0 }).where('id', '=', off.id).execute()
    await db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', asleep.id).execute()
    await db.updateTable('images').set({ quarantined_at: 1 }).where('owner_id', '=', hidden.id).execute()
    expect(await run(app)).toEqual({ digests: 0, images: 0 })

    await db.updateTable('users').set({ mail_digest: 1 }).where('id', '=', off.id).execute()
    expect(await run(app)).toEqual({ digests: 1, images: 1 })
    expect(smtp.mails).toMatchObject([{ to: [off.email] }])
  })

  it('that waits for the mail server is discarded when it was switched off, or when all its images have expired', async () => {
    const { smtp, app } = await startAll()
    const users = [await app.newUser(), await app.newUser()] as const
    for (const user of users) await expireIn(app, (await uploaded(app, user, 'cat.jpg')).id, dayMs)
    await smtp.stop()
    expect(await run(app)).toEqual({ digests: 2, images: 2 })
    const { db } = app.deps
    await db.updateTable('users').set({ mail_digest: 0 }).where('id', '=', users[0].id).execute()
    await smtp.start()
    app.moveClock(dayMs + 1)
    expect(await sendDueMail(app.deps, app.deps.now())).toEqual({ sent: 0, failed: 0, dropped: 2 })
    expect(await db.selectFrom('outgoing_mail').selectAll().execute()).toEqual([])
    expect(smtp.mails).toEqual([])
  })

  it('waits while an untrusted clock shows its images as expired', async () => {
    const { smtp, app } = await startAll()
    await expireIn(app, (await uploaded(app, await app.newUser(), 'cat.jpg')).id, dayMs)
    await sendExpiryDigests(app.deps, app.deps.now())
    app.moveClock(400 * dayMs)
    expect(await sendDueMail(app.deps, null)).toEqual({ sent: 0, failed: 0, dropped: 0 })
    app.moveClock(-400 * dayMs)
    expect(await sendDueMail(app.deps, null)).toEqual({ sent: 1, failed: 0, dropped: 0 })
    expect(smtp.mails).toHaveLength(1)
  })

  it('needs a mail server: without one nothing counts as announced', async () => {
    const app = await startTestApp()
    running.push(app)
    await expireIn(app, (await uploaded(app, await app.newUser(), 'cat.jpg')).id, dayMs)
    expect(await sendExpiryDigests(app.deps, app.deps.now())).toEqual({ digests: 0, images: 0 })
    expect(await app.deps.db.selectFrom('expiry_notices').selectAll().execute()).toEqual([])
  })

  it('is one mail for thousands of images, and lists the first of them', async () => {
    const { smtp, app } = await startAll()
    const [many, few] = [await app.newUser(), await app.newUser()]
    const first = await uploaded(app, many, 'cat.jpg')
    const other = await uploaded(app, few, 'dog.jpg')
    await expireIn(app, first.id, 60_000)
    await expireIn(app, other.id, 6.5 * dayMs)
    await copies(app, first.id, 1300, (index) => dayMs + index * 1000)
    expect(await run(app)).toEqual({ digests: 2, images: 1302 })
    const mail = smtp.mails.find(({ to }) => to[0] === many.email)
    expect(mail?.headers['subject']).toBe('Image Host: 1301 images expire within 7 days')
    expect(mail?.text.match(/^- (\d+-)?cat$/gm)).toHaveLength(accountLimits.digest.maxListed)
    expect(mail?.text).toContain(`and ${1301 - accountLimits.digest.maxListed} more.`)
    app.moveClock(2 * dayMs)
    await copies(app, other.id, 3, () => dayMs)
    expect(await run(app)).toEqual({ digests: 1, images: 3 })
  })

  // One process owns an SQLite file.
  it.runIf(inject('postgresUrl'))('is sent once by two servers on one database', async () => {
    const { smtp, app } = await startAll()
    const second = await startApp(smtp, { DATABASE_URL: app.deps.config.DATABASE_URL ?? '' })
    const users = await Promise.all(Array.from({ length: 4 }, () => app.newUser()))
    for (const user of users) {
      const { id } = await uploaded(app, user, 'cat.jpg')
      await copies(app, id, 20, (index) => dayMs + index)
    }
    const results = await Promise.all([app, second, app, second].map(({ deps }) => sendExpiryDigests(deps, deps.now())))
    expect(results.reduce((sum, { digests }) => sum + digests, 0)).toBe(users.length)
    expect(results.reduce((sum, { images }) => sum + images, 0)).toBe(users.length * 20)
    await Promise.all([sendDueMail(app.deps, app.deps.now()), sendDueMail(second.deps, second.deps.now())])
    expect(smtp.mails.flatMap(({ to }) => to).toSorted()).toEqual(users.map(({ email }) => email).toSorted())
    expect(JSON.stringify([...app.logged, ...second.logged])).not.toContain('could not be made')
  })

  it('is deleted with its user and its images', async () => {
    const { app } = await startAll()
    const user = await app.newUser()
    const { id } = await uploaded(app, user, 'cat.jpg')
    await expireIn(app, id, dayMs)
    expect(await sendExpiryDigests(app.deps, app.deps.now())).toEqual({ digests: 1, images: 1 })
    const { db } = app.deps
    await db.deleteFrom('images').execute()
    await db.deleteFrom('users').where('id', '=', user.id).execute()
    for (const table of ['expiry_notices', 'expiry_digests', 'outgoing_mail'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })
})
