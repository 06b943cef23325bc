// Soft deletion: final for every reader, but undoable for a short time.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { type CallOptions, startTestApp, type TestApp } from '../../../testing/app.ts'
import { jpeg } from '../../../testing/test-images.ts'
import { promote } from '../../accounts/operator-accounts.ts'
import { previewCleanup, sweepExpired } from './sweep.ts'

let app: TestApp
let bytes: Buffer
let owner: { token: string; id: string }
let other: { token: string }
let admin: { token: string }
let image: UploadedImage

beforeAll(async () => {
  app = await startTestApp()
  bytes = await jpeg(600, 400)
  other = await app.newUser()
  const { email } = await app.newUser()
  await promote(app.deps, email)
  admin = (await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).body
})
afterAll(() => app.stop())

beforeEach(async () => {
  owner = await app.newUser()
  image = (await app.upload(bytes, owner)).body
})

const hide = (options: CallOptions = owner, { id } = image) => app.call('DELETE', `/api/images/${id}?undo=1`, options)
const restore = (options: CallOptions = owner, { id } = image) => app.call('POST', `/api/images/${id}/restore`, options)
const addresses = ({ id, file_name }: UploadedImage) => [
  `/uploads/${file_name}`,
  `/api/thumbnail/${id}/400`,
  `/api/resize/${id}/300`,
  `/api/resize/${id}/100/100`,
  `/api/jpeg/${id}/200`,
  `/api/webp/${id}/80`,
  `/api/analyze/${id}`,
]
const served = async (shown = image) =>
  new Set(await Promise.all(addresses(shown).map(async (path) => (await app.request(path)).status)))
const listed = async (path: string) => {
  const { body, headers } = await app.call('GET', path, owner)
  return [body.length, headers.get('x-total-count')]
}
/** What the owner's list counts, and what is there to be counted. */
async function counts() {
  const rows = await app.deps.db.selectFrom('images').select('bytes').where('owner_id', '=', owner.id).execute()
  const account = await app.deps.db
    .selectFrom('users')
    .select(['image_count', 'image_bytes'])
    .where('id', '=', owner.id)
    .executeTakeFirstOrThrow()
  return {
    kept: [account.image_count, account.image_bytes],
    found: [rows.length, rows.reduce((sum, row) => sum + row.bytes, 0)],
  }
}

describe('an image that was deleted with undo', () => {
  it('is deleted at every URL and from every list immediately', async () => {
    await app.upload(bytes, owner)
    await served()
    expect(await hide()).toMatchObject({ status: 200, body: { success: true } })
    expect(await served()).toEqual(new Set([410]))
    for (const query of ['', '?sort=name', '?q=picture', '?type=jpeg']) {
      expect(await listed(`/api/images${query}`)).toEqual([1, '1'])
    }
    expect((await app.call('GET', '/api/images/outline', owner)).body.ratios).toHaveLength(1)
  })

  it('fails with image_gone when deleted, extended or edited', async () => {
    await hide()
    expect((await hide()).body.code).toBe('image_gone')
    expect((await app.call('DELETE', `/api/images/${image.id}`, owner)).body.code).toBe('image_gone')
    expect((await app.call('POST', `/api/images/${image.id}/extend-expiration`, owner)).body.code).toBe('image_gone')
    expect((await restore()).status).toBe(200)
  })

  it('is restored unchanged, and a second restore changes nothing', async () => {
    await hide()
    app.moveClock(limits.undoMs - 1000)
    const { status, body } = await restore()
    expect([status, { ...image, ...body }]).toEqual([200, { ...image, url: body.url, thumbnailUrl: body.thumbnailUrl }])
    expect((await restore()).body).toEqual(body)
    expect(await served()).toEqual(new Set([200]))
    expect(await listed('/api/images')).toEqual([1, '1'])
    await hide()
    expect((await restore()).status).toBe(200)
  })

  it('retains row and bytes for the undo period, then deletes both', async () => {
    // What other tests have hidden.
    app.moveClock(limits.undoMs)
    await sweepExpired(app.deps)
    await hide()
    const due = await previewCleanup(app.deps)
    await sweepExpired(app.deps)
    expect(await app.files('originals')).toContain(image.id)
    expect((await app.call('GET', '/api/database/stats', admin)).body.expiredImages).toBe(0)
    app.moveClock(limits.undoMs)
    expect((await previewCleanup(app.deps)).images).toBe(due.images + 1)
    expect((await app.call('GET', '/api/database/stats', admin)).body.expiredImages).toBe(due.images + 1)
    expect((await restore()).body.code).toBe('image_gone')
    await sweepExpired(app.deps)
    expect(await app.files('originals')).not.toContain(image.id)
    expect((await restore()).body.code).toBe('image_gone')
    expect(await served()).toEqual(new Set([410]))
    expect(await counts()).toEqual({ kept: [0, 0], found: [0, 0] })
  })

  it('does not outlive its previous expiry', async () => {
    await app.deps.db
      .updateTable('images')
      .set({ expires_at: app.deps.now() + 5000 })
      .where('id', '=', image.id)
      .execute()
    await hide()
    app.moveClock(6000)
    expect((await restore()).body.code).toBe('image_gone')
  })

  it('cannot be restored when its owner is deleted', async () => {
    await hide()
    expect((await app.call('DELETE', `/api/users/${owner.id}`, admin)).status).toBe(200)
    expect((await restore(admin)).body.code).toBe('image_gone')
    await sweepExpired(app.deps)
    expect(await app.files('originals')).not.toContain(image.id)
  })

  it('releases its Idempotency-Key for a new upload', async () => {
    const options = { ...owner, headers: { 'idempotency-key': 'once' } }
    const first = (await app.upload(bytes, options)).body
    await hide(owner, first)
    const second = (await app.upload(bytes, options)).body
    expect(second.id).not.toBe(first.id)
    expect((await restore(owner, first)).status).toBe(200)
    expect((await app.upload(bytes, options)).body.id).toBe(second.id)
  })
})

