import { afterEach, describe, expect, inject, it } from 'vitest'
import { startSmtpServer, type TestSmtpServer } from '../../testing/smtp-server.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { queueMail as queueInTransaction, retryDelayMs, sendDueMail } from './mail-queue.ts'

const minuteMs = 60_000
const running: { stop(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const part of running.splice(0).toReversed()) await part.stop()
})

async function startAll(settings: Record<string, string> = {}, options: Parameters<typeof startSmtpServer>[0] = {}) {
  const smtp = await startSmtpServer(options)
  running.push(smtp)
  return { smtp, app: await startApp(smtp, settings) }
}

async function startApp(smtp: TestSmtpServer, settings: Record<string, string> = {}, dataDir?: string) {
  const mail = {
    SMTP_URL: smtp.url,
    SUPPORT_EMAIL: 'support@example.com',
    MAIL_FROM: 'Pictures <noreply@pics.example>',
  }
  const app = await startTestApp({ ...mail, ...settings }, dataDir)
  running.push(app)
  return app
}

const written = {
  name: 'Dana Ray',
  email: 'dana@example.com',
  subject: 'A question',
  message: 'How long are images kept?\n\n.\nA dot on a line of its own ends nothing.',
}
async function write(app: TestApp, params: object = {}) {
  const ids = { lib_version: '4.4.1', user_id: 'k', service_id: 's', template_id: 't' }
  const body = { ...ids, template_params: { ...written, ...params } }
  const answer = await app.call('POST', '/api/v1.0/email/send', { body })
  expect([answer.status, answer.body]).toEqual([200, 'OK'])
}
const queueMail = (app: TestApp, mail: Parameters<typeof queueInTransaction>[1]) =>
  app.deps.db.transaction().execute((db) => queueInTransaction({ ...app.deps, db }, mail))
const subjectsOf = ({ mails }: TestSmtpServer) =>
  mails.map(({ headers }) => headers['subject'] ?? '').toSorted((a, b) => a.localeCompare(b))
const waiting = (app: TestApp) => app.deps.db.selectFrom('outgoing_mail').selectAll().execute()
const messages = (app: TestApp) => app.deps.db.selectFrom('contact_messages').selectAll().execute()

