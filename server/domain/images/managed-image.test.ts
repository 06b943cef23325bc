import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allEndpoints } from '../../../contract/derive/all-endpoints.ts'
import { takesGuestToken } from '../../../contract/endpoints/endpoint.ts'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { type CallOptions, startTestApp, type TestApp } from '../../testing/app.ts'
import { rowsInTurn } from '../../testing/short-run.ts'
import { jpeg } from '../../testing/test-images.ts'
import { promote } from '../accounts/operator-accounts.ts'
import { sweepExpired, sweepOrphans } from './deletion/sweep.ts'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

let app: TestApp
let bytes: Buffer
let owner: { token: string; id: string }
let other: { token: string }
let admin: { token: string }
beforeAll(async () => {
  app = await startTestApp()
  bytes = await jpeg(300, 200)
  owner = await app.newUser()
  other = await app.newUser()
  const newAdmin = await app.newUser()
  await promote(app.deps, newAdmin.email)
  // A changed role ends the sessions.
  const body = { email: newAdmin.email, password: 'secret-1' }
  admin = (await app.call('POST', '/api/login', { body })).body
})
afterAll(() => app.stop())

type Case = [who: string, options: (guests: string) => object, status: number, code?: string]

interface Change {
  name: string
  with?: string
  method: string
  suffix: string
  /** Of endpoints whose body has fields: unknown ones are refused. */
  fields?: object
}

const changes: Change[] = [
  { name: 'deleteImage', method: 'DELETE', suffix: '' },
  { name: 'deleteImage', with: ' with undo', method: 'DELETE', suffix: '?undo=1' },
  { name: 'restoreImage', method: 'POST', suffix: '/restore' },
  { name: 'extendImage', method: 'POST', suffix: '/extend-expiration' },
  { name: 'updateImage', method: 'PATCH', suffix: '', fields: { title: 'Harbour' } },
  { name: 'createViewKey', method: 'POST', suffix: '/view-keys', fields: { expires_in: '1h' } },
  { name: 'endViewKeys', method: 'DELETE', suffix: '/view-keys' },
  { name: 'signVariant', method: 'POST', suffix: '/variants', fields: { w: 320 } },
]

it('all endpoints that change an image with its guest token are tested here', () => {
  const taking = allEndpoints()
    .filter(({ route, endpoint }) => !route.startsWith('GET') && takesGuestToken(endpoint, route))
    .map(({ name }) => name)
  expect(taking.sort()).toEqual([...new Set(changes.map(({ name }) => name))].sort())
})

describe.each(changes.map((change, turn) => ({ ...change, turn })))(
  '$name$with',
  ({ method, suffix, fields, turn }) => {
    const withFields = (options: CallOptions): CallOptions =>
      fields ? { ...options, body: { ...fields, ...(options.body as object | undefined) } } : options

    const ofGuest: Case[] = [
      ['nobody', () => ({}), 401, 'guest_token_required'],
      ['a wrong token', () => ({ guestToken: 'x'.repeat(43) }), 403, 'wrong_guest_token'],
      ['an empty token', () => ({ guestToken: '' }), 401, 'guest_token_required'],
      ['another user', () => ({ token: other.token }), 403, 'forbidden'],
      ['a forged login', () => ({ token: 'x.y.z' }), 401, 'invalid_token'],
      ['its token', (token) => ({ guestToken: token }), 200],
      ['its token in the body', (token) => ({ body: { token } }), 200],
      ['a user with its token', (token) => ({ token: other.token, guestToken: token }), 200],
      ['an admin', () => ({ token: admin.token }), 200],
    ]
    it.each(rowsInTurn(ofGuest, turn, 3))("of a guest's image by %s", async (_who, options, status, code) => {
      const image = await app.guestImage(bytes)
      const answer = await app.call(method, `/api/images/${image.id}${suffix}`, withFields(options(image.delete_token)))
      expect([answer.status, answer.body.code]).toEqual([status, code])
      if (status !== 200) expect((await app.request(image.url)).status).toBe(200)
    })

    const ofUser: Case[] = [
      ['nobody', () => ({}), 401, 'authentication_required'],
      ['a guest token', () => ({ guestToken: 'x'.repeat(43) }), 401, 'authentication_required'],
      ['another user', () => ({ token: other.token }), 403, 'forbidden'],
      ['its owner', () => ({ token: owner.token }), 200],
      ['an admin', () => ({ token: admin.token }), 200],
    ]
    it.each(rowsInTurn(ofUser, turn, 3))("of a user's image by %s", async (_who, options, status, code) => {
      const { body: image } = await app.upload(bytes, { token: owner.token })
      const answer = await app.call(method, `/api/images/${image.id}${suffix}`, withFields(options('')))
      expect([answer.status, answer.body.code]).toEqual([status, code])
    })

    it('responds 404 for an unknown image and 410 for a deleted one', async () => {
      const path = (id: string) => `/api/images/${id}${suffix}`
      expect(await app.call(method, path('none'), withFields({}))).toMatchObject({
        status: 404,
        body: { code: 'image_not_found' },
      })
      const image = await app.guestImage(bytes)
      await app.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
      expect(await app.call(method, path(image.id), withFields({ guestToken: image.delete_token }))).toMatchObject({
        status: 410,
      })
    })
  },
)

