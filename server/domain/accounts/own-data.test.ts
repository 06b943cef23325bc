// The archive of a user's data: all images byte for byte, and a readable JSON.
import { buffer, text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import tar from 'tar-stream'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { albumColumns, fieldsIn, linkColumns } from '../../testing/album-columns.ts'
import { fieldsOf } from '../../testing/image-columns.ts'
import { jpeg } from '../../testing/test-images.ts'
import { downloadOwnData } from './own-data.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
)

interface Data {
  format: string
  account: { id: string; email: string }
  sessions: { device: string }[]
  api_keys: { name: string; prefix: string }[]
  webhooks: { url: string }[]
  images: { id: string; file: string | null; missing?: string; name: string; sha256: string; size: number }[]
  albums: object[]
  links: object[]
  log: { action: string }[]
}

async function unpack(stream: Readable): Promise<{ names: string[]; files: Map<string, Buffer>; data: Data }> {
  const files = new Map<string, Buffer>()
  for await (const entry of stream.pipe(tar.extract())) files.set(entry.header.name, await buffer(entry))
  const json = files.get('data.json')?.toString() ?? ''
  return { names: [...files.keys()], files, data: JSON.parse(json) as Data }
}

const download = (token: string) => app.request('/api/me/data', { headers: { authorization: `Bearer ${token}` } })
async function unpackOf(token: string) {
  const response = await download(token)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-tar'])
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="image-host-data-[\d-]{10}\.tar"$/)
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  return unpack(Readable.from(Buffer.from(await response.arrayBuffer())))
}

it('has every image as it is stored, and all that is stored about the user', async () => {
  const { token, id, email } = await app.newUser()
  const others = await app.newUser()
  await app.upload(await jpeg(30, 30), { token: others.token, name: 'of-another.jpg' })
  const large = await jpeg(3000, 2400)
  const uploads = [
    await app.upload(large, { token, name: 'A large one ☘.jpg' }),
    await app.upload(svg, { token, name: 'drawing.svg', type: 'image/svg+xml' }),
    await app.upload(await jpeg(40, 30), { token, name: '../../../etc/passwd.jpg' }),
    await app.upload(await jpeg(41, 30), { token, name: 'deleted.jpg' }),
    await app.upload(await jpeg(42, 30), { token, name: 'hidden.jpg' }),
    await app.upload(await jpeg(43, 30), { token, name: 'lost.jpg' }),
  ].map(({ body }) => body as { id: string; file_name: string })
  const [first, second, third, deleted, hidden, lost] = uploads
  await app.call('DELETE', `/api/images/${deleted?.id}?undo=1`, { token })
  const { db } = app.deps
  await db
    .updateTable('images')
    .set({ quarantined_at: 1 })
    .where('id', '=', hidden?.id ?? '')
    .execute()
  await app.deps.blobs.delete(lost?.id ?? '')
  const keyLimits = { uploadsPerHour: 7, maxBytes: 8_000, uploadVisibility: 'private' }
  const key = (await app.call('POST', '/api/api-keys', { token, body: { name: 'A key', ...keyLimits } })).body
  const hook = { url: 'https://example.com/hooks', events: ['image.uploaded'] }
  const { secret } = (await app.call('POST', '/api/webhooks', { token, body: hook })).body

  await app.call('POST', '/api/albums', { token, body: { title: 'Cats', images: [first?.id] } })
  await app.call('POST', '/api/links', { token, body: { images: [first?.id], password: 'secret-1' } })

  const { names, files, data } = await unpackOf(token)
  expect(names).toEqual([...[first, second, third].map((image) => `images/${image?.file_name}`), 'data.json'])
  for (const image of [first, second, third]) {
    const served = Buffer.from(await (await app.request(`/uploads/${image?.file_name}`)).arrayBuffer())
    expect(files.get(`images/${image?.file_name}`)?.equals(served)).toBe(true)
  }
  expect(files.get(`images/${first?.file_name}`)?.length).toBeGreaterThan(1024 * 1024)
  expect(data).toMatchObject({ format: 'image-host-data', account: { id, email } })
  expect(Object.keys(data.images[0] ?? {}).toSorted()).toEqual([...fieldsOf('ownData'), 'url'].toSorted())
  const keysOf = (list: object[]) => Object.keys(list[0] ?? {}).toSorted()
  expect(keysOf(data.albums)).toEqual([...fieldsIn(albumColumns, 'ownData'), 'images', 'members'].toSorted())
  expect(keysOf(data.links)).toEqual([...fieldsIn(linkColumns, 'ownData'), 'images'].toSorted())
  expect(data.images.map(({ name, file, missing }) => [name, file ?? missing])).toEqual([
    ['A large one ☘.jpg', `images/${first?.file_name}`],
    ['drawing.svg', `images/${second?.file_name}`],
    ['passwd.jpg', `images/${third?.file_name}`],
    ['hidden.jpg', 'hidden by an admin'],
    ['lost.jpg', 'not in the store'],
  ])
  expect(data.images[0]).toMatchObject({ id: first?.id, size: files.get(`images/${first?.file_name}`)?.length })
  expect(data.sessions).toMatchObject([{ device: 'Node.js' }])
  expect(data.api_keys).toMatchObject([
    { name: 'A key', prefix: key.prefix, uploads_per_hour: 7, max_bytes: 8_000, upload_visibility: 'private' },
  ])
  expect(data.webhooks).toMatchObject([hook])
  expect(data.log.map(({ action }) => action)).toContain('api_key_created')
  const json = files.get('data.json')?.toString() ?? ''
  const { password_hash: hash } = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { key_hash: keyHash } = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow()
  for (const withheld of [hash, keyHash, key.key, secret, token, 'of-another']) expect(json).not.toContain(withheld)
})