describe('a message of the contact page', () => {
  it('is stored, then mailed to SUPPORT_EMAIL as plain text, with Reply-To its sender', async () => {
    const { smtp, app } = await startAll()
    await write(app)
    expect(smtp.mails).toEqual([])
    expect(await sendDueMail(app.deps, app.deps.now())).toEqual({ sent: 1, failed: 0, dropped: 0 })
    const [mail] = smtp.mails
    expect(mail).toMatchObject({
      from: 'noreply@pics.example',
      to: ['support@example.com'],
      headers: {
        from: 'Pictures <noreply@pics.example>',
        to: 'support@example.com',
        'reply-to': 'Dana Ray <dana@example.com>',
        subject: 'Image Host: A question',
        'message-id': expect.stringMatching(/^<[\w-]{22}@pics\.example>$/),
        'content-type': 'text/plain; charset=utf-8',
      },
      text: expect.stringContaining(written.message),
    })
    expect(mail?.text).toContain('Dana Ray <dana@example.com> wrote')
    expect(await waiting(app)).toEqual([])
    expect(await messages(app)).toMatchObject([{ ...written, sent_at: expect.any(Number) }])
    expect(await sendDueMail(app.deps, app.deps.now())).toEqual({ sent: 0, failed: 0, dropped: 0 })
  })

  it('is sent from SUPPORT_EMAIL without MAIL_FROM', async () => {
    const { smtp, app } = await startAll({ MAIL_FROM: '' })
    await write(app)
    await sendDueMail(app.deps, app.deps.now())
    expect(smtp.mails[0]?.headers['from']).toBe('support@example.com')
  })

  it('is sent to no other address, whatever the form contains', async () => {
    const { smtp, app } = await startAll()
    const victims = 'victim@example.com'
    await write(app, {
      recipient: victims,
      to_email: victims,
      to: [victims],
      to_name: victims,
      cc: victims,
      bcc: victims,
      reply_to: victims,
      from_email: victims,
      headers: { Bcc: victims },
      attachments: [{ path: '/etc/passwd' }],
    })
    await sendDueMail(app.deps, app.deps.now())
    expect(smtp.mails).toHaveLength(1)
    expect(smtp.mails[0]?.to).toEqual(['support@example.com'])
    expect(smtp.mails[0]?.raw).not.toMatch(/victim|passwd|root:/)
  })

  it("writes one header per field, whatever the sender's name", async () => {
    const { smtp, app } = await startAll()
    const names = [
      '"Eve" <eve@evil.example>, x',
      'Eve <eve@evil.example>',
      'a, b@evil.example',
      'Eve\\" <eve@evil.example>',
      '=?utf-8?q?=0d=0aBcc:_x@evil.example?=',
      'Зоя 🙂',
    ]
    for (const name of names) {
      await write(app, { name, subject: name })
      app.moveClock(60 * minuteMs)
    }
    await sendDueMail(app.deps, app.deps.now())
    expect(smtp.mails).toHaveLength(names.length)
    for (const { to, headers } of smtp.mails) {
      expect(to).toEqual(['support@example.com'])
      expect(Object.keys(headers).toSorted((a, b) => a.localeCompare(b))).toEqual([
        'content-transfer-encoding',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'reply-to',
        'subject',
        'to',
      ])
      // The only address of the header is the one that was given as the email.
      expect(/<([^<>]*)>$/.exec(headers['reply-to'] ?? '')?.[1]).toBe('dana@example.com')
      expect(headers['from']).toBe('Pictures <noreply@pics.example>')
    }
    expect(smtp.mails.map(({ headers }) => headers['subject'])).toContain('Image Host: Зоя 🙂')
  })

  it('is only stored without SMTP_URL', async () => {
    const app = await startTestApp({ SUPPORT_EMAIL: 'support@example.com' })
    running.push(app)
    await write(app)
    expect(await messages(app)).toMatchObject([{ ...written, sent_at: null }])
    expect(await waiting(app)).toEqual([])
    expect(await sendDueMail(app.deps, app.deps.now())).toEqual({ sent: 0, failed: 0, dropped: 0 })
  })

  it('is retried with growing delays while the mail server is unavailable, and sent once', async () => {
    const { smtp, app } = await startAll()
    await smtp.stop()
    await write(app)
    for (const tries of [1, 2, 3]) {
      expect(await sendDueMail(app.deps, app.deps.now())).toEqual({ sent: 0, failed: 1, dropped: 0 })
      expect(await sendDueMail(app.deps, app.deps.now())).toEqual({ sent: 0, failed: 0, dropped: 0 })
      expect(await waiting(app)).toMatchObject([{ attempts: 0, last_error: expect.stringContaining('ECONNREFUSED') }])
      app.moveClock(retryDelayMs(tries))
    }
    await smtp.start()
    expect(await sendDueMail(app.deps, app.deps.now())).toMatchObject({ sent: 1 })
    app.moveClock(24 * 60 * minuteMs)
    expect(await sendDueMail(app.deps, app.deps.now())).toMatchObject({ sent: 0 })
    expect(smtp.mails).toHaveLength(1)
    expect(app.logged.filter(({ msg }) => /mail server/.test(String(msg))).map(({ msg }) => msg)).toEqual([
      'The mail server accepts no mail: all mail waits until it does',
      'The mail server accepts mail again',
    ])
  })

  it('survives a restart', async () => {
    const { smtp, app } = await startAll()
    await smtp.stop()
    await write(app)
    await sendDueMail(app.deps, app.deps.now())
    await app.halt()
    const again = await startSecond(app, smtp)
    await smtp.start()
    again.moveClock(retryDelayMs(1))
    expect(await sendDueMail(again.deps, again.deps.now())).toMatchObject({ sent: 1 })
    expect(smtp.mails).toHaveLength(1)
  })

  it('is retried after the server with the lease died', async () => {
    const { smtp, app } = await startAll()
    await write(app)
    const send = () => Promise.reject(new Error('The process is gone'))
    const died = { ...app.deps, mail: { send, async verify() {}, close() {}, outage: null } }
    await expect(sendDueMail(died, died.now())).rejects.toThrow('The process is gone')
    expect(await sendDueMail(app.deps, app.deps.now())).toMatchObject({ sent: 0 })
    app.moveClock(10 * minuteMs)
    expect(await sendDueMail(app.deps, app.deps.now())).toMatchObject({ sent: 1 })
    expect(smtp.mails).toHaveLength(1)
  })

  it('does not block others when refused, nor are all retried while the server is unavailable', async () => {
    const { smtp, app } = await startAll()
    for (const subject of ['one', 'two', 'three']) await write(app, { subject })
    smtp.refuse({ code: 550, text: 'No such user here' })
    expect(await sendDueMail(app.deps, app.deps.now())).toEqual({ sent: 0, failed: 3, dropped: 0 })
    const refused = { attempts: 1, last_error: expect.stringContaining('No such user') }
    expect(await waiting(app)).toMatchObject([refused, refused, refused])
    await smtp.stop()
    app.moveClock(retryDelayMs(1))
    expect(await sendDueMail(app.deps, app.deps.now())).toEqual({ sent: 0, failed: 1, dropped: 0 })
    await smtp.start()
    smtp.refuse(null)
    app.moveClock(retryDelayMs(2))
    expect(await sendDueMail(app.deps, app.deps.now())).toMatchObject({ sent: 3 })
    expect(subjectsOf(smtp)).toEqual(['Image Host: one', 'Image Host: three', 'Image Host: two'])
  })

  it('logs in to the mail server with the name and password of SMTP_URL, and waits when they are wrong', async () => {
    const { smtp, app } = await startAll({}, { user: ['mailer@pics.example', 'p@ss/word'] })
    await write(app)
    expect(await sendDueMail(app.deps, app.deps.now())).toMatchObject({ sent: 1 })
    const stranger = await startApp(smtp, { SMTP_URL: smtp.url.replace('word@', 'wrong@') })
    await write(stranger)
    expect(await sendDueMail(stranger.deps, stranger.deps.now())).toMatchObject({ sent: 0, failed: 1 })
    expect(await waiting(stranger)).toMatchObject([{ last_error: expect.stringContaining('535') }])
    expect(JSON.stringify(stranger.logged)).not.toContain('wrong')
  })

  it('does not send the password unencrypted, unless configured to, or to a mail server on this machine', async () => {
    const { smtp } = await startAll({}, { user: ['mailer', 'secret'] })
    // An address of this machine that is not recognized as such.
    const away = smtp.url.replace('127.0.0.1', '0.0.0.0')
    const careful = await startApp(smtp, { SMTP_URL: away })
    await write(careful)
    expect(await sendDueMail(careful.deps, careful.deps.now())).toMatchObject({ sent: 0, failed: 1 })
    expect(smtp.logins).toBe(0)
    const told = await startApp(smtp, { SMTP_URL: `${away}?requireTLS=false` })
    await write(told)
    expect(await sendDueMail(told.deps, told.deps.now())).toMatchObject({ sent: 1 })
  })

  // One process owns an SQLite file.
  it.runIf(inject('postgresUrl'))('is sent once by two servers on one database', async () => {
    const { smtp, app } = await startAll({}, { delayMs: 20 })
    const second = await startSecond(app, smtp)
    const subjects = Array.from({ length: 5 }, (_, index) => `Message ${index}`)
    for (const subject of subjects) await write(app, { subject })
    const results = await Promise.all([app, second, app, second].map(({ deps }) => sendDueMail(deps, deps.now())))
    expect(results.reduce((sum, { sent }) => sum + sent, 0)).toBe(subjects.length)
    expect(subjectsOf(smtp)).toEqual(subjects.map((subject) => `Image Host: ${subject}`))
    for (const server of [app, second]) {
      server.moveClock(60 * minuteMs)
      expect(await sendDueMail(server.deps, server.deps.now())).toMatchObject({ sent: 0 })
    }
  })

  it('is not sent when it was deleted meanwhile', async () => {
    const { smtp, app } = await startAll()
    await write(app)
    await app.deps.db.deleteFrom('contact_messages').execute()
    expect(await sendDueMail(app.deps, app.deps.now())).toMatchObject({ sent: 0 })
    expect(smtp.mails).toEqual([])
  })
})

