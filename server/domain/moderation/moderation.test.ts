// Moderation through the API: who sees which image before and after a decision, and what admins find.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { moderationLimits } from '../../../contract/plain/moderation-limits.ts'
import type { ModeratedImage } from '../../../contract/endpoints/moderation.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { promote } from '../accounts/operator-accounts.ts'

let app: TestApp
let bytes: Buffer
let admin: { token: string }
let owner: { token: string; id: string; email: string }
beforeAll(async () => {
  app = await startTestApp()
  bytes = await jpeg(300, 200)
  owner = await app.newUser('owner@example.com')
  const { email } = await app.newUser()
  await promote(app.deps, email)
  admin = (await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).body
})
afterAll(() => app.stop())

let sizePx = 100
/** Bytes that no other image has. */
const newBytes = () => jpeg(sizePx++, 60)

const upload = async (name = 'picture.jpg', of: Buffer = bytes): Promise<UploadedImage> =>
  (await app.upload(of, { token: owner.token, name })).body
const moderate = (action: string, ids: string[], more: object = {}) =>
  app.call('POST', '/api/admin/images/moderate', { ...admin, body: { action, ids, ...more } })
const setStatus = (status: string) => app.call('PUT', `/api/users/${owner.id}`, { ...admin, body: { status } })
const logIn = async () => {
  const body = { email: owner.email, password: 'secret-1' }
  owner.token = (await app.call('POST', '/api/login', { body })).body.token
}

async function list(query: Record<string, string>) {
  const { status, body, headers } = await app.call(
    'GET',
    `/api/admin/images?${new URLSearchParams(query).toString()}`,
    admin,
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return { images: body as ModeratedImage[], total: Number(headers.get('x-total-count')), link: headers.get('link') }
}
const idsIn = async (query: Record<string, string>) => (await list(query)).images.map(({ id }) => id)

/** Everything that shows an image or facts about it. */
const reads = ({ id, file_name }: UploadedImage) => [
  `/uploads/${file_name}`,
  `/api/thumbnail/${id}/400`,
  `/api/resize/${id}/100`,
  `/api/resize/${id}/100/100`,
  `/api/jpeg/${id}/100`,
  `/api/webp/${id}/80`,
  `/api/analyze/${id}`,
]
const statuses = async (image: UploadedImage) =>
  new Set(await Promise.all(reads(image).map(async (path) => (await app.request(path)).status)))

describe('a quarantined image', () => {
  it('responds 451 at every URL, uncached, until it is restored', async () => {
    const image = await app.guestImage(bytes)
    expect(await statuses(image)).toEqual(new Set([200]))
    expect((await moderate('quarantine', [image.id])).body).toEqual({ success: true, images: 1, copies: 0 })
    expect(await statuses(image)).toEqual(new Set([451]))
    const { status, body, headers } = await app.call('GET', `/uploads/${image.file_name}`)
    expect([status, body]).toEqual([451, { error: 'This image is not available', code: 'image_unavailable' }])
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await moderate('restore', [image.id])).body).toMatchObject({ images: 1 })
    expect(await statuses(image)).toEqual(new Set([200]))
  })

  it.each([
    ['GET', ''],
    ['DELETE', ''],
    ['DELETE', '?undo=1'],
    ['POST', '/restore'],
    ['POST', '/extend-expiration'],
  ])('responds 451 to %s /api/images/{id}%s of owner, guest and admin', async (method, suffix) => {
    const image = await upload()
    const guests = await app.guestImage(bytes)
    await moderate('quarantine', [image.id, guests.id])
    const calls = [
      [image.id, owner],
      [image.id, admin],
      [guests.id, { guestToken: guests.delete_token }],
    ] as const
    for (const [id, credential] of calls) {
      const { status, body } = await app.call(method, `/api/images/${id}${suffix}`, credential)
      expect([status, body.code]).toEqual([451, 'image_unavailable'])
    }
    await moderate('restore', [image.id, guests.id])
    expect(await statuses(image)).toEqual(new Set([200]))
  })

  it('is neither listed, counted nor outlined for its owner', async () => {
    const user = await app.newUser()
    const images = []
    for (let n = 0; n < 3; n++) images.push((await app.upload(bytes, user)).body)
    await moderate('quarantine', [images[1].id])
    const seen = async () => {
      const { body, headers } = await app.call('GET', '/api/images', user)
      const outline = await app.call('GET', '/api/images/outline', user)
      return [body.length, headers.get('x-total-count'), outline.body.ratios.length]
    }
    expect(await seen()).toEqual([2, '2', 2])
    await moderate('restore', [images[1].id])
    expect(await seen()).toEqual([3, '3', 3])
  })

  it('cannot be claimed by an account', async () => {
    const user = await app.newUser()
    const image = await app.guestImage(bytes)
    await moderate('quarantine', [image.id])
    const claim = { images: [{ id: image.id, token: image.delete_token }] }
    expect((await app.call('POST', '/api/images/claim', { ...user, body: claim })).body.images).toEqual([])
    await moderate('restore', [image.id])
    expect((await app.call('POST', '/api/images/claim', { ...user, body: claim })).body.images).toHaveLength(1)
  })

  it('responds 410 when it has expired', async () => {
    const image = await app.guestImage(bytes)
    await moderate('quarantine', [image.id])
    await app.deps.db.updateTable('images').set({ expires_at: 1000 }).where('id', '=', image.id).execute()
    expect(await statuses(image)).toEqual(new Set([410]))
  })
})

