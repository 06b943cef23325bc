// The number of contact messages is bounded, by the hour and in all.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { sendContactMessage } from './contact.ts'

const { maxStored, perAddress, perInstance } = limits.contact

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  app.moveClock(perInstance.windowMs)
  await app.deps.db.deleteFrom('contact_messages').execute()
})

/** @param shownAgoMs undefined: a form without the time when it was shown */
const send = (address: string, shownAgoMs?: number) =>
  sendContactMessage(app.deps, {
    address,
    body: { name: 'Dana', email: 'dana@example.com', subject: 'Hello', message: 'A question', ...timeOf(shownAgoMs) },
  })
const timeOf = (agoMs?: number) => (agoMs === undefined ? {} : { time: app.deps.now() - agoMs })
const message = (id: string, createdAt: number) => ({
  id,
  name: 'Dana',
  email: 'dana@example.com',
  subject: 'Hello',
  message: 'A question',
  created_at: createdAt,
  sent_at: null,
})
const storedIds = async () => {
  const rows = await app.deps.db.selectFrom('contact_messages').select('id').orderBy('created_at').execute()
  return rows.map(({ id }) => id)
}
/** Fills the table with m0, m1 ..., the oldest first. */
async function fill(count: number) {
  const rows = Array.from({ length: count }, (_, n) => message(`m${n}`, 1000 + n))
  for (let at = 0; at < count; at += 1000)
    await app.deps.db
      .insertInto('contact_messages')
      .values(rows.slice(at, at + 1000))
      .execute()
}

it('a flood from many addresses is refused after 200 messages in an hour', async () => {
  for (let n = 0; n < perInstance.limit; n++) await send(`203.0.113.${Math.floor(n / perAddress.limit)}`, 60_000)
  await expect(send('198.51.100.1', 60_000)).rejects.toMatchObject({ code: 'too_many_requests' })
  app.moveClock(perInstance.windowMs)
  await send('198.51.100.1')
  expect(await storedIds()).toHaveLength(perInstance.limit + 1)
})

it('a flood of forms without the time leaves three quarters of the messages of an hour to people', async () => {
  const { limit } = limits.publicForm.untimed
  for (let n = 0; n < limit; n++) await send(`203.0.113.${Math.floor(n / perAddress.limit)}`)
  await expect(send('198.51.100.1')).rejects.toMatchObject({ code: 'too_many_requests' })
  await send('198.51.100.1', 60_000)
  expect(await storedIds()).toHaveLength(limit + 1)
})

it('beyond 10,000 messages the oldest is deleted, unless its mail is still queued', async () => {
  await fill(maxStored)
  await app.deps.db
    .insertInto('outgoing_mail')
    .values({
      id: 'queued',
      contact_message_id: 'm0',
      user_id: null,
      is_notice: 0,
      subject: 'Hello',
      body: 'A question',
      created_at: 1,
      attempts: 0,
      next_try_at: 1,
      drop_at: null,
      last_error: null,
    })
    .execute()
  await send('203.0.113.1')
  const ids = await storedIds()
  expect(ids).toHaveLength(maxStored)
  expect(ids.slice(0, 2)).toEqual(['m0', 'm2'])
})

it('a message is refused, and not stored, when 10,000 wait for the mail server', async () => {
  await fill(maxStored)
  await app.deps.db
    .insertInto('outgoing_mail')
    .columns(['id', 'contact_message_id', 'subject', 'body', 'created_at', 'attempts', 'next_try_at'])
    .expression((query) =>
      query
        .selectFrom('contact_messages')
        .select([
          'id',
          'id as message',
          'subject',
          'message as body',
          'created_at',
          'created_at as attempts',
          'created_at as due',
        ]),
    )
    .execute()
  await expect(send('203.0.113.1')).rejects.toMatchObject({ code: 'busy' })
  expect(await storedIds()).toHaveLength(maxStored)
})