it('mail to a user is discarded when the address is not confirmed at the time of sending, a notice too', async () => {
  const { smtp, app } = await startAll()
  const { id, email } = await app.newUser()
  for (const isNotice of [true, false])
    await queueMail(app, { userId: id, isNotice, subject: `Notice: ${isNotice}`, body: 'A text' })
  const confirm = (at: number | null) =>
    app.deps.db.updateTable('users').set({ email_confirmed_at: at }).where('id', '=', id).execute()
  await confirm(null)
  expect(await sendDueMail(app.deps, app.deps.now())).toEqual({ sent: 0, failed: 0, dropped: 2 })
  await confirm(1)
  await queueMail(app, { userId: id, subject: 'Later', body: 'A text' })
  expect(await sendDueMail(app.deps, app.deps.now())).toMatchObject({ sent: 1 })
  expect(smtp.mails).toMatchObject([{ to: [email], headers: { subject: 'Later' } }])
})

describe('after a day without the mail server', () => {
  /** Runs of the job, with one mail an hour. */
  async function aDayWithout(app: TestApp, smtp: TestSmtpServer) {
    await smtp.stop()
    let tries = 0
    for (let minute = 0; minute < 24 * 60; minute += 5) {
      if (minute % 60 === 0)
        await queueMail(app, {
          toAddress: `u${minute / 60}@example.com`,
          subject: `Mail ${minute / 60}`,
          body: 'A text',
        })
      tries += (await sendDueMail(app.deps, app.deps.now())).failed
      app.moveClock(5 * minuteMs)
    }
    return tries
  }

  it('all mail leaves within five minutes of its return, once, and the log has two lines', async () => {
    const { smtp, app } = await startAll()
    expect(await aDayWithout(app, smtp)).toBe(24 * 12)
    await smtp.start()
    app.moveClock(5 * minuteMs)
    expect(await sendDueMail(app.deps, app.deps.now())).toEqual({ sent: 24, failed: 0, dropped: 0 })
    app.moveClock(24 * 60 * minuteMs)
    expect(await sendDueMail(app.deps, app.deps.now())).toEqual({ sent: 0, failed: 0, dropped: 0 })
    expect(new Set(subjectsOf(smtp)).size).toBe(24)
    expect(app.logged.filter(({ msg }) => String(msg).includes('mail'))).toHaveLength(2)
  })

  it('admins and the metrics see since when it has been unavailable, until it returns', async () => {
    const { smtp, app } = await startAll({ METRICS_TOKEN: 'a-token-for-prometheus' })
    const { id, token } = await app.newUser()
    await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute()
    const seen = async () => {
      const { body } = await app.call('GET', '/api/database/stats', { token })
      const metrics = await app.request('/metrics', { headers: { authorization: 'Bearer a-token-for-prometheus' } })
      const figures = (await metrics.text()).match(/^image_host_(mail|queued).* \d+$/gm)
      return [body.warnings.includes('mail_unavailable'), figures]
    }
    const figures = (seconds: number, mails: number) => [
      `image_host_mail_unavailable_seconds ${seconds}`,
      `image_host_queued_mails ${mails}`,
    ]
    await smtp.stop()
    await queueMail(app, { toAddress: 'a@example.com', subject: 'A mail', body: 'A text' })
    expect(await seen()).toEqual([false, figures(0, 1)])
    await sendDueMail(app.deps, app.deps.now())
    app.moveClock(10 * minuteMs)
    expect(await seen()).toEqual([true, figures(600, 1)])
    await smtp.start()
    await sendDueMail(app.deps, app.deps.now())
    expect(await seen()).toEqual([false, figures(0, 0)])
    // Another server sends it, or it is dropped.
    await smtp.stop()
    await queueMail(app, { toAddress: 'a@example.com', subject: 'A mail', body: 'A text' })
    await sendDueMail(app.deps, app.deps.now())
    await app.deps.db.deleteFrom('outgoing_mail').execute()
    app.moveClock(minuteMs)
    await sendDueMail(app.deps, app.deps.now())
    expect(await seen()).toEqual([false, figures(0, 0)])
  })
})