it.each(changes.filter(({ fields }) => !fields))(
  '$name$with ignores other fields of the body, such as the imageId that the page sends',
  async ({ method, suffix }) => {
    const image = await app.guestImage(bytes)
    const body = { token: image.delete_token, imageId: image.id }
    expect((await app.call(method, `/api/images/${image.id}${suffix}`, { body })).status).toBe(200)
  },
)
describe('extendImage', () => {
  it('extends the image of a guest to a year after its upload, again and again, and an admin beyond', async () => {
    const limited = await startTestApp({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret' })
    try {
      const image = await limited.guestImage(bytes)
      const path = `/api/images/${image.id}/extend-expiration`
      const lifeDays = async (by: CallOptions) =>
        (Date.parse((await limited.call('POST', path, by)).body.expires_at) - Date.parse(image.created_at)) / dayMs
      for (const afterDays of [0, 50, 250]) {
        limited.moveClock(afterDays * dayMs)
        expect(await lifeDays({ guestToken: image.delete_token })).toBe(365)
      }
      const login = { email: 'boss@example.com', password: 'boss-secret' }
      const { token } = (await limited.call('POST', '/api/login', { body: login })).body
      expect(await lifeDays({ token })).toBeGreaterThan(600)
      expect(await lifeDays({ guestToken: image.delete_token })).toBeGreaterThan(600)
    } finally {
      await limited.stop()
    }
  })

  it.each([
    ['0: as often as they like', { GUEST_MAX_DAYS: '0' }, 300, 665],
    ['100', { GUEST_MAX_DAYS: '100' }, 50, 100],
  ])('extends images of guests within GUEST_MAX_DAYS=%s', async (_, setting, afterDays, days) => {
    const limited = await startTestApp({ ...setting, GUEST_RETENTION_DAYS: '60' })
    try {
      const image = await limited.guestImage(bytes)
      const path = `/api/images/${image.id}/extend-expiration`
      const by = { guestToken: image.delete_token }
      for (const passing of [50, afterDays - 50]) {
        limited.moveClock(passing * dayMs)
        await limited.call('POST', path, by)
      }
      const { body } = await limited.call('POST', path, by)
      expect(Math.round((Date.parse(body.expires_at) - Date.parse(image.created_at)) / dayMs)).toBe(days)
    } finally {
      await limited.stop()
    }
  })

  it('never shortens a retention that is longer than a year', async () => {
    const generous = await startTestApp({ USER_RETENTION_DAYS: '1000' })
    try {
      const { token } = await generous.newUser()
      const { body: image } = await generous.upload(bytes, { token })
      const { body } = await generous.call('POST', `/api/images/${image.id}/extend-expiration`, { token })
      expect(body.expires_at).toBe(image.expires_at)
    } finally {
      await generous.stop()
    }
  })

  it('sets the expiry to one year from now, also with a JSON header and no body', async () => {
    const { token } = await app.newUser()
    const { body: image } = await app.upload(bytes, { token })
    const calledAt = app.deps.now()
    const { status, body } = await app.call('POST', `/api/images/${image.id}/extend-expiration`, {
      token,
      headers: { 'content-type': 'application/json' },
    })
    expect(status).toBe(200)
    const extendedAt = Date.parse(body.expires_at) - 365 * dayMs
    expect(extendedAt).toBeGreaterThanOrEqual(calledAt)
    expect(extendedAt).toBeLessThanOrEqual(app.deps.now())
  })
})

describe('listImages', () => {
  it('lists pages newest first with the total, and no images of other owners', async () => {
    const { token } = await app.newUser()
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.unshift((await app.upload(bytes, { token })).body.id)
    await app.guestImage(bytes)

    const seen: string[] = []
    let path: string | null = '/api/images?limit=2'
    let pages = 0
    while (path !== null) {
      const { status, body, headers } = await app.call('GET', path, { token })
      expect(status).toBe(200)
      expect(headers.get('x-total-count')).toBe('5')
      seen.push(...body.map((image: UploadedImage) => image.id))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null
      pages++
    }
    expect([...seen].sort()).toEqual([...ids].sort())
    expect(pages).toBe(3)
  })

  it.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=x', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['sort=1', 'sort'],
  ])('refuses ?%s', async (query, field) => {
    const { status, body } = await app.call('GET', `/api/images?${query}`, { token: owner.token })
    expect([status, body.error.split(':')[0]]).toEqual([400, field])
  })

  it('requires a login', async () => {
    expect(await app.call('GET', '/api/images')).toMatchObject({
      status: 401,
      body: { error: 'Authentication required' },
    })
  })
})

