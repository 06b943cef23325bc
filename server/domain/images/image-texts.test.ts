// Title, alternative text and custom link of an image: PATCH /api/images/{id}, and /s/{slug}.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { fieldsOf } from '../../testing/image-columns.ts'
import { jpeg } from '../../testing/test-images.ts'
import { sweepExpired } from './deletion/sweep.ts'

let app: TestApp
let image: Buffer
let ada: string
let eve: string
let admin: string

beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret' })
  image = await jpeg(60, 40)
  ada = (await app.newUser()).token
  eve = (await app.newUser()).token
  const login = { email: 'boss@example.com', password: 'boss-secret' }
  admin = (await app.call('POST', '/api/login', { body: login })).body.token
})
afterAll(() => app.stop())

const uploadedBy = async (token: string): Promise<string> => (await app.upload(image, { token })).body.id
const update = (id: string, token: string | undefined, body: object) =>
  app.call('PATCH', `/api/images/${id}`, { token, body })
const open = async (slug: string) => {
  const response = await app.request(`/s/${slug}`, { redirect: 'manual' })
  await response.arrayBuffer()
  return [response.status, response.headers.get('location')]
}

describe('updateImage', () => {
  it('changes what is sent, cleaned, and nothing else', async () => {
    const id = await uploadedBy(ada)
    const first = await update(id, ada, {
      title: '  Harbour\u202E at\n dusk ',
      alt: 'Boats\u0007',
      slug: ' Harbour-1 ',
    })
    const derived = ['url', 'thumbnailUrl', 'page_url', 'view_key', 'guest', 'is_guest']
    expect(Object.keys(first.body).toSorted()).toEqual([...fieldsOf('api'), ...derived].toSorted())
    expect(first.body).toMatchObject({ id, title: 'Harbour at dusk', alt: 'Boats', slug: 'harbour-1' })
    expect((await update(id, ada, { alt: '' })).body).toMatchObject({
      title: 'Harbour at dusk',
      alt: '',
      slug: 'harbour-1',
    })
    expect((await update(id, ada, {})).body).toMatchObject({ title: 'Harbour at dusk', slug: 'harbour-1' })
    expect((await app.call('GET', '/api/images', { token: ada })).body[0]).toMatchObject({
      id,
      title: 'Harbour at dusk',
    })
    expect((await update(id, ada, { slug: null })).body.slug).toBeNull()
    expect(await open('harbour-1')).toEqual([404, null])
  })

  it.each([
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ alt: 'x'.repeat(1001) }, 'alt'],
    [{ title: 5 }, 'title'],
    [{ title: null }, 'title'],
    [{ slug: 'ab' }, 'slug'],
    [{ slug: 'x'.repeat(61) }, 'slug'],
    [{ slug: 'two words' }, 'slug'],
    [{ slug: '-edge' }, 'slug'],
    [{ slug: 'a--b' }, 'slug'],
    [{ slug: 'ümlaut' }, 'slug'],
    [{ slug: '../admin' }, 'slug'],
    [{ slug: 'Admin' }, 'slug'],
    [{ slug: 'login' }, 'slug'],
    [{ owner_id: 'x' }, 'owner_id'],
  ])('refuses %j', async (body, field) => {
    const id = await uploadedBy(ada)
    const response = await update(id, ada, body)
    expect([response.status, response.body.code]).toEqual([400, 'invalid_input'])
    expect(response.body.error).toMatch(new RegExp(`^${field}: `))
  })

  it('is for the owner, by account or guest token', async () => {
    const mine = await uploadedBy(ada)
    expect([(await update(mine, eve, { title: 'x' })).status, (await update(mine, undefined, {})).status]).toEqual([
      403, 401,
    ])
    const guest = await app.guestImage(image)
    expect((await update(guest.id, undefined, { title: 'x', token: guest.delete_token })).body.title).toBe('x')
    expect((await update(guest.id, undefined, { slug: 'guests-link', token: guest.delete_token })).body.code).toBe(
      'slug_needs_account',
    )
  })

  it('by an admin is in the audit log', async () => {
    const id = await uploadedBy(ada)
    expect((await update(id, admin, { title: 'Moderated' })).status).toBe(200)
    const { body } = await app.call('GET', `/api/admin/audit?target=${id}`, { token: admin })
    expect(body[0]).toMatchObject({ action: 'image_updated', details: { fields: ['title'] } })
  })

  it('changes no deleted image', async () => {
    const id = await uploadedBy(ada)
    await app.call('DELETE', `/api/images/${id}?undo=1`, { token: ada })
    expect((await update(id, ada, { title: 'x' })).status).toBe(410)
  })
})

describe('an upload', () => {
  it('has title and alternative text from the form', async () => {
    const form = new FormData()
    form.append('title', ' A title ')
    form.append('alt', 'What it shows')
    form.append('image', new Blob([new Uint8Array(image)]), 'sea.jpg')
    const response = await app.request('/api/upload', { method: 'POST', body: form })
    expect(await response.json()).toMatchObject({ title: 'A title', alt: 'What it shows', slug: null })
  })
})

describe('a custom link', () => {
  it('leads to the share page, in any case', async () => {
    const id = await uploadedBy(ada)
    await update(id, ada, { slug: 'my-sea' })
    for (const slug of ['my-sea', 'MY-Sea']) expect(await open(slug)).toEqual([302, `${app.url}/i/${id}`])
  })

  it('belongs to one image, also of concurrent requests', async () => {
    const ids = await Promise.all([ada, eve, ada, eve].map(uploadedBy))
    const tokens = [ada, eve, ada, eve]
    const responses = await Promise.all(ids.map((id, n) => update(id, tokens[n], { slug: 'wanted' })))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe('slug_taken')
    const winner = responses.findIndex(({ status }) => status === 200)
    expect((await update(ids[winner] ?? '', tokens[winner], { slug: 'wanted' })).status).toBe(200)
  })

  it('of a deleted image responds with 410 for 30 days, in which only its owner may use it again', async () => {
    const id = await uploadedBy(ada)
    await update(id, ada, { slug: 'reused' })
    await app.call('DELETE', `/api/images/${id}?undo=1`, { token: ada })
    const [next, foreign] = [await uploadedBy(ada), await uploadedBy(eve)]
    // The deletion can be undone, with the link unless its owner has used it again.
    expect((await update(foreign, eve, { slug: 'reused' })).body.code).toBe('slug_taken')
    app.moveClock(limits.undoMs + 1000)
    await sweepExpired(app.deps)
    expect(await open('reused')).toEqual([410, null])
    expect((await update(foreign, eve, { slug: 'reused' })).body.code).toBe('slug_taken')
    expect((await update(next, ada, { slug: 'reused' })).status).toBe(200)
    expect(await open('reused')).toEqual([302, `${app.url}/i/${next}`])
    await app.call('DELETE', `/api/images/${next}`, { token: ada })
    app.moveClock(limits.tombstoneMs + 1000)
    await sweepExpired(app.deps)
    const late = (await app.newUser()).token
    expect((await update(await uploadedBy(late), late, { slug: 'reused' })).status).toBe(200)
  })
})
