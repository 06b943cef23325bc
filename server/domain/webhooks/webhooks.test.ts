// Webhooks against a real receiver, with a clock that the test moves.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Webhook as Verifier } from 'standardwebhooks'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import type { NewWebhook } from '../../../contract/endpoints/webhooks.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { fieldsOf } from '../../testing/image-columns.ts'
import { startSmtpServer, type TestSmtpServer } from '../../testing/smtp-server.ts'
import { jpeg } from '../../testing/test-images.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts'
import { sweepExpired } from '../images/deletion/sweep.ts'
import { announceExpiringImages } from './announce-expiring.ts'
import { pruneWebhookDeliveries } from './delivery-list.ts'
import { insertDeliveries, newDelivery } from './queue-events.ts'
import { sendDueDeliveries } from './send-deliveries.ts'

const hourMs = 3_600_000
const adminLogin = { email: 'boss@example.com', password: 'boss-secret' }
const ownEvents = ['image.uploaded', 'image.expiring', 'image.expired', 'image.deleted', 'image.restored']

let app: TestApp
let smtp: TestSmtpServer
let receiver: WebhookReceiver
let image: Buffer
let user: { token: string; id: string; email: string }

beforeAll(async () => {
  smtp = await startSmtpServer()
  app = await startTestApp({
    WEBHOOK_PRIVATE_ADDRESSES: 'on',
    PUBLIC_URL: 'https://img.example.com',
    ADMIN_EMAIL: adminLogin.email,
    ADMIN_PASSWORD: adminLogin.password,
    SMTP_URL: smtp.url,
    SUPPORT_EMAIL: 'support@example.com',
  })
  receiver = await startWebhookReceiver()
  image = await jpeg(20, 20)
})
beforeEach(async () => {
  await app.deps.db.deleteFrom('webhooks').execute()
  receiver.received.length = 0
  receiver.responses.length = 0
  receiver.delayMs = 0
  user = await app.newUser()
})
afterAll(async () => {
  await receiver.stop()
  await app.stop()
  await smtp.stop()
})

async function create(body: object = {}, token = user.token): Promise<NewWebhook> {
  const response = await app.call('POST', '/api/webhooks', {
    token,
    body: { url: receiver.url, events: ownEvents, ...body },
  })
  expect(response.status).toBe(201)
  return response.body
}
const upload = async (
  token = user.token,
  expiresIn?: string,
): Promise<{ id: string; file_name: string; expires_at: string }> => {
  const form = new FormData()
  form.append('image', new Blob([new Uint8Array(image)], { type: 'image/jpeg' }), 'photo.jpg')
  if (expiresIn !== undefined) form.append('expires_in', expiresIn)
  const headers = { authorization: `Bearer ${token}` }
  return (await (await app.request('/api/upload', { method: 'POST', body: form, headers })).json()) as {
    id: string
    file_name: string
    expires_at: string
  }
}
const send = () => sendDueDeliveries(app.deps)
const deliveriesOf = async ({ id }: { id: string }) =>
  (await app.call('GET', `/api/webhooks/${id}/deliveries`, { token: user.token })).body
const isOff = async ({ id }: { id: string }) => {
  const { body } = await app.call('GET', '/api/webhooks', { token: user.token })
  return body.find((webhook: { id: string }) => webhook.id === id).offReason
}
const loginAsAdmin = async (): Promise<string> =>
  (await app.call('POST', '/api/login', { body: adminLogin })).body.token