describe('the sweep', () => {
  it('removes expired images, each counted once, and no others', async () => {
    const going = await app.guestImage(bytes)
    const staying = await app.guestImage(bytes)
    await app.call('POST', `/api/images/${staying.id}/extend-expiration`, { guestToken: staying.delete_token })
    await sweepExpired(app.deps)
    app.moveClock(60 * dayMs)
    const [one, two] = await Promise.all([sweepExpired(app.deps), sweepExpired(app.deps)])
    const originals = await app.files('originals')
    expect(originals).not.toContain(going.id)
    expect(originals).toContain(staying.id)
    expect(one.deletedImages + two.deletedImages).toBeGreaterThanOrEqual(1)
    expect(await sweepExpired(app.deps)).toEqual({ deletedImages: 0, freedBytes: 0 })
  })

  it('removes only bytes without a row that are old enough', async () => {
    const image = await app.guestImage(bytes)
    const orphan = 'ooooooooooooooooooooo1'
    const folder = join(app.dataDir, 'originals', orphan.slice(0, 2))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, orphan), 'left by a crash')
    expect((await sweepOrphans(app.deps, Date.now() - 60_000)).blobs).toBe(0)
    expect((await sweepOrphans(app.deps, Date.now() + 60_000)).blobs).toBe(1)
    expect(await app.files('originals')).toContain(image.id)
    expect(await app.files('originals')).not.toContain(orphan)
  })
})

describe('listImages in order', () => {
  it('sorts, searches, and paginates each order without missing or repeated images', async () => {
    const { token } = await app.newUser()
    const names = ['b-zebra.jpg', 'a-Apple.jpg', 'c_50%.jpg', 'd.jpg', 'z-ÄRGER.jpg']
    for (const [n, name] of names.entries()) {
      await app.upload(await jpeg(100 + n * 20, 100), { token, name })
      app.moveClock(1000)
    }
    const list = async (query: string) => {
      const found: UploadedImage[] = []
      for (let path: string | undefined = `/api/images?limit=2&${query}`; path !== undefined;) {
        const { status, body, headers } = await app.call('GET', path, { token })
        expect(status).toBe(200)
        found.push(...body)
        path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      }
      return found
    }
    const shown = async (query: string) => (await list(query)).map((image) => image.original_name)
    expect(await shown('')).toEqual([...names].reverse())
    expect(await shown('sort=oldest')).toEqual(names)
    expect(await shown('sort=expiry')).toEqual(names)
    expect(await shown('sort=name')).toEqual([...names].sort())
    for (const [sort, reversed] of [
      ['expiry', 'expiry_desc'],
      ['name', 'name_desc'],
      ['largest', 'smallest'],
      ['views', 'views_asc'],
    ])
      expect(await shown(`sort=${reversed}`)).toEqual((await shown(`sort=${sort}`)).reverse())
    const sizes = (await list('sort=largest')).map((image) => image.size)
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    expect(await shown('q=APPLE')).toEqual(['a-Apple.jpg'])
    expect(await shown('q=%C3%A4rger')).toEqual(['z-ÄRGER.jpg'])
    expect(await shown('q=0%25')).toEqual(['c_50%.jpg'])
    expect(await shown('q=_')).toEqual(['c_50%.jpg'])
    expect(await shown('q=nothing')).toEqual([])
    const searched = await app.call('GET', '/api/images?q=jpg&limit=1', { token })
    expect(searched.headers.get('x-total-count')).toBe('5')
    const cursor = /cursor=([^&>]+)/.exec(searched.headers.get('link') ?? '')?.[1]
    expect((await app.call('GET', `/api/images?sort=name&cursor=${cursor}`, { token })).status).toBe(400)
  })

  it('lists images that expire within 7 days, the first to expire first', async () => {
    const { token } = await app.newUser()
    const upload = async (expiresIn: string) => {
      const form = new FormData()
      form.append('expires_in', expiresIn)
      form.append('image', new Blob([new Uint8Array(bytes)]), 'a.jpg')
      const response = await app.request('/api/upload', {
        method: 'POST',
        body: form,
        headers: { authorization: `Bearer ${token}` },
      })
      return (await response.json()) as UploadedImage
    }
    const late = await upload('8d')
    const second = await upload('6d')
    const first = await upload('3600')
    expect(Date.parse(first.expires_at ?? '') - Date.parse(first.created_at)).toBe(3_600_000)
    const { body } = await app.call('GET', '/api/expiring-images', { token })
    expect(body.map((image: UploadedImage) => image.id)).toEqual([first.id, second.id])
    app.moveClock(2 * dayMs)
    expect(
      (await app.call('GET', '/api/expiring-images', { token })).body.map((image: UploadedImage) => image.id),
    ).toEqual([second.id, late.id])
    expect((await app.call('GET', '/api/images', { token })).headers.get('x-total-count')).toBe('2')
  })
})

