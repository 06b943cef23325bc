// Exports an instance and reads the folder back with import-from files.
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { albumColumns, fieldsIn, linkColumns } from '../../testing/album-columns.ts'
import { columnsReadBack, fieldsOf } from '../../testing/image-columns.ts'
import { jpeg, png } from '../../testing/test-images.ts'
import { runImport } from '../../importers/run-import.ts'
import { sources } from '../../importers/sources.ts'
import { exportAccount, exportInstance } from './write-export.ts'

let app: TestApp
let root: string
beforeAll(async () => {
  app = await startTestApp()
  root = await mkdtemp(join(tmpdir(), 'image-host-export-'))
})
afterAll(async () => {
  await app.stop()
  await rm(root, { recursive: true })
})

const accountOf = (id: string) =>
  app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const { signal } = new AbortController()

/** Of these the import could read back its default instead, unnoticed. */
const constantFields = (rows: Record<string, unknown>[]) =>
  Object.keys(rows[0] ?? {}).filter((field) => new Set(rows.map((row) => JSON.stringify(row[field]))).size === 1)

/** The albums and links of a user, by the names of what is in them. */
async function sharedBy(ownerId: string) {
  const { db } = app.deps
  const albums = await db.selectFrom('albums').selectAll().where('owner_id', '=', ownerId).orderBy('title').execute()
  const titleOf = (id: string | null) => albums.find((album) => album.id === id)?.title
  const images = await db.selectFrom('images').select(['id', 'sha256']).execute()
  const hashOf = (id: string | null) => images.find((image) => image.id === id)?.sha256
  const placed = await db.selectFrom('album_images').selectAll().orderBy('position').execute()
  const links = await db.selectFrom('links').selectAll().where('owner_id', '=', ownerId).orderBy('name').execute()
  const named = await db.selectFrom('link_images').selectAll().orderBy('position').execute()
  return {
    albums: albums.map(({ id, owner_id: _, parent_id: parentId, cover_id: coverId, ...album }) => ({
      ...album,
      in: titleOf(parentId),
      cover: hashOf(coverId),
      images: placed.filter((row) => row.album_id === id).map((row) => hashOf(row.image_id)),
    })),
    links: links.map(
      ({ id, slug: __, owner_id: _, album_id: albumId, password_hash: hash, revoked_at: at, ...link }) => ({
        ...link,
        isGuarded: hash !== null,
        isRevoked: at !== null,
        of: titleOf(albumId),
        images: named.filter((row) => row.link_id === id).map((row) => hashOf(row.image_id)),
      }),
    ),
  }
}