describe('images of a suspended user', () => {
  it('respond 451 until the user is active again, while images of others are served', async () => {
    const image = await upload()
    const guests = await app.guestImage(bytes)
    expect(await statuses(image)).toEqual(new Set([200]))
    expect((await setStatus('Inactive')).status).toBe(200)
    expect(await statuses(image)).toEqual(new Set([451]))
    expect(await statuses(guests)).toEqual(new Set([200]))
    const [listed] = (await list({ q: image.id })).images
    expect(listed).toMatchObject({ owner: { email: owner.email, status: 'Inactive' }, quarantined_at: null })
    await setStatus('Active')
    expect(await statuses(image)).toEqual(new Set([200]))
    await logIn()
  })

  it('stay quarantined when the user is active again', async () => {
    const image = await upload()
    await moderate('quarantine', [image.id])
    await setStatus('Inactive')
    await setStatus('Active')
    expect(await statuses(image)).toEqual(new Set([451]))
    await logIn()
  })
})

describe('previewImage', () => {
  it('shows admins a quarantined image of a suspended user, and nothing caches the response', async () => {
    const image = await upload()
    await moderate('quarantine', [image.id])
    await setStatus('Inactive')
    const path = `/api/admin/images/${image.id}/preview`
    for (let n = 0; n < 3; n++) {
      const response = await app.request(path, { headers: { authorization: `Bearer ${admin.token}` } })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('image/webp')
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      // A hot response would not ask who calls.
      expect((await app.request(path)).status).toBe(401)
    }
    await setStatus('Active')
    await logIn()
  })

  it('responds 404 for an unknown image and 410 for a removed one', async () => {
    const image = await app.guestImage(bytes)
    await moderate('remove', [image.id])
    for (const [id, status] of [
      ['none', 404],
      [image.id, 410],
    ] as const)
      expect((await app.call('GET', `/api/admin/images/${id}/preview`, admin)).status).toBe(status)
  })

  it('is served on the host of the page, not on that of MEDIA_ORIGIN', async () => {
    const environment = { PUBLIC_URL: 'https://img.example.com', MEDIA_ORIGIN: 'https://media.example.com' }
    const behind = await startTestApp(environment)
    try {
      expect((await behind.request('/api/admin/images/none/preview')).status).toBe(401)
    } finally {
      await behind.stop()
    }
  })
})