describe('an event', () => {
  it('is delivered once, signed as the library of the standard verifies', async () => {
    const { secret } = await create()
    const { id, file_name: fileName } = await upload()
    expect(await send()).toEqual({ delivered: 1, failed: 0 })
    expect(await send()).toEqual({ delivered: 0, failed: 0 })
    const [got] = receiver.received
    expect(new Verifier(secret).verify(got?.body ?? '', got?.headers ?? {})).toMatchObject({
      type: 'image.uploaded',
      data: { id, url: `https://img.example.com/uploads/${fileName}`, size: expect.any(Number), mime: 'image/jpeg' },
    })
    expect(Object.keys(got?.json.data ?? {}).toSorted()).toEqual([...fieldsOf('event'), 'albums', 'url'].toSorted())
    expect(() => new Verifier(secret).verify(`${got?.body} `, got?.headers ?? {})).toThrow('No matching signature')
  })

  it('is verified by the sample of docs/integrate.md', async () => {
    const page = readFileSync(new URL('../../../docs/integrate.md', import.meta.url), 'utf8')
    const code = page.split('### Check the signature')[1]?.split('```js\n')[1]?.split('```')[0] ?? ''
    const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
    const { secret } = await create()
    await upload()
    await send()
    const [got] = receiver.received
    const at = Number(got?.headers['webhook-timestamp']) * 1000
    expect(isGenuine(secret, got?.headers, got?.body, at)).toBe(true)
    expect(isGenuine(secret, got?.headers, `${got?.body} `, at)).toBe(false)
    expect(isGenuine(`whsec_${'A'.repeat(44)}`, got?.headers, got?.body, at)).toBe(false)
    expect(isGenuine(secret, got?.headers, got?.body, at + hourMs)).toBe(false)
  })

  it('is signed with both secrets for a day after a new one was created', async () => {
    const webhook = await create()
    const path = `/api/webhooks/${webhook.id}/secret`
    const { secret } = (await app.call('POST', path, { token: user.token })).body
    await upload()
    await send()
    app.moveClock(dayMs + 1)
    await upload()
    await send()
    const [first, second] = receiver.received
    for (const one of [webhook.secret, secret]) new Verifier(one).verify(first?.body ?? '', first?.headers ?? {})
    expect(second?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    const listed = await app.call('GET', '/api/webhooks', { token: await login() })
    expect(JSON.stringify(listed.body)).not.toContain('whsec_')
  })

  it('is about what was uploaded, expires soon, has expired or was deleted, and only of the own images', async () => {
    await create()
    const other = (await app.newUser()).token
    const [kept, deleted] = [await upload(), await upload()]
    await upload(other)
    await app.upload(image)
    await app.call('DELETE', `/api/images/${deleted.id}`, { token: user.token })
    await app.deps.db
      .updateTable('images')
      .set({ expires_at: app.deps.now() + 6 * dayMs })
      .where('id', '=', kept.id)
      .execute()
    await announceExpiringImages(app.deps, app.deps.now())
    await announceExpiringImages(app.deps, app.deps.now())
    app.moveClock(6 * dayMs + 1)
    await sweepExpired(app.deps)
    await send()
    const got = receiver.received.map(({ json }) => `${json.type} ${String(json.data['id'])}`)
    expect(got.toSorted()).toEqual(
      [
        `image.deleted ${deleted.id}`,
        `image.expired ${kept.id}`,
        `image.expiring ${kept.id}`,
        `image.uploaded ${deleted.id}`,
        `image.uploaded ${kept.id}`,
      ].toSorted(),
    )
  })

  it('of a deletion comes when it cannot be undone any more', async () => {
    await create({ events: ['image.deleted'] })
    const [restored, deleted] = [await upload(), await upload()]
    for (const { id } of [restored, deleted])
      await app.call('DELETE', `/api/images/${id}?undo=1`, { token: user.token })
    await app.call('POST', `/api/images/${restored.id}/restore`, { token: user.token })
    app.moveClock(limits.undoMs + 1)
    await sweepExpired(app.deps)
    await send()
    expect(receiver.received.map(({ json }) => [json.type, json.data['id']])).toEqual([['image.deleted', deleted.id]])
  })

  it('comes when an image gets to the trash and back, and not again when its days are over', async () => {
    await create({ events: ['image.deleted', 'image.restored'] })
    const { id, expires_at } = await upload()
    const trash = () => app.call('DELETE', `/api/images/${id}?trash=1`, { token: user.token })
    await trash()
    await app.call('POST', '/api/trash/restore', { token: user.token, body: { ids: [id] } })
    await trash()
    await app.call('POST', `/api/images/${id}/restore`, { token: user.token })
    await trash()
    await app.call('DELETE', '/api/trash', { token: user.token })
    await send()
    const got = receiver.received.map(({ json }) => [json.type, json.data['id'], json.data['expires_at']])
    const [gone, back] = [
      ['image.deleted', id, expires_at],
      ['image.restored', id, expires_at],
    ]
    expect(got.filter(([type]) => type === 'image.deleted')).toEqual([gone, gone, gone])
    expect(got.filter(([type]) => type === 'image.restored')).toEqual([back, back])
  })

  it('is announced again when an image was extended and expires soon again', async () => {
    await create({ events: ['image.expiring'] })
    const { id } = await upload()
    app.moveClock(360 * dayMs)
    const { token } = (await app.call('POST', '/api/login', { body: { email: user.email, password: 'secret-1' } })).body
    await announceExpiringImages(app.deps, app.deps.now())
    await app.call('POST', `/api/images/${id}/extend-expiration`, { token })
    app.moveClock(100 * dayMs)
    await announceExpiringImages(app.deps, app.deps.now())
    app.moveClock(260 * dayMs)
    await announceExpiringImages(app.deps, app.deps.now())
    await send()
    expect(receiver.received.map(({ json }) => json.data['id'])).toEqual([id, id])
  })

  it('of a report goes to admins, about every image', async () => {
    const admin = await loginAsAdmin()
    await create({ events: ['image.reported'] }, admin)
    const { id } = await upload()
    await app.call('POST', '/api/reports', { body: { image: id, reason: 'spam', comment: 'Secret' } })
    await send()
    expect(receiver.received.map(({ json }) => json)).toMatchObject([
      { type: 'image.reported', data: { id, reason: 'spam', reports: 1 } },
    ])
    expect(receiver.received[0]?.body).not.toContain('Secret')
    expect(
      await app.call('POST', '/api/webhooks', {
        token: user.token,
        body: { url: receiver.url, events: ['image.reported'] },
      }),
    ).toMatchObject({ status: 400, body: { error: 'events: image.reported is for admins' } })
  })

  it('that fails to be stored fails the upload: neither exists without the other', async () => {
    await create()
    const { id } = await upload()
    await app.deps.db.schema.alterTable('webhook_deliveries').renameTo('elsewhere').execute()
    expect((await app.upload(image, { token: user.token })).status).toBe(500)
    await app.deps.db.schema.alterTable('elsewhere').renameTo('webhook_deliveries').execute()
    const images = await app.deps.db.selectFrom('images').select('id').where('owner_id', '=', user.id).execute()
    expect(images).toEqual([{ id }])
  })
})

describe('a receiver', () => {
  it('that is down for an hour loses nothing, and gets no id twice', async () => {
    const webhook = await create()
    await receiver.stop()
    const uploaded: string[] = []
    for (let minute = 0; minute < 60; minute++) {
      if (minute % 3 === 0) uploaded.push((await upload()).id)
      await send()
      app.moveClock(60_000)
    }
    await receiver.start()
    expect(receiver.received).toEqual([])
    for (let minute = 0; minute < 150; minute++) {
      await send()
      app.moveClock(60_000)
    }
    expect(receiver.received.map(({ json }) => String(json.data['id'])).toSorted()).toEqual(uploaded.toSorted())
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(20)
    expect((await deliveriesOf(webhook)).map(({ status }: { status: string }) => status)).toEqual(
      Array(20).fill('delivered'),
    )
  })

  it('gets what was queued, and tried, by a clock three days ahead as soon as the clock is right again', async () => {
    await create()
    app.moveClock(3 * dayMs)
    await upload()
    receiver.responses.push({ status: 500 })
    await sendDueDeliveries(app.deps)
    await upload()
    app.moveClock(-3 * dayMs)
    expect(await sendDueDeliveries(app.deps)).toEqual({ delivered: 2, failed: 0 })
  })

  it('that fails is tried ten times within three days, with the same id, and then switched off', async () => {
    const webhook = await create({ events: ['image.uploaded'] })
    await upload()
    receiver.responses = Array.from({ length: 20 }, () => ({ status: 500 }))
    const start = app.deps.now()
    const tries: number[] = []
    for (let step = 0; step < 90 * 12; step++) {
      if ((await send()).failed > 0) tries.push(Math.round((app.deps.now() - start) / 60_000))
      app.moveClock(tries.length < 2 ? 5600 : 5 * 60_000)
    }
    expect(tries).toHaveLength(10)
    // Hours after the first try, each wait up to a tenth longer, seen every five minutes.
    const hours = tries.slice(4).map((minutes) => minutes / 60)
    for (const [at, least] of [2.58, 7.58, 17.58, 31.58, 51.58, 75.58].entries()) {
      expect(hours[at]).toBeGreaterThanOrEqual(least)
      expect(hours[at]).toBeLessThan(least * 1.1 + 1)
    }
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
    const [delivery] = await deliveriesOf(webhook)
    expect(delivery).toMatchObject({ status: 'failed', attempts: 10, lastStatus: 500, nextTryAt: null })
    expect(await isOff(webhook)).toBe('failing')
    const { sendDueMail } = await import('../mail/mail-queue.ts')
    await sendDueMail(app.deps, app.deps.now())
    expect(smtp.mails.at(-1)).toMatchObject({
      to: [user.email],
      headers: { subject: expect.stringContaining('was switched off') },
    })
    // Its user repairs it: what failed is sent again, with its id.
    receiver.responses.length = 0
    receiver.received.length = 0
    expect(await resend(webhook, delivery.id)).toMatchObject({ status: 409, body: { code: 'webhook_off' } })
    await app.call('PATCH', `/api/webhooks/${webhook.id}`, { token: await login(), body: { isActive: true } })
    expect(await resend(webhook, delivery.id)).toMatchObject({ status: 200, body: { status: 'pending', attempts: 0 } })
    await send()
    expect(receiver.received.map(({ id }) => id)).toEqual([delivery.id])
  })

  it.each([301, 302, 307, 308, 400, 404, 503])('that responds with %i is tried again', async (status) => {
    const webhook = await create()
    await upload()
    receiver.responses = [{ status, headers: { location: `${receiver.url}/elsewhere` } }]
    expect(await send()).toEqual({ delivered: 0, failed: 1 })
    expect(await deliveriesOf(webhook)).toMatchObject([
      { status: 'pending', attempts: 1, lastStatus: status, lastError: `It responded with the status ${status}` },
    ])
    app.moveClock(5600)
    expect(await send()).toEqual({ delivered: 1, failed: 0 })
    expect(receiver.received.map(({ id }) => id)).toEqual(Array(2).fill(receiver.received[0]?.id))
  })

  it('that responds with 410 is switched off at once, and what is pending waits', async () => {
    const webhook = await create()
    await upload()
    await upload()
    receiver.responses = [{ status: 410 }]
    expect(await send()).toEqual({ delivered: 0, failed: 1 })
    expect(await isOff(webhook)).toBe('gone')
    const entries = app.deps.db.selectFrom('audit_log').select('actor').where('action', '=', 'webhook_switched_off')
    expect(await entries.where('target', '=', webhook.id).execute()).toEqual([{ actor: 'server' }])
    await upload()
    app.moveClock(hourMs)
    expect(await send()).toEqual({ delivered: 0, failed: 0 })
    await app.call('PATCH', `/api/webhooks/${webhook.id}`, { token: user.token, body: { isActive: true } })
    expect(await send()).toEqual({ delivered: 1, failed: 0 })
  })

  it.each([
    ['seconds', () => '7200'],
    ['a date', () => new Date(app.deps.now() + 2 * hourMs + 1000).toUTCString()],
  ])('that sends Retry-After as %s gets nothing before', async (_, value) => {
    await create()
    await upload()
    await upload()
    receiver.responses = [{ status: 429, headers: { 'retry-after': value() } }]
    expect(await send()).toEqual({ delivered: 0, failed: 1 })
    await upload()
    app.moveClock(2 * hourMs - 10_000)
    expect(await send()).toEqual({ delivered: 0, failed: 0 })
    app.moveClock(12_000)
    expect(await send()).toEqual({ delivered: 3, failed: 0 })
  })

  it('gets each delivery from one of two servers that send at once', async () => {
    await create()
    for (let count = 0; count < 12; count++) await upload()
    receiver.delayMs = 20
    const sent = await Promise.all([send(), send(), send()])
    while ((await send()).delivered > 0);
    expect(sent.some(({ failed }) => failed > 0)).toBe(false)
    expect(receiver.received).toHaveLength(12)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(12)
  })
})

const login = async () =>
  (await app.call('POST', '/api/login', { body: { email: user.email, password: 'secret-1' } })).body.token as string
const resend = async ({ id }: { id: string }, delivery: string) =>
  app.call('POST', `/api/webhooks/${id}/deliveries/${delivery}/resend`, { token: await login() })

describe('a webhook', () => {
  it('sends a test event, and shows what became of it', async () => {
    const webhook = await create()
    const { status, body } = await app.call('POST', `/api/webhooks/${webhook.id}/test`, { token: user.token })
    expect([status, body.status, body.event]).toEqual([201, 'pending', 'webhook.test'])
    await send()
    expect(await deliveriesOf(webhook)).toMatchObject([{ id: body.id, status: 'delivered', lastStatus: 204 }])
    expect(receiver.received[0]).toMatchObject({ id: body.id, body: body.body })
  })

  it.each([
    ['not a URL', 'must be a URL'],
    ['ftp://example.com', 'must begin with http:// or https://'],
    ['https://user:secret@example.com', 'must not contain a user name or a password'],
    ['https://example.com:22/', 'must have port 80, 443, or one from 1024'],
  ])('is refused with the URL %s', async (url, problem) => {
    const body = { url, events: ['image.uploaded'] }
    expect(await app.call('POST', '/api/webhooks', { token: user.token, body })).toMatchObject({
      status: 400,
      body: { error: `url: ${problem}` },
    })
  })

  it('is refused when the user has ten', async () => {
    for (let count = 0; count < 10; count++) await create({ url: `https://${count}.example.com/` })
    const body = { url: receiver.url, events: ['image.uploaded'] }
    expect(await app.call('POST', '/api/webhooks', { token: user.token, body })).toMatchObject({
      status: 409,
      body: { code: 'too_many_webhooks', error: 'You have 10 webhooks. Delete one first' },
    })
  })

  it('is refused when three others of the user have its host, at any port', async () => {
    const urlAt = (port: number) => `https://example.com:${port}/hooks`
    for (const port of [443, 8443, 8444]) await create({ url: urlAt(port) })
    const error = 'url: has the host of 3 other webhooks. One webhook can receive several events'
    const body = { url: urlAt(8445), events: ['image.uploaded'] }
    const refused = { status: 400, body: { code: 'invalid_input', error } }
    for (const url of [body.url, 'https://example.com./hooks'])
      expect(await app.call('POST', '/api/webhooks', { token: user.token, body: { ...body, url } })).toMatchObject(
        refused,
      )
    const elsewhere = await create({ url: 'https://example.org/' })
    const path = `/api/webhooks/${elsewhere.id}`
    expect(await app.call('PATCH', path, { token: user.token, body })).toMatchObject(refused)
    const events = ['image.deleted']
    const [first] = (await app.call('GET', '/api/webhooks', { token: user.token })).body
    expect(first.url).toBe(elsewhere.url)
    expect((await app.call('PATCH', path, { token: user.token, body: { events } })).status).toBe(200)
    const { token } = await app.newUser()
    expect((await app.call('POST', '/api/webhooks', { token, body })).status).toBe(201)
  })

  it('is not found by other users', async () => {
    const { id } = await create()
    const { token } = await app.newUser()
    const paths = [`/api/webhooks/${id}/deliveries`, `/api/webhooks/none/deliveries`]
    for (const path of paths)
      expect(await app.call('GET', path, { token })).toMatchObject({ status: 404, body: { code: 'webhook_not_found' } })
    expect(await resend({ id }, 'none')).toMatchObject({ status: 404, body: { code: 'delivery_not_found' } })
  })

  it('lists its deliveries in pages', async () => {
    const webhook = await create()
    for (let count = 0; count < 5; count++) await upload()
    const path = `/api/webhooks/${webhook.id}/deliveries`
    const first = await app.call('GET', `${path}?limit=3`, { token: user.token })
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await app.call('GET', new URL(next).pathname + new URL(next).search, { token: user.token })
    const ids = [...first.body, ...second.body].map(({ id }) => id)
    expect([first.body.length, new Set(ids).size]).toEqual([3, 5])
  })

  it('has a bounded number of deliveries, and is switched off with too many pending ones', async () => {
    const webhook = await create()
    const { db } = app.deps
    const rows = Array.from({ length: 11_500 }, (_, at) => ({
      ...newDelivery(app.deps, { id: webhook.id, paused_until: 0 }, 'webhook.test', {}),
      ...(at < 1400 ? { status: 'delivered' as const, next_try_at: null } : {}),
      created_at: app.deps.now() - at,
    }))
    await insertDeliveries({ db }, rows)
    expect(await app.call('POST', `/api/webhooks/${webhook.id}/test`, { token: user.token })).toMatchObject({
      status: 409,
      body: { code: 'too_many_deliveries' },
    })
    expect(await pruneWebhookDeliveries(app.deps, app.deps.now())).toEqual({ deliveries: 400 })
    expect(await isOff(webhook)).toBe('backlog')
    await db.updateTable('webhook_deliveries').set({ status: 'failed' }).execute()
    app.moveClock(31 * dayMs)
    expect(await pruneWebhookDeliveries(app.deps, app.deps.now())).toEqual({ deliveries: 11_100 })
  })
})

describe('the webhooks of an account', () => {
  const password = { currentPassword: 'secret-1', newPassword: 'secret-2' }
  const asUser = (method: string, path: string, body?: object) => () =>
    app.call(method, path, { token: user.token, ...(body && { body }) })
  const byAdmin = (body: object) => async () =>
    app.call('PUT', `/api/users/${user.id}`, {
      token: await loginAsAdmin(),
      body: { ...body, currentPassword: adminLogin.password },
    })
  it.each<[string, () => Promise<{ status: number }>, off: 'credentials' | null]>([
    ['are off after a new password', asUser('PUT', '/api/me', password), 'credentials'],
    ['stay on when the new password keeps them', asUser('PUT', '/api/me', { ...password, keepApiKeys: true }), null],
    ['stay on when only the name changes', asUser('PUT', '/api/me', { name: 'Dana' }), null],
    ['are off after a logout everywhere', asUser('POST', '/api/logout-everywhere'), 'credentials'],
    ['stay on when the logout keeps them', asUser('POST', '/api/logout-everywhere', { keepApiKeys: true }), null],
    ['stay on after a logout', asUser('POST', '/api/logout'), null],
    ['are off after a password that an admin sets', byAdmin({ password: 'secret-2' }), 'credentials'],
    ['stay on when that admin keeps them', byAdmin({ password: 'secret-2', keepApiKeys: true }), null],
  ])('%s', async (_, act, off) => {
    const webhook = await create({ events: ['image.uploaded'] })
    const other = await app.newUser()
    const kept = await create({}, other.token)
    await upload()
    expect((await act()).status).toBe(200)
    expect(await send()).toEqual({ delivered: off === null ? 1 : 0, failed: 0 })
    const stored = app.deps.db.selectFrom('webhooks').select(['id', 'off_reason'])
    expect(await stored.where('id', 'in', [webhook.id, kept.id]).execute()).toEqual(
      expect.arrayContaining([
        { id: webhook.id, off_reason: off },
        { id: kept.id, off_reason: null },
      ]),
    )
    const entries = app.deps.db.selectFrom('audit_log').select('details').where('action', '=', 'webhook_switched_off')
    const details = (await entries.where('target', '=', webhook.id).execute()).map((row) => JSON.parse(row.details))
    expect(details).toEqual(off === null ? [] : [{ owner: user.id, reason: off }])
  })

  it('that its user switched off stays off by the user', async () => {
    const webhook = await create()
    await app.call('PATCH', `/api/webhooks/${webhook.id}`, { token: user.token, body: { isActive: false } })
    await app.call('POST', '/api/logout-everywhere', { token: user.token, body: {} })
    const { body } = await app.call('GET', '/api/webhooks', { token: await login() })
    expect(body).toMatchObject([{ isActive: false, offReason: 'user' }])
  })

  it('get no other URL, secret or webhook by a session that is no longer confirmed', async () => {
    const webhook = await create()
    await app.deps.db.updateTable('sessions').set({ confirmed_at: 0 }).where('user_id', '=', user.id).execute()
    const path = `/api/webhooks/${webhook.id}`
    const refused = { status: 403, body: { code: 'password_required' } }
    const url = 'https://elsewhere.example.com/'
    expect(await asUser('PATCH', path, { url })()).toMatchObject(refused)
    expect(await asUser('POST', `${path}/secret`)()).toMatchObject(refused)
    expect(await asUser('POST', '/api/webhooks', { url, events: ['image.uploaded'] })()).toMatchObject(refused)
    const rest = { url: webhook.url, events: ['image.deleted'], isActive: false }
    expect(await asUser('PATCH', path, rest)()).toMatchObject({ status: 200, body: rest })
    expect((await asUser('PATCH', path, { isActive: true })()).status).toBe(200)
    await asUser('POST', '/api/logout-everywhere')()
    const token = await login()
    await app.deps.db.updateTable('sessions').set({ confirmed_at: 0 }).where('user_id', '=', user.id).execute()
    // One that went off with the credentials may be a thief's.
    const on = () => app.call('PATCH', path, { token, body: { isActive: true } })
    expect(await on()).toMatchObject(refused)
    await app.deps.db
      .updateTable('sessions')
      .set({ confirmed_at: app.deps.now() })
      .where('user_id', '=', user.id)
      .execute()
    expect(await on()).toMatchObject({ status: 200, body: { isActive: true } })
  })
})

it('private addresses are refused unless WEBHOOK_PRIVATE_ADDRESSES is on', async () => {
  const closed = await startTestApp()
  const { token } = await closed.newUser()
  const body = { url: receiver.url, events: ['image.uploaded'] }
  expect(await closed.call('POST', '/api/webhooks', { token, body })).toMatchObject({
    status: 400,
    body: { error: 'url: must not have a private address on this server' },
  })
  // A name can lead inside later.
  const named = { ...body, url: receiver.url.replace('127.0.0.1', 'localhost') }
  const { id } = (await closed.call('POST', '/api/webhooks', { token, body: named })).body
  await closed.call('POST', `/api/webhooks/${id}/test`, { token })
  expect(await sendDueDeliveries(closed.deps)).toEqual({ delivered: 0, failed: 1 })
  expect((await closed.call('GET', `/api/webhooks/${id}/deliveries`, { token })).body).toMatchObject([
    { status: 'pending', lastError: 'It could not be reached: its host is unknown or not public' },
  ])
  expect(receiver.received).toEqual([])
  await closed.stop()
})
