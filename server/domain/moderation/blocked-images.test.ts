// Blocked images through the API: refused by their bytes, quarantined by their looks.
import { createHash } from 'node:crypto'
import type { Sharp } from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BlockedImage } from '../../../contract/endpoints/blocklists.ts'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { moderationLimits } from '../../../contract/plain/moderation-limits.ts'
import type { ModeratedImage } from '../../../contract/endpoints/moderation.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg, phonePhotograph, shapes } from '../../testing/test-images.ts'
import { promote } from '../accounts/operator-accounts.ts'

let app: TestApp
let admin: { token: string }
let adminEmail: string
let user: { token: string }
beforeAll(async () => {
  app = await startTestApp()
  user = await app.newUser()
  const { email } = await app.newUser()
  adminEmail = email
  await promote(app.deps, email)
  admin = (await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).body
})
beforeEach(() => app.deps.db.deleteFrom('blocked_images').execute())
afterAll(() => app.stop())

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const block = (images: string[], more: object = {}) =>
  app.call('POST', '/api/admin/blocked-images', { ...admin, body: { images, ...more } })
const unblock = (sha256: string[]) => app.call('DELETE', '/api/admin/blocked-images', { ...admin, body: { sha256 } })
const moderate = (action: string, ids: string[]) =>
  app.call('POST', '/api/admin/images/moderate', { ...admin, body: { action, ids } })