describe('uploadImage again', () => {
  it('reports a duplicate to its owner only', async () => {
    const one = await app.newUser()
    const two = await app.newUser()
    const upload = async (token?: string) => (await app.upload(bytes, { token })).body.duplicate
    expect([await upload(one.token), await upload(one.token), await upload(two.token)]).toEqual([false, true, false])
    expect([await upload(), await upload()]).toEqual([false, false])
  })

  it('with the same Idempotency-Key returns the same image, even concurrently, for a day', async () => {
    const { token } = await app.newUser()
    const other = await app.newUser()
    const headers = { 'idempotency-key': 'once' }
    const answers = await Promise.all(Array.from({ length: 6 }, () => app.upload(bytes, { token, headers })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await app.call('GET', '/api/images', { token })).headers.get('x-total-count')).toBe('1')
    expect((await app.upload(bytes, { token: other.token, headers })).body.id).not.toBe(answers[0]?.body.id)

    expect(await app.upload(bytes, { headers })).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    const guestHeaders = { 'idempotency-key': crypto.randomUUID() }
    const guest = await app.upload(bytes, { headers: guestHeaders })
    const again = await app.upload(bytes, { headers: guestHeaders })
    expect(again.body).toMatchObject({ id: guest.body.id, delete_token: guest.body.delete_token })
    const stored = await app.files('originals')
    expect(stored.filter((name) => name === guest.body.id)).toHaveLength(1)
    expect(
      (await app.call('DELETE', `/api/images/${guest.body.id}`, { guestToken: again.body.delete_token })).status,
    ).toBe(200)
    expect((await app.upload(bytes, { headers: guestHeaders })).body.id).not.toBe(guest.body.id)

    app.moveClock(dayMs + 1)
    expect((await app.upload(bytes, { token, headers })).body.id).not.toBe(answers[0]?.body.id)
  })

  it('with an Idempotency-Key of another file is refused, also concurrently, and stores nothing', async () => {
    const { token } = await app.newUser()
    const other = await jpeg(70, 50)
    const reused = { status: 422, body: { code: 'idempotency_key_reused' } }
    const [user, guest] = [{ 'idempotency-key': 'once' }, { 'idempotency-key': crypto.randomUUID() }]
    const first = await app.upload(bytes, { token, headers: user })
    expect(await app.upload(other, { token, headers: user })).toMatchObject(reused)
    expect((await app.upload(bytes, { token, headers: user })).body.id).toBe(first.body.id)
    expect((await app.upload(bytes, { headers: guest })).status).toBe(201)
    // Otherwise the response would have the delete token of the first image.
    expect(await app.upload(other, { headers: guest })).toMatchObject(reused)

    const racing = { token, headers: { 'idempotency-key': 'raced' } }
    const both = await Promise.all([app.upload(bytes, racing), app.upload(other, racing)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422])
    expect((await app.call('GET', '/api/images', { token })).headers.get('x-total-count')).toBe('2')
  })

  it.each(['0', '59', '61d', '-1', '7w', '1.5d', '99999999999'])('refuses expires_in=%s for a guest', async (value) => {
    const form = new FormData()
    form.append('expires_in', value)
    form.append('image', new Blob([new Uint8Array(bytes)]), 'a.jpg')
    const response = await app.request('/api/upload', { method: 'POST', body: form })
    expect(response.status).toBe(400)
    expect(((await response.json()) as { error: string }).error).toMatch(/^expires_in: /)
  })
})