it(
  'an export has every picture once, and is imported with names, texts, dates and albums',
  { timeout: 60_000 },
  async () => {
    const ada = await app.newUser('ada@example.com')
    const upload = async (name: string, bytes: Buffer) => (await app.upload(bytes, { name, token: ada.token })).body
    const first = await upload('Cat & <dog>.jpg', await jpeg(50, 40))
    const limited = await upload('cat & <dog>.JPG', await jpeg(51, 41))
    await upload('index.html', await png(52, 40))
    const hidden = await upload('hidden.jpg', await jpeg(53, 40))
    await app.guestImage(await jpeg(54, 40), 'guest.jpg')
    const { db } = app.deps
    await db.updateTable('images').set({ quarantined_at: 1 }).where('id', '=', hidden.id).execute()
    await db.updateTable('images').set({ title: 'My cat', alt: 'A "cat"' }).where('id', '=', first.id).execute()
    await db
      .updateTable('images')
      .set({ views_left: 5, views: 12, visibility: 'private' })
      .where('id', '=', limited.id)
      .execute()
    await db.updateTable('images').set({ tags: 'pets' }).where('id', '=', first.id).execute()
    await db.insertInto('image_tags').values({ image_id: first.id, tag: 'pets' }).execute()

    const post = async (path: string, body: object) =>
      (await app.call('POST', path, { token: ada.token, body })).body as { id: string }
    const outer = await post('/api/albums', { title: 'Cats', images: [limited.id, first.id] })
    const texts = { title: 'Inside', description: 'An album', upload_visibility: 'private' }
    await post('/api/albums', { ...texts, parent_id: outer.id, images: [first.id] })
    await post('/api/albums', { title: 'Live', query: 'tag:pets' })
    await app.call('PATCH', `/api/albums/${outer.id}`, { token: ada.token, body: { cover_id: first.id } })
    await post('/api/links', { album_id: outer.id, password: 'secret-1', name: 'For all', watermark: '©' })
    await post('/api/links', { images: [limited.id, first.id], max_views: 7, can_download: false })

    const limits = { max_size: 1000, starts_at: '2026-01-31T12:00:00.000Z', ends_at: '2096-01-31T12:00:00.000Z' }
    const ended = await post('/api/links', {
      images: [first.id],
      name: 'Late',
      note: 'For Bob',
      shows_private: true,
      ...limits,
    })
    await app.call('PATCH', `/api/links/${ended.id}`, { token: ada.token, body: { revoked: true } })

    const mine = await mkdtemp(join(root, 'user-'))
    expect(await exportAccount(app.deps, await accountOf(ada.id), { folder: mine, signal })).toMatchObject({
      images: 3,
      missing: [],
    })
    expect((await readdir(mine)).toSorted()).toEqual([
      'Cat & _dog_.jpg',
      'albums.json',
      'cat & _dog_ (2).JPG',
      'images.json',
      'index.html',
      'index.html.png',
    ])
    const records = JSON.parse(await readFile(join(mine, 'images.json'), 'utf8'))
    const always = fieldsOf('exported').filter((field) => field !== 'quarantined')
    expect(Object.keys(records[0]).toSorted()).toEqual([...always, 'file'].toSorted())
    expect(records[0]).toMatchObject({ file: 'Cat & _dog_.jpg', title: 'My cat', tags: ['pets'], size: first.size })
    const { albums, links } = JSON.parse(await readFile(join(mine, 'albums.json'), 'utf8'))
    expect(Object.keys(albums[0]).toSorted()).toEqual([...fieldsIn(albumColumns, 'exported'), 'images'].toSorted())
    expect(Object.keys(links[0]).toSorted()).toEqual([...fieldsIn(linkColumns, 'exported'), 'images'].toSorted())
    expect(constantFields(records)).toEqual([])
    // Views are counted anew.
    expect([...constantFields(albums), ...constantFields(links)]).toEqual(['views', 'last_viewed_at'])
    const page = await readFile(join(mine, 'index.html'), 'utf8')
    expect(page).toContain('href="Cat%20%26%20_dog_.jpg"')
    expect(page).toContain('alt="A &#34;cat&#34;"')
    expect(page).not.toContain('<dog>')
    const original = await app.request(first.url)
    expect(await readFile(join(mine, 'Cat & _dog_.jpg'))).toEqual(Buffer.from(await original.arrayBuffer()))
    expect(Math.round((await stat(join(mine, 'Cat & _dog_.jpg'))).mtimeMs)).toBe(Date.parse(first.created_at))

    const all = await mkdtemp(join(root, 'all-'))
    expect(await exportInstance(app.deps, { folder: all, signal })).toMatchObject({ images: 5, missing: [] })
    expect((await readdir(all)).toSorted()).toEqual(['accounts.json', 'ada@example.com', 'guests', 'index.html'])
    expect(await readFile(join(all, 'accounts.json'), 'utf8')).not.toContain('argon2')
    expect(await readdir(join(all, 'ada@example.com'))).toContain('hidden.jpg')

    const slugsOf = async (ownerId: string): Promise<string[]> =>
      (await db.selectFrom('links').select('slug').where('owner_id', '=', ownerId).orderBy('name').execute()).map(
        ({ slug }) => slug,
      )
    const sharedByAda = await sharedBy(ada.id)
    const slugs = await slugsOf(ada.id)
    await db.deleteFrom('links').where('owner_id', '=', ada.id).where('name', '=', 'For all').execute()
    const bob = await app.newUser('bob@example.com')
    const source = await sources['files']!.open({ deps: app.deps, paths: [mine], files: undefined })
    const options = { name: 'files', owner: await accountOf(bob.id), domain: '', isDryRun: false, report: null, signal }
    expect(await runImport(app.deps, source, { ...options, print: () => {} })).toMatchObject({
      imported: 3,
      problems: 0,
    })
    expect(await readFile(join(mine, 'albums.json'), 'utf8')).not.toContain('argon2')
    const shared = await sharedBy(bob.id)
    expect(shared.albums).toEqual(sharedByAda.albums)
    expect(shared.albums.map(({ title, images }) => [title, images.length])).toEqual([
      ['Cats', 2],
      ['Inside', 1],
      ['Live', 0],
    ])
    // Passwords are in backups only: who has the link sets a new one.
    const note = expect.stringContaining('its password cannot be checked here')
    expect(shared.links).toEqual(
      sharedByAda.links.map((link) => (link.isGuarded ? { ...link, note, isRevoked: true } : link)),
    )
    // The address stays where it is free.
    expect((await slugsOf(bob.id)).filter((slug) => slugs.includes(slug))).toHaveLength(1)

    const imagesOf = (id: string) =>
      db
        .selectFrom('images')
        .select(columnsReadBack)
        .where('owner_id', '=', id)
        .where('quarantined_at', 'is', null)
        .orderBy('sha256')
        .execute()
    // An import gives an image the extension of its format.
    const named = (name: string) => (name === 'index.html' ? 'index.html.png' : name)
    const exported = await imagesOf(ada.id)
    expect(await imagesOf(bob.id)).toEqual(
      exported.map((image) => ({ ...image, original_name: named(image.original_name) })),
    )
    expect(await db.selectFrom('image_tags').select('tag').execute()).toEqual([{ tag: 'pets' }, { tag: 'pets' }])
  },
)