it('of a user without images has the JSON only', async () => {
  const { token } = await app.newUser()
  const { names, data } = await unpackOf(token)
  expect([names, data.images]).toEqual([['data.json'], []])
})

/** Copies the row of an image, without its bytes. */
async function copies(imageId: string, count: number): Promise<void> {
  const { db } = app.deps
  const row = await db.selectFrom('images').selectAll().where('id', '=', imageId).executeTakeFirstOrThrow()
  const rows = Array.from({ length: count }, () => {
    const id = crypto.randomUUID().replaceAll('-', '').slice(0, 22)
    return { ...row, id, file_name: `copy-${id}.jpg` }
  })
  for (let at = 0; at < count; at += 50)
    await db
      .insertInto('images')
      .values(rows.slice(at, at + 50))
      .execute()
}

it('names each of 250 images once, also when many were uploaded in the same millisecond', async () => {
  const { token } = await app.newUser()
  const { body } = await app.upload(await jpeg(30, 30), { token })
  await copies(body.id, 249)
  const { data } = await unpackOf(token)
  expect(new Set(data.images.map(({ id }) => id)).size).toBe(250)
})

/** The caller of a new user with `count` images, and dependencies that count the reads of originals. */
async function slowReader(count: number) {
  const { token, id } = await app.newUser()
  const large = await jpeg(1200, 1000)
  for (let n = 0; n < count; n++) await app.upload(large, { token })
  const read = vi.fn(app.deps.blobs.read.bind(app.deps.blobs))
  const deps = { ...app.deps, blobs: { ...app.deps.blobs, read } }
  const account = await app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const caller = { kind: 'user' as const, account, by: { sessionId: 'none', confirmedAt: 0 } }
  const served = await downloadOwnData(deps, { caller, address: '203.0.113.1', baseUrl: app.url, siteUrl: app.url })
  return { read, served, imageBytes: account.image_bytes / count }
}

const workFiles = () => app.files('tmp')

it('is read from the store as fast as the client reads', async () => {
  const { read, served, imageBytes } = await slowReader(8)
  let received = 0
  for await (const chunk of served.chunks()) {
    received += chunk.length
    // Reads of files and other work run meanwhile.
    await app.request('/healthz')
    expect(read.mock.calls.length).toBeLessThanOrEqual(received / imageBytes + 2)
  }
  expect(read).toHaveBeenCalledTimes(8)
  expect(await workFiles()).toEqual([])
})

it('ends without an error of the server when the client closes the connection', async () => {
  const { token } = await app.newUser()
  const large = await jpeg(3000, 2400)
  for (let n = 0; n < 3; n++) await app.upload(large, { token })
  const abort = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  const response = await app.request('/api/me/data', { headers, signal: abort.signal })
  await response.body?.getReader().read()
  abort.abort()
  await vi.waitFor(async () => expect(await workFiles()).toEqual([]), 10_000)
  expect(app.logged.filter(({ level }) => level === 50)).toEqual([])
})

it('breaks off when the store fails, so that the client sees that it is incomplete', async () => {
  const { read, served } = await slowReader(2)
  read.mockImplementationOnce(() => Promise.reject(new Error('the disk failed')))
  await expect(text(Readable.from(served.chunks()))).rejects.toThrow('the disk failed')
  expect(await workFiles()).toEqual([])
})

it('can be downloaded a few times an hour', async () => {
  const { token } = await app.newUser()
  for (let n = 0; n < accountLimits.ownData.limit; n++) expect((await download(token)).status).toBe(200)
  expect((await download(token)).status).toBe(429)
  expect((await app.call('POST', '/api/me/data/link', { token })).body.code).toBe('too_many_requests')
  app.moveClock(accountLimits.ownData.windowMs)
  expect((await download(token)).status).toBe(200)
})

it('a link downloads it once, within a minute, and ends with its session', async () => {
  const { token, id } = await app.newUser()
  const link = async () =>
    (await app.call('POST', '/api/me/data/link', { token })).body as { url: string; ticket: string }
  const byTicket = (ticket: string) => {
    const body = new FormData()
    body.set('ticket', ticket)
    return app.request('/api/me/data/archive', { method: 'POST', body, headers: { origin: 'null' } })
  }
  const { url, ticket } = await link()
  expect(url).toBe('/api/me/data/archive')
  const first = await byTicket(ticket)
  expect(first.status).toBe(200)
  const { data } = await unpack(Readable.from(Buffer.from(await first.arrayBuffer())))
  expect(data.account.id).toBe(id)
  const late = (await link()).ticket
  const [unused, altered] = [(await link()).ticket, (await link()).ticket.replace(/..$/, '__')]
  for (const wrong of [ticket, altered, token, 'nonsense']) expect((await byTicket(wrong)).status).toBe(403)
  app.moveClock(accountLimits.downloadLinkMs + 1000)
  expect((await byTicket(late)).status).toBe(403)
  app.moveClock(-accountLimits.downloadLinkMs - 1000)
  await app.call('POST', '/api/logout', { token })
  expect(await (await byTicket(unused)).json()).toMatchObject({ code: 'download_link_ended' })
})