describe('listAllImages', () => {
  it('lists the images of everyone in pages, newest first, with owner, state and digest', async () => {
    const mine = await upload('mine.jpg')
    app.moveClock(1)
    const guests = await app.guestImage(bytes, 'guests.jpg')
    await moderate('quarantine', [mine.id])
    const first = await list({ limit: '1' })
    expect(first.images).toEqual([expect.objectContaining({ id: guests.id, owner: null, quarantined_at: null })])
    const next = new URL(/<([^>]+)>/.exec(first.link ?? '')?.[1] ?? '')
    const second = await list(Object.fromEntries(next.searchParams))
    expect(second.total).toBe(first.total)
    expect(second.images).toEqual([
      expect.objectContaining({
        id: mine.id,
        owner: { id: owner.id, email: owner.email, status: 'Active' },
        quarantined_at: expect.stringMatching(/^\d{4}-.+Z$/),
      }),
    ])
    const original = await app.request(`/uploads/${guests.file_name}`)
    const digest = createHash('sha256').update(Buffer.from(await original.arrayBuffer()))
    expect(first.images[0]?.sha256).toBe(digest.digest('hex'))
  })

  it('counts images that are stored and not expired, also quarantined ones', async () => {
    const before = (await list({})).total
    const [one, two] = [await app.guestImage(bytes), await upload()]
    await moderate('quarantine', [one.id])
    expect((await list({})).total).toBe(before + 2)
    await app.deps.db.updateTable('images').set({ expires_at: 1000 }).where('id', '=', two.id).execute()
    expect((await list({})).total).toBe(before + 1)
  })

  it.each([
    ['id', (image: ModeratedImage) => image.id],
    ['file name', (image: ModeratedImage) => image.file_name],
    ['URL', (image: ModeratedImage) => image.url],
    ['URL of a variant', (image: ModeratedImage) => `${image.thumbnailUrl}?a=b#c`],
    ['URL on a host with a long name', ({ id }: ModeratedImage) => `https://a-host-with-a-long-name.example/x/${id}/9`],
    ['digest', (image: ModeratedImage) => image.sha256],
    ['digest in capitals', (image: ModeratedImage) => image.sha256.toUpperCase()],
    ['name', () => 'ünique_100%.JPG'],
    ['part of the name', () => ' QUE_100% '],
  ])('finds an image by its %s', async (_, textOf) => {
    const { id } = await upload('Ünique_100%.jpg', await newBytes())
    const [image] = (await list({ q: id })).images
    if (!image) throw new Error('The image is not listed')
    const found = await list({ q: textOf(image) })
    expect(found.images.map((one) => one.id)).toContain(id)
    expect(found.total).toBe(found.images.length)
    await moderate('remove', [id])
  })

  it('finds all images of an owner by the email, also quarantined ones', async () => {
    const user = await app.newUser('Icon@2x.example')
    const own = [(await app.upload(bytes, user)).body.id, (await app.upload(bytes, user)).body.id]
    await moderate('quarantine', own.slice(1))
    const { images, total } = await list({ q: 'ICON@2x.example' })
    expect([images.map(({ id }) => id).toSorted(), total]).toEqual([(own as string[]).toSorted(), 2])
    expect(await idsIn({ q: user.email, status: 'quarantined' })).toEqual(own.slice(1))
  })

  it('finds all images that were uploaded from an address by its hash', async () => {
    const [one, two, other] = [await upload(), await upload(), await upload()]
    const address_hash = 'b'.repeat(64)
    await app.deps.db.updateTable('images').set({ address_hash }).where('id', 'in', [one.id, two.id]).execute()
    expect((await idsIn({ q: address_hash.toUpperCase() })).toSorted()).toEqual([one.id, two.id].toSorted())
    await moderate('remove', [one.id, two.id, other.id])
  })

  it('looks for names that look like an email, a digest or an id when no such thing exists', async () => {
    for (const name of ['icon@3x.png', 'A'.repeat(22), 'f'.repeat(22)]) {
      const { id } = await upload(`${name}.jpg`)
      expect(await idsIn({ q: name })).toEqual([id])
    }
  })

  it('lists only quarantined images on request', async () => {
    const [one, two] = [await upload(), await upload()]
    await moderate('quarantine', [one.id])
    const { images, total } = await list({ status: 'quarantined', limit: '200' })
    const ids = images.map(({ id }) => id)
    expect([ids.includes(one.id), ids.includes(two.id), total]).toEqual([true, false, ids.length])
  })

  it.each([
    ['cursor=x', 'cursor'],
    ['limit=0', 'limit'],
    ['status=other', 'status'],
    ['sort=name', 'sort'],
    [`q=${'x'.repeat(moderationLimits.maxSearchLength + 1)}`, 'q'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await app.call('GET', `/api/admin/images?${query}`, admin)
    expect([status, body.code, body.error.split(':')[0]]).toEqual([400, 'invalid_input', field])
  })
})

describe('moderateImages', () => {
  it('counts images that it changed, and skips unknown, deleted and unchanged ones', async () => {
    const [one, gone] = [await app.guestImage(bytes), await app.guestImage(bytes)]
    await moderate('remove', [gone.id])
    const ids = [one.id, one.id, gone.id, 'unknown']
    const changed = async (action: string) => (await moderate(action, ids)).body.images
    expect(await changed('restore')).toBe(0)
    expect(await changed('quarantine')).toBe(1)
    expect(await changed('quarantine')).toBe(0)
    expect(await changed('restore')).toBe(1)
    expect(await changed('remove')).toBe(1)
    expect(await changed('remove')).toBe(0)
    expect(await statuses(one)).toEqual(new Set([410]))
  })

  it('removes images of several owners with their bytes, and counts them for their owners', async () => {
    const user = await app.newUser()
    const own = (await app.upload(bytes, user)).body
    const guests = await app.guestImage(bytes)
    expect((await moderate('remove', [own.id, guests.id])).body.images).toBe(2)
    const account = await app.call('GET', '/api/me', user)
    expect(account.body.user).toMatchObject({ imageCount: 0, imageBytes: 0 })
    const files = [...(await app.files('originals')), ...(await app.files('variants'))]
    expect(files.filter((name) => name.includes(own.id) || name.includes(guests.id))).toEqual([])
  })

  it('blocks bytes: refuses them at upload, removes the image and quarantines its copies', async () => {
    const unwanted = await newBytes()
    const [chosen, copy, other] = [await upload('a.jpg', unwanted), await app.guestImage(unwanted), await upload()]
    const { status, body } = await moderate('block', [chosen.id], { reason: ' Spam ' })
    expect([status, body]).toEqual([200, { success: true, images: 1, copies: 1 }])
    expect(await statuses(chosen)).toEqual(new Set([410]))
    expect(await statuses(copy)).toEqual(new Set([451]))
    expect(await statuses(other)).toEqual(new Set([200]))
    const [listed] = (await list({ q: copy.id })).images
    const blocked = await app.deps.db.selectFrom('blocked_images').selectAll().execute()
    expect(blocked).toEqual([
      expect.objectContaining({
        sha256: listed?.sha256,
        reason: 'Spam',
        phash: expect.stringMatching(/^[\da-f]{16}$/),
      }),
    ])

    const rowsBefore = (await list({})).total
    for (const token of [undefined, owner.token]) {
      const refused = await app.upload(unwanted, { token })
      expect([refused.status, refused.body.code]).toEqual([403, 'image_blocked'])
    }
    expect((await list({})).total).toBe(rowsBefore)
    expect((await app.upload(await newBytes(), { token: owner.token })).status).toBe(201)

    expect((await moderate('block', [copy.id])).body).toMatchObject({ images: 1, copies: 0 })
    expect(await app.deps.db.selectFrom('blocked_images').selectAll().execute()).toEqual(blocked)
  })

  it.each([
    [{ action: 'hide', ids: ['a'] }, 'action'],
    [{ action: 'remove', ids: [] }, 'ids'],
    [{ action: 'remove', ids: Array.from({ length: moderationLimits.maxIds + 1 }, String) }, 'ids'],
    [{ action: 'remove', ids: [1] }, 'ids.0'],
    [{ action: 'remove' }, 'ids'],
    [{ action: 'block', ids: ['a'], reason: 'x'.repeat(moderationLimits.maxReasonLength + 1) }, 'reason'],
    [{ action: 'block', ids: ['a'], other: 1 }, 'other'],
  ])('refuses %j', async (body, field) => {
    const answer = await app.call('POST', '/api/admin/images/moderate', { ...admin, body })
    expect([answer.status, answer.body.error.split(':')[0]]).toEqual([400, field])
  })

  it('accepts as many images as a decision may have', async () => {
    const ids = Array.from({ length: moderationLimits.maxIds }, (_, n) => `unknown-${n}`)
    for (const action of ['quarantine', 'restore', 'remove', 'block'])
      expect((await moderate(action, ids)).body).toEqual({ success: true, images: 0, copies: 0 })
  })
})