it('names that are longer than file systems allow are cut, and a file that is missing does not end the export', async () => {
  const eve = await app.newUser('eve@example.com')
  const upload = async (n: number) =>
    (await app.upload(await jpeg(60 + n, 40), { name: `${'漢'.repeat(150)}.jpg`, token: eve.token })).body
  const [, , lost] = [await upload(0), await upload(1), await upload(2)]
  await app.deps.blobs.delete(lost.id)
  const folder = await mkdtemp(join(root, 'long-'))
  expect(await exportAccount(app.deps, await accountOf(eve.id), { folder, signal })).toMatchObject({
    images: 2,
    missing: [{ id: lost.id, problem: 'its bytes are missing: run check' }],
  })
  const stem = '漢'.repeat(80)
  expect((await readdir(folder)).toSorted()).toEqual(['images.json', 'index.html', `${stem} (2).jpg`, `${stem}.jpg`])
})

/** Tables with rows of a user: of images.json, and of albums.json. */
const exported = ['images', 'image_tags', 'albums', 'links']
/** Those that are in no file, by the reason. */
const leftOut: Record<string, string[]> = {
  'copies and counts': ['images_by_views'],
  'made anew at the next host': ['api_keys', 'webhooks', 'tags'],
  'the accounts of others are elsewhere': ['album_members'],
  'belongs to the login here': [
    'sessions',
    'totp_factors',
    'passkeys',
    'recovery_codes',
    'identities',
    'known_browsers',
    'mail_links',
    'pin_attempts',
  ],
  'mail from here': ['outgoing_mail', 'expiry_digests'],
  'of images that are gone or reported': ['tombstones', 'report_cases'],
}

it('every table with rows of a user is exported, or has a reason not to be', async () => {
  const found = (await app.deps.db.introspection.getTables()).filter(({ columns }) =>
    columns.some(({ name }) => /(^|_)(user|owner)_id$/.test(name)),
  )
  const decided = [...exported, ...Object.values(leftOut).flat()]
  expect(new Set(found.map(({ name }) => name))).toEqual(new Set(decided))
})