async function list(query: Record<string, string> = {}) {
  const { status, body, headers } = await app.call(
    'GET',
    `/api/admin/blocked-images?${new URLSearchParams(query).toString()}`,
    admin,
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return {
    images: body as BlockedImage[],
    total: Number(headers.get('x-total-count')),
    link: headers.get('link'),
  }
}
const moderated = async (id: string): Promise<ModeratedImage> =>
  (await app.call('GET', `/api/admin/images?q=${id}`, admin)).body[0]

let seed = 100
/** A picture like no other one. */
const newImage = () => shapes(seed++)

/** Blocks a stored image by its id. */
async function blockImage(picture: Sharp): Promise<{ id: string; sha256: string }> {
  const { id } = await app.guestImage(await picture.png().toBuffer())
  expect((await block([id])).status).toBe(201)
  return { id, sha256: (await moderated(id)).sha256 }
}

describe('the bytes of a blocked image', () => {
  it('are refused for guests and users, as received and as stored, and nothing is left of the upload', async () => {
    const received = await phonePhotograph()
    const { id } = await app.guestImage(received)
    const { sha256 } = await moderated(id)
    expect(sha256, 'the metadata was removed').not.toBe(digestOf(received))
    const stored = Buffer.from(await (await app.request((await moderated(id)).url)).arrayBuffer())
    const rows = async () => (await app.deps.db.selectFrom('images').select('id').execute()).length
    const before = await rows()
    for (const digest of [sha256, digestOf(received).toUpperCase()]) {
      expect((await block([digest])).body).toMatchObject({ added: 1, notFound: [] })
      for (const token of [undefined, user.token]) {
        const refused = await app.upload(received, { token })
        expect([refused.status, refused.body]).toMatchObject([
          403,
          { error: 'This image is not accepted here', code: 'image_blocked' },
        ])
      }
      const isStoredRefused = digest === sha256 ? 403 : 201
      expect((await app.upload(stored)).status).toBe(isStoredRefused)
      await unblock([digest])
    }
    // The folder of an upload is removed after its response.
    await expect.poll(() => app.files('tmp')).toEqual([])
    expect(await rows()).toBe(before + 1)
  })

  it('are refused before they are decoded', async () => {
    const broken = Buffer.from('neither an image nor base64!')
    expect((await app.upload(broken)).body.code).toBe('unsupported_type')
    await block([digestOf(broken)])
    expect((await app.upload(broken)).body.code).toBe('image_blocked')
  })

  it('are refused with one entry of the audit log an hour, and each counts in the metrics', async () => {
    const picture = await newImage().png().toBuffer()
    await block([digestOf(picture)])
    const entries = async () =>
      (await app.deps.db.selectFrom('audit_log').select('id').where('action', '=', 'refused_by_block').execute()).length
    const counted = async () =>
      Number(
        /image_host_block_refusals_total\{code="image_blocked"\} (\d+)/.exec(
          await (await app.request('/metrics')).text(),
        )?.[1],
      )
    app.moveClock(accountLimits.blockRefusalEntries.perAddress.windowMs)
    const [before, countedBefore] = [await entries(), (await counted()) || 0]
    for (let n = 0; n < 3; n++) expect((await app.upload(picture)).status).toBe(403)
    expect([(await entries()) - before, (await counted()) - countedBefore]).toEqual([1, 3])
    app.moveClock(accountLimits.blockRefusalEntries.perAddress.windowMs)
    await app.upload(picture)
    expect((await entries()) - before).toBe(2)
  })

  it('are refused when they are blocked while their upload is being stored', async () => {
    const picture = await newImage().png().toBuffer()
    const { id } = await app.guestImage(picture)
    const { sha256 } = await moderated(id)
    const { blobs } = app.deps
    const put = blobs.put.bind(blobs)
    const spy = vi.spyOn(blobs, 'put').mockImplementationOnce(async (...given) => {
      expect((await block([sha256])).status).toBe(201)
      await put(...given)
    })
    const rows = () => app.deps.db.selectFrom('images').select('id').where('sha256', '=', sha256).execute()
    expect(await app.upload(picture)).toMatchObject({ status: 403, body: { code: 'image_blocked' } })
    expect(await rows()).toEqual([{ id }])
    spy.mockRestore()
  })

  it('are not restored by the owner who deleted them before', async () => {
    const picture = await newImage().png().toBuffer()
    const { id, url } = (await app.upload(picture, user)).body
    const { sha256 } = await moderated(id)
    expect((await app.call('DELETE', `/api/images/${id}?undo=1`, user)).status).toBe(200)
    expect((await block([sha256])).status).toBe(201)
    expect((await app.call('POST', `/api/images/${id}/restore`, user)).status).toBe(451)
    expect((await app.request(url)).status).toBe(410)
  })

  it('can be uploaded again when the block is removed', async () => {
    const bytes = await newImage().png().toBuffer()
    await block([digestOf(bytes)])
    expect((await app.upload(bytes)).status).toBe(403)
    expect((await unblock([digestOf(bytes)])).body).toEqual({ success: true, removed: 1 })
    expect((await app.upload(bytes)).body).toMatchObject({ quarantined: false })
  })
})

describe('an upload that looks like a blocked image', () => {
  it.each<[string, (picture: Sharp) => Sharp]>([
    ['WebP', (picture) => picture.webp({ quality: 80 })],
    ['JPEG of quality 40', (picture) => picture.jpeg({ quality: 40 })],
    ['half the size', (picture) => picture.resize(180).png()],
    ['a mirrored copy', (picture) => picture.flop().png()],
    ['a copy turned by 90 degrees', (picture) => picture.rotate(90).png()],
    ['a turned and mirrored copy', (picture) => picture.rotate(270).flop().png()],
  ])('as %s is stored and quarantined, for guests and users', async (_, change) => {
    const number = seed
    const { sha256 } = await blockImage(newImage())
    const bytes = await change(shapes(number)).toBuffer()
    for (const token of [undefined, user.token]) {
      const { status, body } = await app.upload(bytes, { token })
      expect([status, body.quarantined]).toEqual([201, true])
      expect((await app.request(`/uploads/${body.file_name}`)).status).toBe(451)
      const image = await moderated(body.id)
      expect(image).toMatchObject({ resembles: sha256, quarantined_at: expect.stringMatching(/Z$/) })
      expect(app.logged).toContainEqual(
        expect.objectContaining({ msg: 'upload quarantined', image: body.id, resembles: sha256 }),
      )
      await moderate('restore', [body.id])
      expect((await app.request(`/uploads/${body.file_name}`)).status).toBe(200)
    }
  })

  it('is shown when it is too blank to be compared, or looks different', async () => {
    const blank = (background: string) =>
      shapes(0).composite([{ input: { create: { width: 360, height: 240, channels: 3, background } } }])
    await blockImage(blank('#369'))
    expect((await list()).images[0]).toMatchObject({ phash: null })
    expect((await app.upload(await blank('#396').png().toBuffer())).body.quarantined).toBe(false)
    await blockImage(newImage())
    expect((await app.upload(await newImage().png().toBuffer())).body.quarantined).toBe(false)
  })

  it('is shown again after the block was removed, and resembles the block that is left', async () => {
    const number = seed
    const first = await blockImage(newImage())
    const copy = () => shapes(number).webp({ quality: 70 }).toBuffer()
    expect((await app.upload(await copy())).body.quarantined).toBe(true)
    await unblock([first.sha256])
    expect((await app.upload(await copy())).body.quarantined).toBe(false)
    const { id } = await app.guestImage(await shapes(number).jpeg({ quality: 60 }).toBuffer())
    await block([id])
    const again = await app.upload(await copy())
    expect(again.body.quarantined).toBe(true)
    expect((await moderated(again.body.id)).resembles).toBe((await moderated(id)).sha256)
  })

  it('is found among many blocks that were added since the last upload', async () => {
    // As a transaction of another server would write them.
    const version = 1000
    const setting = { name: 'blocked_images_version', value: `${version}` }
    await app.deps.db.deleteFrom('settings').where('name', '=', setting.name).execute()
    await app.deps.db.insertInto('settings').values(setting).execute()
    const row = (n: number) => ({
      sha256: digestOf(Buffer.from(`${n}`)),
      phash: digestOf(Buffer.from(`hash ${n}`)).slice(0, 16),
      quality: 100,
      reason: '',
      created_at: 1,
      created_by: null,
      version,
    })
    for (let at = 0; at < 12_000; at += 4000) {
      const rows = Array.from({ length: 4000 }, (_, n) => row(at + n))
      await app.deps.db.insertInto('blocked_images').values(rows).execute()
    }
    const number = seed
    const { sha256 } = await blockImage(newImage())
    const { body } = await app.upload(await shapes(number).webp().toBuffer())
    expect((await moderated(body.id)).resembles).toBe(sha256)
  })

  it('is quarantined after "remove and block" of the image, whose hash stays known', async () => {
    const number = seed
    const { id } = await app.guestImage(await newImage().png().toBuffer())
    const { sha256 } = await moderated(id)
    await moderate('block', [id])
    expect((await list()).images).toEqual([
      expect.objectContaining({ sha256, phash: expect.stringMatching(/^[\da-f]{16}$/), created_by: adminEmail }),
    ])
    const { body } = await app.upload(await shapes(number).webp().toBuffer())
    expect(body.quarantined).toBe(true)

    const upload = async () => app.upload(await shapes(number).png().toBuffer())
    expect((await upload()).body.code).toBe('image_blocked')
    expect((await unblock([sha256])).body).toEqual({ success: true, removed: 1 })
    expect((await upload()).body.quarantined).toBe(false)
  })

  it('is shown when the blocked image is from before there were hashes', async () => {
    const number = seed
    const { id } = await app.guestImage(await newImage().png().toBuffer())
    await app.deps.db.updateTable('images').set({ phash: null, phash_quality: null }).where('id', '=', id).execute()
    await block([id])
    expect((await list()).images[0]).toMatchObject({ phash: null })
    expect((await app.upload(await shapes(number).webp().toBuffer())).body.quarantined).toBe(false)
  })
})

describe('blockImages', () => {
  it('takes ids, file names, URLs and digests, quarantines what is stored and names what it does not know', async () => {
    const pictures = await Promise.all([1, 2, 3].map(() => newImage().png().toBuffer()))
    const images = await Promise.all(pictures.map((bytes) => app.guestImage(bytes)))
    const [one, two, three] = images.map(({ id }) => id)
    const copy = await app.guestImage(pictures[0] ?? Buffer.of())
    const given = [one, images[1]?.file_name, images[2]?.thumbnailUrl, 'a'.repeat(64), 'unknown', 'x'.repeat(22)]
    const { status, body } = await block(given as string[], { reason: ' Spam ' })
    expect([status, body]).toEqual([
      201,
      { success: true, added: 4, quarantined: 4, notFound: ['unknown', 'x'.repeat(22)] },
    ])
    for (const id of [one, two, three, copy.id]) expect((await moderated(id ?? '')).quarantined_at).not.toBe(null)
    const { images: blocked, total } = await list()
    expect(total).toBe(4)
    for (const image of blocked) expect(image).toMatchObject({ reason: 'Spam', created_by: adminEmail })
    expect((await block([one ?? '', one ?? ''])).body).toMatchObject({ added: 0, quarantined: 0 })
  })

  it.each([
    [{ images: [] }, 'images'],
    [{ images: [' '] }, 'images.0'],
    [{ images: ['x'.repeat(moderationLimits.maxSearchLength + 1)] }, 'images.0'],
    [{ images: Array.from({ length: moderationLimits.maxBlocks + 1 }, String) }, 'images'],
    [{ images: ['a'], reason: 'x'.repeat(moderationLimits.maxReasonLength + 1) }, 'reason'],
    [{ images: ['a'], other: 1 }, 'other'],
  ])('refuses %j', async (body, field) => {
    const answer = await app.call('POST', '/api/admin/blocked-images', { ...admin, body })
    expect([answer.status, answer.body.error.split(':')[0]]).toEqual([400, field])
  })

  it('accepts as many images as a request may have', async () => {
    const digests = Array.from({ length: moderationLimits.maxBlocks }, (_, n) => digestOf(Buffer.from(`${n}`)))
    expect((await block(digests)).body.added).toBe(digests.length)
    expect((await unblock(digests)).body.removed).toBe(digests.length)
  })
})

describe('listBlockedImages', () => {
  it('lists the newest first, in pages', async () => {
    for (const letter of ['a', 'b', 'c']) {
      await block([letter.repeat(64)])
      app.moveClock(1)
    }
    const first = await list({ limit: '2' })
    expect([first.images.map(({ sha256 }) => sha256[0]), first.total]).toEqual([['c', 'b'], 3])
    const next = new URL(/<([^>]+)>/.exec(first.link ?? '')?.[1] ?? '')
    const second = await list(Object.fromEntries(next.searchParams))
    expect([second.images.map(({ sha256 }) => sha256[0]), second.link]).toEqual([['a'], null])
  })

  it.each([
    ['AAAA', ['a']],
    ['a'.repeat(64), ['a']],
    ['spam', ['a', 'b']],
    ['100_%', ['b']],
    ['f'.repeat(64), []],
    ['aaab', []],
  ])('finds %j', async (q, expected) => {
    await block(['a'.repeat(64)], { reason: 'Spam' })
    await block(['b'.repeat(64)], { reason: '100_% spam' })
    const { images, total } = await list({ q })
    expect(new Set(images.map(({ sha256 }) => sha256[0]))).toEqual(new Set(expected))
    expect(total).toBe(expected.length)
  })
})

it('an upload is not compared with anything while no image is blocked', async () => {
  expect((await app.upload(await jpeg())).body).toMatchObject({ quarantined: false })
  expect(await app.deps.similarImages.find(app.deps.db, Array<string>(8).fill('0'.repeat(16)), 100)).toBe(null)
})
