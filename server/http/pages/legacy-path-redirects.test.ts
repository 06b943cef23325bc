// Addresses that imported images had at another host.
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayMs } from '../../../contract/plain/limits.ts'
import { importImage, type LegacyPath } from '../../importers/import-image.ts'
import { removeImages } from '../../domain/images/deletion/remove-images.ts'
import { sweepExpired } from '../../domain/images/deletion/sweep.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
let off: TestApp
beforeAll(async () => {
  app = await startTestApp({ LEGACY_PATHS: 'on', TRUST_PROXY: '1' })
  off = await startTestApp()
})
afterAll(() => Promise.all([app.stop(), off.stop()]))

async function importAt({ deps }: TestApp, path: string, size: LegacyPath['size'] = 'original') {
  await mkdir(deps.tempDir, { recursive: true })
  const folder = await mkdtemp(join(deps.tempDir, 'import-'))
  const file = { folder, path: join(folder, 'received'), name: 'cat.jpg' }
  await writeFile(file.path, await jpeg(60, 40))
  const given = { source: 'test', sourceId: path, owner: null, file, createdAt: 1_600_000_000_000, expiresAt: null }
  return importImage(deps, { ...given, visibility: 'public', tags: [], paths: [{ path, size }] })
}

const redirectOf = async (from: TestApp, path: string, init: RequestInit = {}) => {
  const response = await from.request(path, { redirect: 'manual', ...init })
  return [response.status, response.headers.get('location')]
}

it('are redirected to the image, or to its size at that address', async () => {
  const image = await importAt(app, '/u/Ünï code.jpg')
  const thumbnail = await importAt(app, '/images/cat.th.jpg', 'thumbnail')
  const medium = await importAt(app, '/images/cat.md.jpg', 'medium')
  const original = `/uploads/${image.file_name}`
  expect(await redirectOf(app, '/u/%C3%9Cn%C3%AF%20code.jpg')).toEqual([301, original])
  expect(await redirectOf(app, '/u/%C3%9Cn%C3%AF%20code.jpg?download=1', { method: 'HEAD' })).toEqual([301, original])
  expect(await redirectOf(app, '/images/cat.th.jpg')).toEqual([301, `/api/thumbnail/${thumbnail.id}/400`])
  expect(await redirectOf(app, '/images/cat.md.jpg')).toEqual([301, `/api/resize/${medium.id}/800`])
  const headers = (await app.request('/images/cat.md.jpg', { redirect: 'manual' })).headers
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(headers.get('access-control-allow-origin')).toBe('*')
})

it.each<[string, string, string?]>([
  ['.jpg?width=200', '.jpg?w=200'],
  ['.jpg?height=20', '.jpg?h=20'],
  ['.jpg?width=30&height=30&crop=true', '.jpg?w=30&h=30&fit=cover'],
  ['.jpg?width=30&height=30', '.jpg?w=30&h=30&fit=inside'],
  ['.jpg?width=32767', '.jpg?w=4096'],
  ['.png', '.png', 'png'],
  ['.webp?width=20', '.webp?w=20', 'webp'],
  ['.jpeg', ''],
  ['.bmp', ''],
  ['.gif?width=20', '.jpg?w=20'],
  ['.jpg?width=0&height=-1', ''],
  ['.jpg?width=20&width=30', ''],
  ['.jpg?width=%3Cb%3E', ''],
])(
  'lead from %s, of a host that resizes and converts, to the image with %j',
  async (asked, expected, format = 'jpeg') => {
    const stem = `/image/${randomUUID()}`
    const image = await importAt(app, stem + asked.replace(/\?.*/, ''), 'converted')
    const [status, location] = await redirectOf(app, stem + asked)
    const target = expected === '' ? `/uploads/${image.file_name}` : `/i/${image.id}${expected}`
    expect([status, location]).toEqual([301, target])
    const found = await app.request(target)
    expect([found.status, found.headers.get('content-type')]).toEqual([200, `image/${format}`])
  },
)

it('keep the format of an original whose name has another extension', async () => {
  const { file_name: name } = await importAt(app, '/u/misnamed.png')
  expect(await redirectOf(app, '/u/misnamed.png')).toEqual([301, `/uploads/${name}`])
})

it('lead to widths only with SIGN_VARIANTS=on: the redirect signs nothing', async () => {
  const signing = await startTestApp({ LEGACY_PATHS: 'on', SIGN_VARIANTS: 'on' })
  try {
    const { id } = await importAt(signing, '/image/a.jpg')
    const path = '/image/a.jpg?width=30&height=30&crop=true'
    expect(await redirectOf(signing, path)).toEqual([301, `/i/${id}.jpg?w=30`])
    expect((await signing.request(path)).status).toBe(200)
  } finally {
    await signing.stop()
  }
})

