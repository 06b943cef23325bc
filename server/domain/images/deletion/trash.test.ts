// The trash: what is in it is deleted for everyone, and its owner can have it back.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import { type CallOptions, startTestApp, type TestApp } from '../../../testing/app.ts'
import { jpeg } from '../../../testing/test-images.ts'
import { promote } from '../../accounts/operator-accounts.ts'
import { sweepExpired, sweepOrphans } from './sweep.ts'

let app: TestApp
let bytes: Buffer
let owner: { token: string; id: string; email: string }
let admin: { token: string }
let image: UploadedImage

beforeAll(async () => {
  app = await startTestApp()
  bytes = await jpeg(600, 400)
})
afterAll(() => app.stop())

beforeEach(async () => {
  owner = await app.newUser()
  const { email } = await app.newUser()
  await promote(app.deps, email)
  admin = (await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).body
  image = (await app.upload(bytes, owner)).body
})

const trash = (id = image.id, options: CallOptions = owner) => app.call('DELETE', `/api/images/${id}?trash=1`, options)
const listed = async (options: CallOptions = owner) => (await app.call('GET', '/api/trash', options)).body
const idsIn = (images: { id: string }[]) => images.map(({ id }) => id)
const inTrash = async (options?: CallOptions) => idsIn(await listed(options))
const restore = (ids: string[], options: CallOptions = owner) =>
  app.call('POST', '/api/trash/restore', { ...options, body: { ids } })
const deleteForGood = (ids: string[], options: CallOptions = owner) =>
  app.call('POST', '/api/trash/delete', { ...options, body: { ids } })
const empty = (options: CallOptions = owner) => app.call('DELETE', '/api/trash', options)
const preview = (id = image.id, options: CallOptions = owner) =>
  app.request(`/api/trash/${id}/preview`, { headers: { authorization: `Bearer ${options.token}` } })
const original = async ({ file_name: name }: UploadedImage = image) => {
  const response = await app.request(`/uploads/${name}`)
  return [response.status, Buffer.from(await response.arrayBuffer())] as const
}
/** After a long time on the clock, when sessions have ended. */
async function logInAgain() {
  owner = {
    ...owner,
    ...(await app.call('POST', '/api/login', { body: { email: owner.email, password: 'secret-1' } })).body,
  }
}
const accountOf = () =>
  app.deps.db
    .selectFrom('users')
    .select(['image_count', 'image_bytes'])
    .where('id', '=', owner.id)
    .executeTakeFirstOrThrow()

describe('several images are moved to the trash', () => {
  const move = (ids: string[], options: CallOptions = owner) =>
    app.call('POST', '/api/trash', { ...options, body: { ids } })

  it('in one request, and those of others, deleted and hidden ones are skipped', async () => {
    const [second, deleted, hidden] = [
      (await app.upload(bytes, owner)).body,
      (await app.upload(bytes, owner)).body,
      (await app.upload(bytes, owner)).body,
    ]
    const foreign = (await app.upload(bytes, await app.newUser())).body
    await app.call('DELETE', `/api/images/${deleted.id}`, owner)
    await app.deps.db.updateTable('images').set({ quarantined_at: 1 }).where('id', '=', hidden.id).execute()
    const { status, body } = await move([image.id, second.id, image.id, deleted.id, hidden.id, foreign.id, 'none'])
    expect([status, new Set(body.ids), body.ids.length]).toEqual([200, new Set([image.id, second.id]), 2])
    expect(new Set(await inTrash())).toEqual(new Set([image.id, second.id]))
    expect(await accountOf()).toMatchObject({ image_count: 1 })
    expect((await original(foreign))[0]).toBe(200)
    expect((await move([image.id])).body.ids).toEqual([])
    expect((await restore([image.id, second.id])).body.images).toHaveLength(2)
  })
})