describe('restoreImage', () => {
  const ofUser: [who: string, options: () => CallOptions, status: number, code?: string][] = [
    ['nobody', () => ({}), 401, 'authentication_required'],
    ['another user', () => other, 403, 'forbidden'],
    ['its owner', () => owner, 200],
    ['an admin', () => admin, 200],
  ]
  it.each(ofUser)("of a user's image by %s", async (_, options, status, code) => {
    await hide()
    const answer = await restore(options())
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(await served()).toEqual(new Set([status === 200 ? 200 : 410]))
  })

  const ofGuest: [who: string, options: (token: string) => CallOptions, status: number, code?: string][] = [
    ['nobody', () => ({}), 401, 'guest_token_required'],
    ['a wrong token', () => ({ guestToken: 'x'.repeat(43) }), 403, 'wrong_guest_token'],
    ['another user', () => other, 403, 'forbidden'],
    ['its token', (guestToken) => ({ guestToken }), 200],
    ['its token in the body', (token) => ({ body: { token } }), 200],
  ]
  it.each(ofGuest)("of a guest's image by %s", async (_, options, status, code) => {
    const guest = await app.guestImage(bytes)
    expect((await hide({ guestToken: guest.delete_token }, guest)).status).toBe(200)
    const answer = await restore(options(guest.delete_token), guest)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it("restores what an admin deleted for admins only, not for its owner or a guest's token", async () => {
    const guest = await app.guestImage(bytes)
    const owners: [CallOptions, typeof image][] = [
      [owner, image],
      [{ guestToken: guest.delete_token }, guest],
    ]
    for (const [own, shown] of owners) {
      expect((await hide(admin, shown)).status).toBe(200)
      const refused = await restore(own, shown)
      expect([refused.status, refused.body.code]).toEqual([410, 'image_gone'])
      expect(await served(shown)).toEqual(new Set([410]))
      expect((await restore(admin, shown)).status).toBe(200)
      expect((await hide(own, shown)).status).toBe(200)
      expect((await restore(own, shown)).status).toBe(200)
    }
  })

  it("restores an admin's own image like any owner's", async () => {
    const { body: own } = await app.upload(bytes, admin)
    await hide(admin, own)
    expect((await restore(admin, own)).status).toBe(200)
  })

  it('does not restore permanently deleted images', async () => {
    await app.call('DELETE', `/api/images/${image.id}`, owner)
    expect(await app.files('originals')).not.toContain(image.id)
    expect((await restore()).body.code).toBe('image_gone')
  })
})

describe('concurrent requests', () => {
  it('delete an image once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => hide()))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410, 410, 410, 410])
    expect((await restore()).status).toBe(200)
  })

  it('restore an image completely or not at all during the sweep of a server whose clock is ahead', async () => {
    const ahead = { ...app.deps, now: () => app.deps.now() + limits.undoMs }
    for (let round = 0; round < 12; round++) {
      const { body: going } = await app.upload(bytes, owner)
      await hide(owner, going)
      const early = round % 2 === 0 ? sweepExpired(ahead) : undefined
      const [{ status }] = await Promise.all([restore(owner, going), early ?? sweepExpired(ahead)])
      expect([200, 410]).toContain(status)
      expect(await served(going)).toEqual(new Set([status]))
      expect((await app.files('originals')).includes(going.id)).toBe(status === 200)
      const { kept, found } = await counts()
      expect(kept).toEqual(found)
    }
  })

  it('deletions, restores and sweeps end in one consistent state', async () => {
    for (let round = 0; round < 6; round++) {
      const { body: going } = await app.upload(bytes, owner)
      const work = [hide, restore, hide, restore].map((act) => act(owner, going))
      const answers = await Promise.all([...work, sweepExpired(app.deps).then(() => ({ status: 200 }))])
      for (const { status } of answers) expect([200, 410]).toContain(status)
      const [status] = await served(going)
      expect(await served(going)).toEqual(new Set([status]))
      // Nothing expires early, whichever call was last.
      expect((await restore(owner, going)).status).toBe(200)
      const { kept, found } = await counts()
      expect(kept).toEqual(found)
    }
  })
})