it.each(['/i/Ab12Cd', '/i/00000000-0000-4000-8000-000000000001', '/uploads/pic.jpg'])(
  'are redirected from %s, which a route here has too',
  async (path) => {
    const image = await importAt(app, path)
    expect(await redirectOf(app, path)).toEqual([301, `/uploads/${image.file_name}`])
    expect((await redirectOf(app, `/uploads/${image.file_name}`))[0]).toBe(200)
    expect((await redirectOf(app, `/i/${image.id}`))[0]).toBe(200)
  },
)

it('are redirected to a host only by MEDIA_ORIGIN: caches store the redirect', async () => {
  const image = await importAt(app, '/u/forwarded.jpg')
  const headers = { 'x-forwarded-host': 'attacker.example', 'x-forwarded-proto': 'https' }
  expect(await redirectOf(app, '/u/forwarded.jpg', { headers })).toEqual([301, `/uploads/${image.file_name}`])
  const origins = { PUBLIC_URL: 'https://img.example.com', MEDIA_ORIGIN: 'https://media.example.com' }
  const media = await startTestApp({ LEGACY_PATHS: 'on', ...origins })
  try {
    const { file_name: name } = await importAt(media, '/u/cat.jpg')
    expect(await redirectOf(media, '/u/cat.jpg')).toEqual([301, `https://media.example.com/uploads/${name}`])
  } finally {
    await media.stop()
  }
})

it('are cached and purged like the image, and no longer once it is private, limited or deleted', async () => {
  const cached = async (path: string) => {
    const { headers } = await app.request(path, { redirect: 'manual' })
    return ['cache-control', 'surrogate-key', 'cache-tag'].map((name) => headers.get(name))
  }
  const { id, file_name: name } = await importAt(app, '/u/cached.jpg')
  expect(await cached('/u/cached.jpg')).toEqual(await cached(`/uploads/${name}`))
  expect(await cached('/u/cached.jpg')).toEqual([expect.stringContaining('public, max-age='), id, id])
  const change = (values: object) => app.deps.db.updateTable('images').set(values).where('id', '=', id).execute()
  const soon = app.deps.now() + 60_000
  await change({ expires_at: soon })
  expect((await cached('/u/cached.jpg'))[0]).toMatch(/^public, max-age=(60|59), /)
  await change({ views_left: 3 })
  expect(await cached('/u/cached.jpg')).toEqual(['private, no-store', null, null])
  await change({ views_left: null, visibility: 'private' })
  const unknown = await app.request('/u/unknown.jpg', { redirect: 'manual' })
  expect(await cached('/u/cached.jpg')).toEqual([unknown.headers.get('cache-control'), null, null])
  await change({ visibility: 'public' })
  await removeImages(app.deps, [id], { actor: 'server', action: 'image_deleted' })
  expect(await cached('/u/cached.jpg')).toEqual(['private, no-store', null, null])
})

it.each(['/dashboard', '/Dashboard/', '/admin', '/index.html', '/sw.js', '/manifest.webmanifest'])(
  'do not replace %s, which is a page or a file here',
  async (path) => {
    await importAt(app, path)
    expect(await redirectOf(app, path)).toEqual([200, null])
  },
)

it('do not replace an original here', async () => {
  const { file_name: name } = await importAt(app, '/u/own.jpg')
  await importAt(app, `/uploads/${name}`)
  expect(await redirectOf(app, `/uploads/${name}`)).toEqual([200, null])
})

it.each(['/i/unknown', '/u/unknown.jpg', '/images/', "/u/' or 1=1 --"])(
  'the unknown path %s is not found',
  async (path) => {
    expect((await redirectOf(app, path))[0]).toBe(404)
  },
)

it.each([
  ['/a%00b', 404],
  ['/i/a%00b', 404],
  ['/uploads/a%00b', 400],
  [`/${'%C3%BC'.repeat(2000)}`, 404],
])('are not looked up when they contain NUL or are longer than stored ones: %.20s', async (path, status) => {
  expect(await redirectOf(app, path)).toEqual([status, null])
})

it('are not redirected with LEGACY_PATHS=off', async () => {
  await importAt(off, '/u/cat.jpg')
  expect(await redirectOf(off, '/u/cat.jpg')).toEqual([404, null])
})

it('lead to 410 after the image was deleted, and are removed with its tombstone', async () => {
  const { id } = await importAt(app, '/u/deleted.jpg')
  await removeImages(app.deps, [id], { actor: 'server', action: 'image_deleted' })
  const [status, location] = await redirectOf(app, '/u/deleted.jpg')
  expect(status).toBe(301)
  expect((await app.request(String(location))).status).toBe(410)
  await sweepExpired(app.deps, app.deps.now() + 31 * dayMs)
  expect((await redirectOf(app, '/u/deleted.jpg'))[0]).toBe(404)
})

it('belong to the first image that had them', async () => {
  const first = await importAt(app, '/u/same.jpg')
  const { deps } = app
  await expect(importAt(app, '/u/same.jpg')).rejects.toThrow(/unique/i)
  const rows = await deps.db.selectFrom('images').select('id').where('id', '=', first.id).execute()
  expect(rows).toHaveLength(1)
  expect((await redirectOf(app, '/u/same.jpg'))[1]).toContain(first.file_name)
})
