// The purge hook against a real receiver: signed, before the response to the change, and until it succeeds.
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { Webhook as Verifier } from 'standardwebhooks'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts'
import { promote } from '../accounts/operator-accounts.ts'
import { purgeCaches } from './cache-purges.ts'

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
let app: TestApp
let receiver: WebhookReceiver
let bytes: Buffer
let owner: { token: string; id: string }
let admin: string
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  app = await startTestApp({ PURGE_URL: receiver.url, PURGE_SECRET: secret })
  bytes = await jpeg(30, 20)
  const { email } = await app.newUser()
  await promote(app.deps, email)
  admin = (await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).body.token
})
beforeEach(async () => {
  owner = await app.newUser()
  await app.deps.db.deleteFrom('cache_purges').execute()
  receiver.received.length = 0
  receiver.responses.length = 0
})
afterAll(async () => {
  await app.stop()
  await receiver.stop()
})

const upload = async (): Promise<UploadedImage> => (await app.upload(bytes, { token: owner.token })).body
const remove = ({ id }: UploadedImage) => app.call('DELETE', `/api/images/${id}`, { token: owner.token })
const purged = () => receiver.received.map(({ json }) => json.data['images'] as string[])

it('names the image, signed as Standard Webhooks says, before the response to its deletion', async () => {
  const image = await upload()
  await app.request(image.url)
  expect(purged()).toEqual([])
  await remove(image)
  expect(purged()).toEqual([[image.id]])
  const [{ body, headers, json } = { body: '', headers: {}, json: {} }] = receiver.received
  expect(new Verifier(secret).verify(body, headers)).toEqual(json)
  expect(json).toMatchObject({ type: 'cache.purge' })
})

it('is repeated once after half a minute, for responses that were under way', async () => {
  const image = await upload()
  await remove(image)
  await purgeCaches(app.deps)
  expect(purged().length).toBe(1)
  app.moveClock(31_000)
  expect(await purgeCaches(app.deps)).toEqual({ purged: 1 })
  app.moveClock(31_000)
  expect(await purgeCaches(app.deps)).toEqual({ purged: 0 })
  expect(purged()).toEqual([[image.id], [image.id]])
})

it('names all images of a suspended user, in requests of 500', async () => {
  const { id } = await upload()
  const { db } = app.deps
  const row = await db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const copies = Array.from({ length: 700 }, (_, n) => ({ ...row, id: `copy-${n}`, file_name: `copy-${n}.jpg` }))
  for (let at = 0; at < copies.length; at += 100)
    await db
      .insertInto('images')
      .values(copies.slice(at, at + 100))
      .execute()
  await app.call('PUT', `/api/users/${owner.id}`, { token: admin, body: { status: 'Inactive' } })
  expect(purged().map((ids) => ids.length)).toEqual([500, 201])
  expect(new Set(purged().flat()).size).toBe(701)
  await db.deleteFrom('images').where('id', 'like', 'copy-%').execute()
})

it('is one request for the deletions during a purge, and other requests do not wait for it', async () => {
  const [first, second, third] = [await upload(), await upload(), await upload()]
  receiver.delayMs = 1000
  let hasFirstEnded = false
  const removals = [remove(first).finally(() => (hasFirstEnded = true))]
  await expect.poll(() => receiver.received.length).toBe(1)
  receiver.delayMs = 0
  removals.push(remove(second), remove(third))
  const others = await Promise.all(Array.from({ length: 12 }, () => app.call('POST', '/api/unknown')))
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([404]))
  expect(hasFirstEnded).toBe(false)
  await Promise.all(removals)
  expect(purged().map((ids) => ids.toSorted())).toEqual([[first.id], [second.id, third.id].toSorted()])
})

it('that fails does not fail the deletions that wait for it, and is tried again by the job', async () => {
  const images = [await upload(), await upload()]
  receiver.responses.push({ status: 500 })
  expect((await Promise.all(images.map(remove))).map(({ status }) => status)).toEqual([200, 200])
  expect(app.logged.at(-1)).toMatchObject({ msg: expect.any(String) })
  const failures = () => app.logged.filter(({ msg }) => msg === 'Caches could not be purged (PURGE_URL)')
  expect(failures().length).toBe(1)
  // Responses do not wait for a receiver that has just failed.
  await remove(await upload())
  expect(purged().length).toBe(1)
  await expect.poll(() => purgeCaches(app.deps), { timeout: 10_000, interval: 500 }).toEqual({ purged: 3 })
})

it('names an image that gets private, also when another request has made it public meanwhile', async () => {
  const image = await upload()
  const change = (visibility: 'public' | 'private') =>
    app.call('PATCH', `/api/images/${image.id}`, { token: owner.token, body: { visibility } })
  await change('private')
  expect(purged()).toEqual([[image.id]])
  const { db } = app.deps
  const transaction = db.transaction.bind(db)
  const races = vi.spyOn(db, 'transaction').mockImplementationOnce(() => {
    const started = transaction()
    const execute = started.execute.bind(started)
    started.execute = async (work) => {
      await db
        .updateTable('images')
        .set({ visibility: 'public', view_key_version: 2 })
        .where('id', '=', image.id)
        .execute()
      return execute(work)
    }
    return started
  })
  const { body } = await change('private')
  races.mockRestore()
  expect(body.visibility).toBe('private')
  expect(purged()).toEqual([[image.id], [image.id]])
  const { view_key_version: version } = await db
    .selectFrom('images')
    .select('view_key_version')
    .where('id', '=', image.id)
    .executeTakeFirstOrThrow()
  expect(version).toBe(3)
})

it('is not called for uploads, reads and images that expire', async () => {
  const image = await upload()
  await app.request(image.thumbnailUrl)
  await app.call('POST', `/api/images/${image.id}/extend-expiration`, { token: owner.token })
  expect(purged()).toEqual([])
})

it('is not queued without PURGE_URL', async () => {
  const other = await startTestApp()
  try {
    const image = await other.guestImage(bytes)
    await other.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
    expect(await other.deps.db.selectFrom('cache_purges').selectAll().execute()).toEqual([])
  } finally {
    await other.stop()
  }
})
