import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Image } from '../../../contract/endpoints/images.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { imageTotals } from '../images/image-totals.ts'

let app: TestApp
let bytes: Buffer
beforeAll(async () => {
  app = await startTestApp()
  bytes = await jpeg(300, 200)
})
afterAll(() => app.stop())

type Guests = Awaited<ReturnType<TestApp['guestImage']>>
const claimOf = ({ id, delete_token }: Guests, token = delete_token) => ({ id, token })
const claim = (user: { token: string }, images: object[]) =>
  app.call('POST', '/api/images/claim', { token: user.token, body: { images } })
const idsOf = (body: { images: Image[] }) => body.images.map(({ id }) => id)
const account = (id: string) =>
  app.deps.db.selectFrom('users').select(['image_count', 'image_bytes']).where('id', '=', id).executeTakeFirst()

describe('claimImages', () => {
  it('transfers guests’ images to the account: with its retention, counted and listed', async () => {
    const user = await app.newUser()
    const [one, two] = [await app.guestImage(bytes), await app.guestImage(bytes)]
    const before = await imageTotals(app.deps.db)
    const { status, body } = await claim(user, [claimOf(two), claimOf(one)])
    expect([status, idsOf(body)]).toEqual([200, [two.id, one.id]])
    for (const image of body.images as Image[]) {
      expect(image).toMatchObject({ is_guest: false, guest: false })
      expect(Date.parse(image.expires_at ?? '') - Date.parse(image.created_at)).toBe(limits.user.retentionDays * dayMs)
    }
    expect(await account(user.id)).toEqual({ image_count: 2, image_bytes: one.size + two.size })
    const after = await imageTotals(app.deps.db)
    expect(after).toEqual({
      ...before,
      guestImages: before.guestImages - 2,
      guestBytes: before.guestBytes - one.size - two.size,
    })
    const { headers } = await app.call('GET', '/api/images', user)
    expect(headers.get('x-total-count')).toBe('2')

    const byToken = await app.call('DELETE', `/api/images/${one.id}`, { guestToken: one.delete_token })
    expect(byToken.body.code).toBe('authentication_required')
    expect((await app.call('DELETE', `/api/images/${one.id}`, user)).status).toBe(200)
    expect(await account(user.id)).toEqual({ image_count: 1, image_bytes: two.size })
  })

  it('returns the same images when repeated, counted once, also concurrently', async () => {
    const user = await app.newUser()
    const image = await app.guestImage(bytes)
    const answers = await Promise.all(Array.from({ length: 5 }, () => claim(user, [claimOf(image), claimOf(image)])))
    for (const { status, body } of answers) expect([status, idsOf(body)]).toEqual([200, [image.id]])
    expect(await account(user.id)).toEqual({ image_count: 1, image_bytes: image.size })
  })

  it('skips images that are deleted, unknown, another user’s, or have a wrong token', async () => {
    const user = await app.newUser()
    const other = await app.newUser()
    const [good, wrong, deleted, hidden, others] = await Promise.all(
      Array.from({ length: 5 }, () => app.guestImage(bytes)),
    )
    if (!good || !wrong || !deleted || !hidden || !others) throw new Error('Five were made')
    await app.call('DELETE', `/api/images/${deleted.id}`, { guestToken: deleted.delete_token })
    await app.call('DELETE', `/api/images/${hidden.id}?undo=1`, { guestToken: hidden.delete_token })
    await claim(other, [claimOf(others)])
    const { body: uploaded } = await app.upload(bytes, other)
    const { status, body } = await claim(user, [
      claimOf(wrong, good.delete_token),
      claimOf(deleted),
      claimOf(hidden),
      claimOf(others),
      { id: uploaded.id, token: 'x' },
      { id: 'none', token: 'x' },
      claimOf(good),
    ])
    expect([status, idsOf(body)]).toEqual([200, [good.id]])
    expect((await account(other.id))?.image_count).toBe(2)
    // Images about to expire are restored to the user who deleted them.
    const restored = await app.call('POST', `/api/images/${hidden.id}/restore`, { guestToken: hidden.delete_token })
    expect(restored.body).toMatchObject({ is_guest: true })
  })

  it('never shortens an extended expiry', async () => {
    const image = await app.guestImage(bytes)
    app.moveClock(10 * dayMs)
    const user = await app.newUser()
    const path = `/api/images/${image.id}/extend-expiration`
    const { body: extended } = await app.call('POST', path, { guestToken: image.delete_token })
    expect((await claim(user, [claimOf(image)])).body.images[0].expires_at).toBe(extended.expires_at)
  })

  it('transfers an image that two users claim concurrently to one of them', async () => {
    const users = await Promise.all([app.newUser(), app.newUser()])
    const images = await Promise.all(Array.from({ length: 4 }, () => app.guestImage(bytes)))
    const answers = await Promise.all(
      users.map((user, at) =>
        claim(
          user,
          (at === 0 ? images : images.toReversed()).map((image) => claimOf(image)),
        ),
      ),
    )
    const claimed = answers.flatMap(({ body }) => idsOf(body))
    expect(claimed.toSorted()).toEqual(images.map(({ id }) => id).toSorted())
    const kept = await Promise.all(users.map(({ id }) => account(id)))
    expect(kept.map((user) => user?.image_count)).toEqual(answers.map(({ body }) => body.images.length))
  })

  it('refuses API keys, guests, and lists that are empty or too long', async () => {
    const user = await app.newUser()
    const { key } = (await app.call('POST', '/api/api-keys', { ...user, body: {} })).body
    const one = { id: 'none', token: 'none' }
    expect((await claim({ token: key }, [one])).body.code).toBe('api_key_not_enough')
    expect((await app.call('POST', '/api/images/claim', { body: { images: [one] } })).status).toBe(401)
    expect((await claim(user, [])).status).toBe(400)
    const tooManyRequests = Array.from({ length: limits.list.maxLimit + 1 }, () => one)
    expect((await claim(user, tooManyRequests)).status).toBe(400)
  })
})