it('a mail that is refused for five days is discarded, unless it is for the operator', async () => {
  const { smtp, app } = await startAll()
  await write(app)
  await queueMail(app, { toAddress: 'gone@example.com', subject: 'A mail', body: 'A text' })
  smtp.refuse({ code: 550, text: 'No such user here' })
  expect(await sendDueMail(app.deps, app.deps.now())).toEqual({ sent: 0, failed: 2, dropped: 0 })
  app.moveClock(5 * 24 * 60 * minuteMs + 1)
  expect(await sendDueMail(app.deps, null)).toEqual({ sent: 0, failed: 2, dropped: 0 })
  app.moveClock(60 * minuteMs)
  expect(await sendDueMail(app.deps, app.deps.now())).toEqual({ sent: 0, failed: 1, dropped: 1 })
  expect(await waiting(app)).toMatchObject([{ contact_message_id: expect.any(String) }])
})

it('after an outage of six days, mail that is to be tried again later is tried for five days more', async () => {
  const { smtp, app } = await startAll()
  await queueMail(app, { toAddress: 'a@example.com', subject: 'A mail', body: 'A text' })
  await smtp.stop()
  for (let hour = 0; hour < 6 * 24; hour++) {
    expect(await sendDueMail(app.deps, app.deps.now())).toMatchObject({ failed: 1 })
    app.moveClock(60 * minuteMs)
  }
  await smtp.start()
  smtp.refuse({ code: 450, text: 'Greylisted, try again later' })
  for (let tries = 1; tries <= 120; tries++) {
    expect(await sendDueMail(app.deps, app.deps.now())).toMatchObject({ failed: 1 })
    app.moveClock(retryDelayMs(tries))
  }
  expect(await sendDueMail(app.deps, app.deps.now())).toMatchObject({ dropped: 1 })
})

