// Images that stay: by the policy of a role, after each view, or because their owner keeps them.
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import { keptExpiry } from '../../../db/never-expires.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { png } from '../../../testing/test-images.ts'
import { announceExpiringImages } from '../../webhooks/announce-expiring.ts'
import type { UserCaller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { reuseSameBytes } from '../../uploads/reuse-same-bytes.ts'
import type { UploadRequest } from '../../uploads/upload-request.ts'
import { sweepExpired } from '../deletion/sweep.ts'
import type { ImageRow } from '../image-row.ts'
import { extendImage } from './extend-image.ts'

interface Sender {
  token: string
  id: string
}

const settings = { USER_EXPIRY: '30 days after the last view', ADMIN_EXPIRY: 'never', MAY_KEEP: 'users' }
const date = (ms: number) => new Date(ms).toISOString()
const all = (...ids: string[]) => ids.toSorted()

/** An app with these settings, whose users have an own picture each. */
async function startWith(given: Record<string, string>) {
  const app = await startTestApp(given)
  let shade = 0
  const upload = async (by: { token?: string } = {}, fields?: Record<string, string>) => {
    const response = await app.upload(await png(20 + (shade += 1), 20), { ...by, ...(fields && { fields }) })
    return { status: response.status, ...response.body }
  }
  const patch = (id: string, expires_at: string | null, { token }: Sender) =>
    app.call('PATCH', `/api/images/${id}`, { token, body: { expires_at } })
  const choose = (ids: string[], expires_at: unknown, { token }: Sender) =>
    app.call('POST', '/api/images/expiry', { token, body: { ids, expires_at } })
  const rowOf = (id: string) => app.deps.db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst()
  const newAdmin = async () => {
    const account = await app.newUser()
    await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', account.id).execute()
    return account
  }
  return { app, upload, patch, choose, rowOf, newAdmin }
}

describe('without settings', () => {
  let app: TestApp
  let host: Awaited<ReturnType<typeof startWith>>
  let user: Sender
  let admin: Sender
  beforeAll(async () => {
    host = await startWith({})
    app = host.app
    user = await app.newUser()
    admin = await host.newAdmin()
  })
  afterAll(() => app.stop())

  it('images of guests, users and admins expire after the days of the specification, and nobody may keep any', async () => {
    for (const [by, days] of [
      [{}, limits.guest.retentionDays],
      [user, limits.user.retentionDays],
      [admin, limits.user.retentionDays],
    ] as const) {
      const image = await host.upload(by)
      expect(Date.parse(image.expires_at) - Date.parse(image.created_at)).toBe(days * dayMs)
    }
    const image = await host.upload(admin)
    expect((await host.patch(image.id, null, admin)).body).toMatchObject({ code: 'keep_not_allowed' })
    expect((await host.choose([image.id], null, admin)).status).toBe(403)
    expect((await host.upload(admin, { expires_in: 'never' })).status).toBe(403)
    expect((await app.call('GET', '/api/limits')).body.user).toMatchObject({
      keptDays: limits.user.retentionDays,
      keptAfter: 'upload',
      mayKeep: false,
    })
  })

  it.each([
    ['a date within an extension', () => date(app.deps.now() + limits.extensionDays * dayMs), 200],
    ['a minute from now, with a time zone', () => date(app.deps.now() + 60_000).replace('Z', '+00:00'), 200],
    ['a later date', () => date(app.deps.now() + (limits.extensionDays + 1) * dayMs), 400],
    ['now', () => date(app.deps.now()), 400],
    ['the largest date', () => date(keptExpiry), 400],
    ['a date that does not exist', () => '2027-02-30T00:00:00Z', 400],
    ['a number', () => 5, 400],
    ['an object', () => ({}), 400],
    ['nothing', () => undefined, 400],
  ])('%s is an expiry or not', async (_, wanted, status) => {
    const image = await host.upload(user)
    const expiresAt = wanted()
    const response = await host.choose([image.id], expiresAt, user)
    expect(response.status).toBe(status)
    const chosen = status === 200 && typeof expiresAt === 'string' ? expiresAt : image.expires_at
    const expected = Date.parse(chosen)
    expect((await host.rowOf(image.id))?.expires_at).toBe(expected)
  })

  it('a guest chooses a date at most as late as an extension, with the token, and nothing else', async () => {
    const image = await host.upload()
    const choose = (expires_at: string | null) =>
      app.call('PATCH', `/api/images/${image.id}`, { body: { token: image.delete_token, expires_at } })
    expect((await choose(date(app.deps.now() + dayMs))).status).toBe(200)
    expect((await choose(date(app.deps.now() + (limits.guest.maxDays + 1) * dayMs))).body.code).toBe('invalid_input')
    expect((await choose(null)).body.code).toBe('keep_not_allowed')
  })
})

describe('where images may stay', () => {
  let app: TestApp
  let host: Awaited<ReturnType<typeof startWith>>
  let user: Sender
  let admin: Sender
  beforeAll(async () => {
    host = await startWith(settings)
    app = host.app
  })
  beforeEach(async () => {
    user = await app.newUser()
    admin = await host.newAdmin()
  })
  afterAll(() => app.stop())

  const view = async ({ file_name: name }: { file_name: string }) => {
    const headers = {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    }
    const response = await app.request(`/uploads/${name}`, { headers })
    await response.arrayBuffer()
    return response.status
  }

  const again = { lifetime: { ms: 90 * dayMs, afterViewDays: null }, visibility: 'public' } as const
  it.each<[string, (deps: Deps, row: ImageRow, caller: UserCaller) => Promise<unknown>]>([
    [
      'extended',
      (deps, { id }, caller) =>
        extendImage(deps, { caller, params: { id }, guestToken: undefined, address: '', baseUrl: '', siteUrl: '' }),
    ],
    [
      'uploaded once more',
      (deps, { sha256 }, caller) => reuseSameBytes(deps, { caller, body: {} } as UploadRequest, { ...again, sha256 }),
    ],
  ])('an image that is kept while it is being %s stays kept', async (_, act) => {
    const { id } = await host.upload(user)
    const { db } = app.deps
    const row = await db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const account = await db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
    const keepAfterRead: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.rows.some((found) => found['expires_at'] === row.expires_at))
          await db.updateTable('images').set({ expires_at: keptExpiry }).where('id', '=', id).execute()
        return result
      },
    }
    const caller: UserCaller = { kind: 'user', account, by: { sessionId: 'none', confirmedAt: 0 } }
    await act({ ...app.deps, db: db.withPlugin(keepAfterRead) }, row, caller)
    expect((await host.rowOf(id))?.expires_at).toBe(keptExpiry)
  })

  it('an image of a role without expiry is kept: in the API, in lists, on its page and for ever', async () => {
    const image = await host.upload(admin)
    expect(image).toMatchObject({ status: 201, expires_at: null })
    expect((await host.rowOf(image.id))?.expires_at).toBe(keptExpiry)
    expect(await (await app.request(`/i/${image.id}`)).text()).not.toMatch(/expire/i)
    expect((await app.call('GET', '/api/expiring-images', admin)).body).toEqual([])
    expect((await app.call('POST', `/api/images/${image.id}/extend-expiration`, admin)).body.expires_at).toBe(null)
    app.moveClock(400 * dayMs)
    await sweepExpired(app.deps)
    expect(await announceExpiringImages(app.deps, app.deps.now())).toEqual({ images: 0 })
    expect(await view(image)).toBe(200)
    app.moveClock(-400 * dayMs)
    await sweepExpired(app.deps)
    expect(await view(image)).toBe(200)
  })

  it('an upload says that it stays, or when it expires', async () => {
    expect(await host.upload(user, { expires_in: 'never' })).toMatchObject({ status: 201, expires_at: null })
    const image = await host.upload(admin, { expires_in: '2d' })
    expect(Date.parse(image.expires_at) - Date.parse(image.created_at)).toBe(2 * dayMs)
    expect((await host.upload({}, { expires_in: 'never' })).status).toBe(403)
  })

  it('several images are kept in one request, and those of others, deleted and hidden ones are skipped', async () => {
    const [one, two, deleted, hidden] = [
      await host.upload(user),
      await host.upload(user),
      await host.upload(user),
      await host.upload(user),
    ]
    const foreign = await host.upload(admin, { expires_in: '1d' })
    await app.call('DELETE', `/api/images/${deleted.id}?trash=1`, user)
    await app.deps.db.updateTable('images').set({ quarantined_at: 1 }).where('id', '=', hidden.id).execute()
    const { status, body } = await host.choose(
      [one, two, deleted, hidden, foreign, { id: 'none' }].map(({ id }) => id),
      null,
      user,
    )
    expect(status).toBe(200)
    expect(all(...body.images.map(({ id }: { id: string }) => id))).toEqual(all(one.id, two.id))
    expect(body.images.map((image: { expires_at: null }) => image.expires_at)).toEqual([null, null])
    expect((await host.choose([one.id], null, user)).body.images).toEqual([])
    expect((await host.choose([], null, user)).status).toBe(400)
    expect(
      (
        await host.choose(
          Array.from({ length: 201 }, (_, n) => `${n}`),
          null,
          user,
        )
      ).status,
    ).toBe(400)
  })

  it('lists by expiry have them last, and the query language finds them', async () => {
    const [expiring, kept] = [await host.upload(user), await host.upload(user, { expires_in: 'never' })]
    const idsOf = async (query: string) =>
      (await app.call('GET', `/api/images?${query}`, user)).body.map(({ id }: { id: string }) => id)
    expect(await idsOf('sort=expiry')).toEqual([expiring.id, kept.id])
    expect(await idsOf('sort=expiry_desc')).toEqual([kept.id, expiring.id])
    expect(await idsOf('q=expires:never')).toEqual([kept.id])
    expect(await idsOf('q=-expires:never')).toEqual([expiring.id])
    expect(await idsOf('q=expires:>7d')).toEqual([expiring.id])
    expect(await idsOf('q=expires:<90d')).toEqual([expiring.id])
  })

  it('a kept image comes back from the trash as a kept one', async () => {
    const image = await host.upload(user, { expires_in: 'never' })
    await app.call('DELETE', `/api/images/${image.id}?trash=1`, user)
    expect((await app.call('GET', '/api/trash', user)).body).toMatchObject([{ id: image.id, expires_at: null }])
    app.moveClock((limits.trashDays - 1) * dayMs)
    const { body } = await app.call('POST', '/api/trash/restore', { ...user, body: { ids: [image.id] } })
    expect(body.images).toMatchObject([{ id: image.id, expires_at: null }])
    app.moveClock(-(limits.trashDays - 1) * dayMs)
  })

  it('a view moves the expiry once a day, and what was viewed in time is never swept', async () => {
    const image = await host.upload(user)
    const first = Date.parse(image.expires_at)
    expect(first - Date.parse(image.created_at)).toBe(30 * dayMs)
    app.moveClock(20 * dayMs)
    expect(await view(image)).toBe(200)
    await app.deps.viewCounts.flush()
    const moved = (await host.rowOf(image.id))?.expires_at ?? 0
    expect(moved - app.deps.now()).toBeGreaterThan(30 * dayMs)
    expect(moved - app.deps.now()).toBeLessThanOrEqual(31 * dayMs)
    await view(image)
    await app.deps.viewCounts.flush()
    expect((await host.rowOf(image.id))?.expires_at).toBe(moved)

    // A view in the last second, which is written after the expiry and a sweep.
    app.moveClock(moved - app.deps.now() - 1000)
    expect(await view(image)).toBe(200)
    app.moveClock(2000)
    await sweepExpired(app.deps)
    await app.deps.viewCounts.flush()
    expect(await view(image)).toBe(200)

    // Nobody views it any more.
    await app.deps.viewCounts.flush()
    app.moveClock(32 * dayMs)
    expect(await view(image)).toBe(410)
    await sweepExpired(app.deps)
    expect(await host.rowOf(image.id)).toBe(undefined)
    app.moveClock(-84 * dayMs)
  })

  it('views do not move an own date, and do again after an image that was kept gets its date back', async () => {
    const [own, kept] = [await host.upload(user), await host.upload(user)]
    const chosen = date(app.deps.now() + dayMs)
    expect((await host.patch(own.id, chosen, user)).body.expires_at).toBe(chosen)
    await host.patch(kept.id, null, user)
    expect((await host.patch(kept.id, kept.expires_at, user)).body.expires_at).toBe(kept.expires_at)
    app.moveClock(dayMs / 2)
    await view(own)
    await view(kept)
    await app.deps.viewCounts.flush()
    expect((await host.rowOf(own.id))?.expires_at).toBe(Date.parse(chosen))
    expect((await host.rowOf(kept.id))?.expires_at).toBeGreaterThan(Date.parse(kept.expires_at))
    app.moveClock(-dayMs / 2)
  })

  it('a view does not bring back a deleted image, nor one whose views are used up', async () => {
    const [deleted, limited] = [await host.upload(user), await host.upload(user, { max_views: '1' })]
    await view(deleted)
    await app.call('DELETE', `/api/images/${deleted.id}?trash=1`, user)
    expect(await view(limited)).toBe(200)
    await app.deps.viewCounts.flush()
    expect(await view(deleted)).toBe(410)
    expect(await view(limited)).toBe(410)
    await sweepExpired(app.deps)
    expect(await host.rowOf(limited.id)).toBe(undefined)
  })

  it('a guest image that is claimed expires as those of its new owner do', async () => {
    const image = await host.upload()
    const images = [{ id: image.id, token: image.delete_token }]
    const claimed = (await app.call('POST', '/api/images/claim', { ...admin, body: { images } })).body.images
    expect(claimed).toMatchObject([{ id: image.id, expires_at: null }])
  })

  it('images that nobody has viewed for long are found', async () => {
    const [unviewed, forgotten, viewed] = [await host.upload(admin), await host.upload(admin), await host.upload(admin)]
    const now = app.deps.now()
    await app.deps.db
      .updateTable('images')
      .set({ created_at: now - 400 * dayMs })
      .where('id', 'in', [unviewed.id, forgotten.id, viewed.id])
      .execute()
    const day = Math.floor((now - 370 * dayMs) / dayMs)
    await app.deps.db.insertInto('image_views').values({ image_id: forgotten.id, day, views: 9 }).execute()
    await view(viewed)
    await app.deps.viewCounts.flush()
    const recent = await host.upload(admin)
    const idsOf = async (q: string) =>
      all(...(await app.call('GET', `/api/images?q=${q}`, admin)).body.map(({ id }: { id: string }) => id))
    expect(await idsOf('viewed:>12m')).toEqual(all(unviewed.id, forgotten.id))
    expect(await idsOf('-viewed:>1y')).toEqual(all(viewed.id, recent.id))
    expect(await idsOf('viewed:<12m')).toEqual(all(viewed.id, recent.id))
    expect((await app.call('GET', '/api/images?q=viewed:often', admin)).body.code).toBe('invalid_input')
  })
})