describe('an image in the trash', () => {
  it('is in the list of the trash with its days, and in no other list', async () => {
    const from = app.deps.now() + limits.trashDays * dayMs
    expect(await trash()).toMatchObject({ status: 200, body: { success: true } })
    const [row] = await listed()
    expect(row).toMatchObject({ id: image.id, expires_at: image.expires_at })
    const until = Date.parse(row.restorable_until)
    expect(until >= from && until <= app.deps.now() + limits.trashDays * dayMs).toBe(true)
    const { body, headers } = await app.call('GET', '/api/images', owner)
    expect([body, headers.get('x-total-count')]).toEqual([[], '0'])
    expect((await app.call('GET', `/api/images?q=picture`, owner)).body).toEqual([])
    expect(idsIn((await app.call('GET', '/api/admin/images', admin)).body)).not.toContain(image.id)
    expect((await app.call('POST', `/api/images/${image.id}/extend-expiration`, owner)).body.code).toBe('image_gone')
  })

  it('is shown to its owner only', async () => {
    await trash()
    const response = await preview()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(response.headers.get('cache-control')).toMatch(/private|no-store/)
    expect((await preview(image.id, admin)).status).toBe(404)
    expect(await inTrash(admin)).toEqual([])
    await restore([image.id])
    expect((await preview()).status).toBe(404)
  })

  it('comes back as it was, under the same addresses and with the same bytes', async () => {
    const [, before] = await original()
    const texts = { title: 'Harbour', alt: 'Boats', slug: `harbour-${image.id.replaceAll(/[^a-z]/g, '')}` }
    const shown = (await app.call('PATCH', `/api/images/${image.id}`, { ...owner, body: texts })).body
    await trash()
    expect((await original())[0]).toBe(410)
    app.moveClock(dayMs)
    const { status, body } = await restore([image.id, image.id, 'none'])
    expect([status, body.images]).toEqual([200, [shown]])
    expect(await original()).toEqual([200, before])
    expect((await app.request(`/s/${texts.slug}`, { redirect: 'manual' })).status).toBe(302)
    expect(await inTrash()).toEqual([])
    expect((await restore([image.id])).body.images).toEqual([])
  })

  it('comes back by the undo of the page too', async () => {
    await trash()
    app.moveClock(2 * limits.undoMs)
    expect((await app.call('POST', `/api/images/${image.id}/restore`, owner)).status).toBe(200)
    expect((await original())[0]).toBe(200)
  })

  it('counts towards the quota of storage until its days are over, then leaves the disk', async () => {
    await trash()
    expect(await accountOf()).toEqual({ image_count: 0, image_bytes: image.size })
    await restore([image.id])
    expect(await accountOf()).toEqual({ image_count: 1, image_bytes: image.size })
    await trash()
    app.moveClock(limits.trashDays * dayMs - 60_000)
    await sweepExpired(app.deps)
    await sweepOrphans(app.deps, app.deps.now())
    expect(await app.files('originals')).toContain(image.id)
    app.moveClock(120_000)
    await logInAgain()
    expect(await inTrash()).toEqual([])
    expect((await restore([image.id])).body.images).toEqual([])
    await sweepExpired(app.deps)
    expect(await app.files('originals')).not.toContain(image.id)
    expect(await accountOf()).toEqual({ image_count: 0, image_bytes: 0 })
    expect((await original())[0]).toBe(410)
  })

  it('and one whose deletion can be undone for a minute come back in one request', async () => {
    const undoable = (await app.upload(bytes, owner)).body
    await app.call('DELETE', `/api/images/${undoable.id}?undo=1`, owner)
    await trash()
    expect(await accountOf()).toMatchObject({ image_count: 1 })
    const { body } = await restore([undoable.id, image.id])
    expect(new Set(idsIn(body.images))).toEqual(new Set([undoable.id, image.id]))
    expect(await accountOf()).toEqual({ image_count: 2, image_bytes: 2 * image.size })
  })

  it('does not come back where its owner has as many images as the quota says', async () => {
    const limitTo = (quotaImages: number | null) =>
      app.call('PUT', `/api/users/${owner.id}`, { ...admin, body: { quotaImages } })
    expect((await limitTo(1)).status).toBe(200)
    await trash()
    const { body: next } = await app.upload(bytes, owner)
    expect(await restore([image.id])).toMatchObject({ status: 413, body: { code: 'quota_exceeded' } })
    expect((await app.call('POST', `/api/images/${image.id}/restore`, owner)).body.code).toBe('quota_exceeded')
    expect([await inTrash(), (await accountOf()).image_count]).toEqual([[image.id], 1])
    await trash(next.id)
    expect((await restore([image.id])).status).toBe(200)
  })

  it('is gone at its expiry, which the trash never prolongs', async () => {
    const expiresAt = app.deps.now() + dayMs
    await app.deps.db.updateTable('images').set({ expires_at: expiresAt }).where('id', '=', image.id).execute()
    await trash()
    expect((await listed())[0].restorable_until).toBe(new Date(expiresAt).toISOString())
    app.moveClock(dayMs + 1)
    expect(await inTrash()).toEqual([])
    expect((await restore([image.id])).body.images).toEqual([])
    await sweepExpired(app.deps)
    expect(await app.files('originals')).not.toContain(image.id)
  })

  it('is in the statistics of admins as such', async () => {
    const before = (await app.call('GET', '/api/database/stats', admin)).body
    await trash()
    const after = (await app.call('GET', '/api/database/stats', admin)).body
    expect(after).toMatchObject({
      totalImages: before.totalImages,
      trashedImages: before.trashedImages + 1,
      trashedBytes: before.trashedBytes + image.size,
      expiredImages: before.expiredImages,
    })
  })

  it('gives up its custom link to another image of its owner, and to nobody else', async () => {
    const body = { slug: `link-${image.id.replaceAll(/[^a-z]/g, '')}` }
    const of = async (who: { token: string }) => {
      const { id } = (await app.upload(bytes, who)).body
      return app.call('PATCH', `/api/images/${id}`, { ...who, body })
    }
    await app.call('PATCH', `/api/images/${image.id}`, { ...owner, body })
    await trash()
    expect((await of(await app.newUser())).body.code).toBe('slug_taken')
    expect((await of(owner)).status).toBe(200)
    expect((await restore([image.id])).body.images[0].slug).toBeNull()
  })

  it('is neither listed nor restored nor deleted once an admin has blocked its bytes', async () => {
    const blocked = await jpeg(300, 201)
    const copy = (await app.upload(blocked, owner)).body
    const twin = (await app.upload(blocked, admin)).body
    await trash(copy.id)
    await app.call('POST', '/api/admin/images/moderate', { ...admin, body: { action: 'block', ids: [twin.id] } })
    expect(await inTrash()).toEqual([])
    expect((await restore([copy.id])).body.images).toEqual([])
    expect((await app.call('POST', `/api/images/${copy.id}/restore`, owner)).body.code).toBe('image_unavailable')
    expect((await empty()).body.images).toBe(0)
    expect(await app.files('originals')).toContain(copy.id)
  })

  it('is gone with its account', async () => {
    await trash()
    expect((await app.call('DELETE', `/api/users/${owner.id}`, admin)).status).toBe(200)
    await sweepExpired(app.deps)
    expect(await app.files('originals')).not.toContain(image.id)
  })
})