it('mail that was queued by a clock three days ahead is sent when the clock is right again', async () => {
  const { smtp, app } = await startAll()
  app.moveClock(3 * 24 * 60 * minuteMs)
  await queueMail(app, { toAddress: 'a@example.com', subject: 'New', body: 'A text' })
  await smtp.stop()
  await sendDueMail(app.deps, app.deps.now())
  await queueMail(app, { toAddress: 'b@example.com', subject: 'Newer', body: 'A text' })
  await smtp.start()
  app.moveClock(-3 * 24 * 60 * minuteMs)
  expect(await sendDueMail(app.deps, null)).toMatchObject({ sent: 2 })
})

it('the retry delay grows to an hour and no further', () => {
  expect([1, 2, 3, 6, 7, 8, 5000].map(retryDelayMs)).toEqual(
    [1, 2, 4, 32, 60, 60, 60].map((minutes) => minutes * minuteMs),
  )
})

/** A second server on the same database; on SQLite only once the first has stopped, since one process owns its folder. */
function startSecond(app: TestApp, smtp: TestSmtpServer): Promise<TestApp> {
  const { DATABASE_URL: url, DATA_DIR: folder } = app.deps.config
  return inject('postgresUrl') === undefined ? startApp(smtp, {}, folder) : startApp(smtp, { DATABASE_URL: url ?? '' })
}