describe('deleting for good', () => {
  it('removes the given images from the disk, of the own trash only', async () => {
    const other = (await app.upload(bytes, owner)).body
    const living = (await app.upload(bytes, owner)).body
    await Promise.all([trash(image.id), trash(other.id)])
    expect((await deleteForGood([image.id], admin)).body.images).toBe(0)
    expect((await deleteForGood([image.id, living.id, 'none'])).body).toEqual({
      success: true,
      images: 1,
      bytes: image.size,
    })
    expect(await inTrash()).toEqual([other.id])
    const files = await app.files('originals')
    expect([image, other, living].map(({ id }) => files.includes(id))).toEqual([false, true, true])
    expect((await original())[0]).toBe(410)
    expect((await original(living))[0]).toBe(200)
    expect((await restore([image.id])).body.images).toEqual([])
  })

  it('of everything empties the trash, and frees the quota', async () => {
    const images = [image]
    for (let n = 0; n < 3; n++) images.push((await app.upload(bytes, owner)).body)
    for (const { id } of images.slice(1)) await trash(id)
    const sizes = images.slice(1).map(({ size }) => size)
    const freed = sizes.reduce((sum, size) => sum + size, 0)
    expect((await empty()).body).toEqual({ success: true, images: 3, bytes: freed })
    expect(await inTrash()).toEqual([])
    expect(await accountOf()).toEqual({ image_count: 1, image_bytes: image.size })
    expect((await empty()).body).toEqual({ success: true, images: 0, bytes: 0 })
    expect((await original())[0]).toBe(200)
  })

  it('of more than are ended at once leaves none, and audits what it ended', async () => {
    const count = 4100
    await trash()
    const row = await app.deps.db.selectFrom('images').selectAll().where('id', '=', image.id).executeTakeFirstOrThrow()
    const copies = Array.from({ length: count - 1 }, (_, n) => `${owner.id.slice(0, 12)}-copy-${n}`)
    for (let at = 0; at < copies.length; at += 500) {
      const rows = copies.slice(at, at + 500).map((id) => ({ ...row, id, file_name: `${id}.jpg` }))
      await app.deps.db.insertInto('images').values(rows).execute()
    }
    expect((await empty()).body).toMatchObject({ images: count, bytes: count * image.size })
    expect(await inTrash()).toEqual([])
    const entries = app.deps.db.selectFrom('audit_log').select('details').where('actor', '=', owner.id)
    const details = await entries.where('action', '=', 'trash_emptied').execute()
    const counts = details.map((entry) => (JSON.parse(entry.details) as { images: number }).images)
    expect(counts.reduce((sum, images) => sum + images, 0)).toBe(count)
    await sweepExpired(app.deps)
    expect(await app.deps.db.selectFrom('images').select('id').where('owner_id', '=', owner.id).execute()).toEqual([])
  })

  it.each([
    ['restoring', (ids: string[]) => restore(ids)],
    ['deleting', (ids: string[]) => deleteForGood(ids)],
    ['emptying', () => empty()],
  ] as const)(
    'and %s lock the images in one order, so that two requests cannot wait for each other',
    { skip: inject('postgresUrl') === undefined },
    async (_, work) => {
      const { db } = app.deps
      const [first = '', second = ''] = [image.id, (await app.upload(bytes, owner)).body.id as string].toSorted()
      // In the table, the rows are the other way round.
      for (const id of [second, first]) await trash(id)
      const lock = (id: string, transaction: typeof db) =>
        sql`select id from images where id = ${id} for update nowait`.execute(transaction)
      const waiting = async () => {
        const { rows } = await sql<{ n: number }>`
          select count(*) as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        return Number(rows[0]?.n)
      }
      const response = await db.transaction().execute(async (transaction) => {
        await lock(first, transaction)
        const running = work([second, first])
        await expect.poll(waiting).toBe(1)
        // It waits for the first, and has not locked the second.
        await lock(second, transaction)
        return { running }
      })
      expect((await response.running).status).toBe(200)
    },
  )

  it('and restoring at the same time end in one consistent state', async () => {
    for (let round = 0; round < 6; round++) {
      const { body: going } = await app.upload(bytes, owner)
      await trash(going.id)
      const [restored, deleted] = await Promise.all([
        restore([going.id]),
        round % 2 === 0 ? empty() : deleteForGood([going.id]),
      ])
      expect(restored.body.images.length + deleted.body.images).toBe(1)
      expect((await original(going))[0]).toBe(restored.body.images.length === 1 ? 200 : 410)
      expect((await app.files('originals')).includes(going.id)).toBe(restored.body.images.length === 1)
    }
  })
})

describe('what does not go to the trash', () => {
  it.each([
    ['deleted without a word', (id: string) => app.call('DELETE', `/api/images/${id}`, owner)],
    ['deleted with undo only', (id: string) => app.call('DELETE', `/api/images/${id}?undo=1`, owner)],
    ['deleted by an admin', (id: string) => app.call('DELETE', `/api/images/${id}?trash=1`, admin)],
    ['deleted by its link', () => app.request(new URL(image.delete_url ?? '').pathname, { method: 'POST' })],
    [
      'removed by an admin',
      (id: string) =>
        app.call('POST', '/api/admin/images/moderate', { ...admin, body: { action: 'remove', ids: [id] } }),
    ],
  ])('is an image %s', async (_, act) => {
    expect((await act(image.id)).status).toBeLessThan(400)
    expect((await original())[0]).toBe(410)
    expect(await inTrash()).toEqual([])
    app.moveClock(limits.undoMs + 1)
    await sweepExpired(app.deps)
    expect(await app.files('originals')).not.toContain(image.id)
  })

  it("is a guest's image, whose deletion can be undone for a minute", async () => {
    const { id, delete_token: guestToken } = await app.guestImage(bytes)
    expect((await trash(id, { guestToken })).status).toBe(200)
    expect((await app.call('POST', `/api/images/${id}/restore`, { guestToken })).status).toBe(200)
    await trash(id, { guestToken })
    app.moveClock(limits.undoMs + 1)
    await sweepExpired(app.deps)
    expect(await app.files('originals')).not.toContain(id)
  })
})

it('pages through a large trash', async () => {
  for (let n = 0; n < 4; n++) await trash((await app.upload(bytes, owner)).body.id)
  const found: string[] = []
  let path: string | undefined = '/api/trash?limit=2'
  while (path !== undefined) {
    const { body, headers } = await app.call('GET', path, owner)
    expect(headers.get('x-total-count')).toBe('4')
    found.push(...idsIn(body))
    const next: string | undefined = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
    path = next === undefined ? undefined : new URL(next).pathname + new URL(next).search
  }
  expect(new Set(found).size).toBe(4)
})

it('deletes as before there was a trash where TRASH_DAYS is 0', async () => {
  const plain = await startTestApp({ TRASH_DAYS: '0' })
  try {
    const user = await plain.newUser()
    const { body } = await plain.upload(bytes, user)
    await plain.call('DELETE', `/api/images/${body.id}?trash=1`, user)
    expect((await plain.call('GET', '/api/trash', user)).body).toEqual([])
    expect((await plain.call('GET', '/api/limits')).body.user.trashDays).toBe(0)
    expect((await plain.call('POST', `/api/images/${body.id}/restore`, user)).status).toBe(200)
    await plain.call('DELETE', `/api/images/${body.id}?trash=1`, user)
    plain.moveClock(limits.undoMs + 1)
    await sweepExpired(plain.deps)
    expect(await plain.files('originals')).not.toContain(body.id)
  } finally {
    await plain.stop()
  }
})
