// Imports small instances of other hosts: SQLite, PostgreSQL and, where it is installed, MariaDB.
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { hash } from '@node-rs/argon2'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { passwordMatches } from '../domain/accounts/passwords.ts'
import type { Account } from '../domain/shared/caller.ts'
import { loadDriver } from '../db/sqlite.ts'
import { cheapHash, startTestApp, type TestApp } from '../testing/app.ts'
import {
  type OtherHost,
  type OtherHostImage,
  makeChevereto,
  makeLsky,
  makeLychee,
  makePicsur,
  makeSlink,
  makeZipline,
} from '../testing/other-hosts.ts'
import { type MariaDb, startMariaDb } from '../testing/mariadb.ts'
import { newDatabase, type PostgresServer, startPostgres } from '../testing/postgres.ts'
import { jpeg } from '../testing/test-images.ts'
import { createIdEncoder } from './chevereto.ts'
import { isUsableHash } from './import-users.ts'
import { metadataOf } from './sidecar-json.ts'
import { openReport } from './import-report.ts'
import { qoiToPng } from './qoi.ts'
import { runImport } from './run-import.ts'
import type { Source } from './source-types.ts'
import { sources } from './sources.ts'

let folder: string
let postgres: PostgresServer
let mariaDb: MariaDb | null
let pictures: OtherHostImage[]
/** One red pixel, then a run of 5: QOI_OP_RGB and QOI_OP_RUN. */
const qoi = Buffer.from('716f696600000003000000020300fe ff0000c4 0000000000000001'.replaceAll(' ', ''), 'hex')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-import-'))
  ;[postgres, mariaDb] = await Promise.all([startPostgres(), startMariaDb()])
  pictures = (await Promise.all(
    Array.from({ length: 12 }, async (_, n) => ({
      bytes: await jpeg(40 + n, 30),
      name: `Pïcture ${n}.jpg`,
      owner: n % 3 === 2 ? null : n % 3 === 1 ? 2 : 1,
      createdAt: new Date(Date.UTC(2024, 4, 6, 7, 8, n)),
    })),
  )) as OtherHostImage[]
}, 60_000)
afterAll(async () => {
  await postgres?.stop()
  await mariaDb?.stop()
  await rm(folder, { recursive: true })
})

const newFolder = () => mkdtemp(join(folder, 'host-'))
const newUrl = async () => (await newDatabase(postgres.url)).url
const place = async () => ({ folder: await newFolder(), images: pictures })

const hosts: [string, () => Promise<OtherHost | null>][] = [
  ['Slink', async () => makeSlink(await place())],
  ['Zipline', async () => makeZipline(await place(), await newUrl(), await hash('the old password', cheapHash))],
  ['Chevereto on MariaDB', async () => mariaDb && makeChevereto(await place(), await mariaDb.newDatabase())],
  ['Lsky on SQLite', async () => makeLsky(await place(), join(await newFolder(), 'lsky.sqlite'))],
  ['Lsky on PostgreSQL', async () => makeLsky(await place(), await newUrl())],
  ['Lsky on MariaDB', async () => mariaDb && makeLsky(await place(), await mariaDb.newDatabase())],
  ['Picsur', async () => makePicsur(await place(), await newUrl(), qoi)],
  ['Lychee 5', async () => makeLychee(await place(), 5)],
  ['Lychee 7', async () => makeLychee(await place(), 7)],
]

it('every source is tested, those of files and URLs below', () => {
  const tested = hosts.map(([title]) => title.split(' ')[0]?.toLowerCase())
  expect(new Set([...tested, 'files', 'urls'])).toEqual(new Set(Object.keys(sources)))
})

interface RunOptions {
  /** Stops the import when that many pictures are read. */
  stopAfter?: number
  isDryRun?: boolean
  reportPath?: string
}

async function run(app: TestApp, host: Pick<OtherHost, 'kind' | 'location' | 'files'>, options: RunOptions = {}) {
  const source = await sources[host.kind]!.open({ deps: app.deps, paths: [host.location], files: host.files })
  return runSource(app, source, options, host.kind)
}

async function runSource(app: TestApp, source: Source, options: RunOptions = {}, name = 'test') {
  const printed: string[] = []
  const stopping = new AbortController()
  let read = 0
  async function* images(): ReturnType<typeof source.images> {
    for await (const image of source.images()) {
      const save: typeof image.save = (...given) => {
        if (++read === options.stopAfter) stopping.abort(new Error('stopped'))
        return image.save(...given)
      }
      yield { ...image, save }
    }
  }
  const report = options.reportPath === undefined ? null : await openReport(options.reportPath)
  try {
    const count = await runImport(
      app.deps,
      { ...source, images },
      {
        name,
        owner: null,
        domain: 'imported.invalid',
        isDryRun: options.isDryRun ?? false,
        report,
        signal: stopping.signal,
        print: (line) => printed.push(line),
      },
    )
    return { ...count, printed: printed.join('\n') }
  } finally {
    await report?.close()
    await source.close()
  }
}

const imagesOf = ({ deps }: TestApp) =>
  deps.db
    .selectFrom('images')
    .leftJoin('users', 'users.id', 'images.owner_id')
    .select([
      'images.id',
      'file_name',
      'original_name',
      'title',
      'alt',
      'email',
      'images.created_at',
      'expires_at',
      'sha256',
      'views_left',
      'views',
    ])
    .orderBy('images.created_at')
    .execute()

/** The albums and links, as other-hosts.ts describes them. */
async function sharedBy({ deps }: TestApp) {
  const { db } = deps
  const albums = await db.selectFrom('albums').selectAll().orderBy('title').execute()
  const images = await db.selectFrom('images').select(['id', 'original_name']).execute()
  const indexOf = (id: string | null | undefined) => {
    const name = images.find((image) => image.id === id)?.original_name ?? ''
    const index = pictures.findIndex((picture) => picture.name === name)
    return index === -1 ? name : index
  }
  const titleOf = (id: string | null) => albums.find((album) => album.id === id)?.title
  const placed = await db.selectFrom('album_images').selectAll().orderBy('position').execute()
  const named = await db.selectFrom('link_images').selectAll().execute()
  const links = await db.selectFrom('links').selectAll().execute()
  const stateOf = (link: (typeof links)[number]) =>
    link.revoked_at !== null && link.password_hash !== null
      ? 'locked'
      : link.password_hash !== null
        ? 'guarded'
        : link.ends_at !== null
          ? 'ended'
          : 'open'
  return {
    albums: albums.map((album) => ({
      title: album.title,
      description: album.description,
      in: titleOf(album.parent_id),
      cover: album.cover_id === null ? undefined : indexOf(album.cover_id),
      images: placed.filter((row) => row.album_id === album.id).map((row) => indexOf(row.image_id)),
    })),
    links: links
      .map((link) => ({
        of: titleOf(link.album_id) ?? indexOf(named.find((row) => row.link_id === link.id)?.image_id),
        is: stateOf(link),
      }))
      .toSorted((a, b) => (String(a.of) < String(b.of) ? -1 : 1)),
  }
}

describe.each(hosts)('%s', (_, make) => {
  let app: TestApp
  let host: OtherHost | null
  beforeAll(async () => {
    app = await startTestApp({ LEGACY_PATHS: 'on' })
    host = await make()
  }, 60_000)
  afterAll(() => app.stop())

  it(
    'arrives once, with accounts, names, texts, dates, albums, links and old addresses',
    { timeout: 60_000 },
    async ({ skip }) => {
      if (!host) return skip('MariaDB is not installed')
      const dry = await run(app, host, { isDryRun: true })
      expect(await imagesOf(app)).toEqual([])
      expect(await app.deps.db.selectFrom('users').selectAll().execute()).toEqual([])

      const reportPath = join(folder, 'report.csv')
      const expected = {
        imported: pictures.length + host.more,
        problems: host.problems,
        withPassword: host.withPassword,
        existed: 0,
      }
      expect(dry).toMatchObject(expected)
      expect(await run(app, host, { reportPath })).toMatchObject(expected)

      const images = await imagesOf(app)
      const hasGuests = host.kind !== 'lychee'
      for (const [n, { name, owner, createdAt }] of pictures.entries()) {
        const email = owner === null ? (hasGuests ? null : host.emails[0]) : host.emails[owner - 1]
        const found = images.find((image) => image.original_name === name)
        expect([n, found?.email, found?.created_at]).toEqual([n, email, createdAt.getTime()])
        expect(found?.expires_at).toBeGreaterThan(Date.now())
        for (const path of host.pathsOf(n)) {
          const response = await app.request(path, { redirect: 'manual' })
          expect([path, response.status]).toEqual([path, 301])
          expect(response.headers.get('location')).toContain(found?.id)
          // User 2 is suspended at most of the hosts.
          if (owner !== 2) expect([path, (await app.request(path)).status]).toEqual([path, 200])
        }
      }
      for (const path of host.guarded ?? []) expect([path, (await app.request(path)).status]).toEqual([path, 404])
      const first = images.find((image) => image.original_name === pictures[0]?.name)
      const tags = await app.deps.db
        .selectFrom('image_tags')
        .select('tag')
        .where('image_id', '=', first?.id ?? '')
        .orderBy('tag')
        .execute()
      expect(tags.map(({ tag }) => tag)).toEqual(host.tags.map((tag) => tag.toLowerCase()))
      expect({ title: first?.title, alt: first?.alt }).toEqual(host.texts ?? { title: '', alt: '' })

      const shared = await sharedBy(app)
      expect(shared.albums).toEqual(
        host.albums.map(({ description = '', in: outer, cover, ...album }) => ({
          ...album,
          description,
          in: outer,
          cover,
        })),
      )
      expect(shared.links).toEqual(host.links)

      const users = await app.deps.db.selectFrom('users').selectAll().orderBy('email', 'desc').execute()
      expect(users.map(({ email }) => email).toSorted()).toEqual(host.emails.toSorted())
      expect(users.map(({ role }) => role)).toEqual(['user', 'user'])

      const lines = (await readFile(reportPath, 'utf8')).trim().split('\r\n')
      expect(lines).toHaveLength(1 + 2 + expected.imported + expected.problems + host.albums.length + host.links.length)
      expect(lines.filter((line) => line.startsWith('problem,'))).toHaveLength(host.problems)
      expect(lines.filter((line) => line.includes('had a password there'))).toHaveLength(host.withPassword)

      const again = { imported: 0, existed: expected.imported, problems: host.problems }
      expect(await run(app, host)).toMatchObject(again)
      expect(await imagesOf(app)).toHaveLength(expected.imported)
      expect(await sharedBy(app)).toEqual(shared)

      // What its owner changed here stays: an album that was deleted does not come back, and nothing returns to one.
      const { db } = app.deps
      await db.deleteFrom('album_images').execute()
      await db.deleteFrom('albums').where('parent_id', 'is not', null).execute()
      await db.deleteFrom('links').execute()
      const changed = await sharedBy(app)
      await run(app, host)
      expect(await sharedBy(app)).toEqual(changed)
    },
  )
})

it('an import that is stopped continues, and stores no picture twice', { timeout: 60_000 }, async () => {
  const app = await startTestApp()
  try {
    const host = await makeSlink(await place())
    await expect(run(app, host, { stopAfter: 5 })).rejects.toThrow('stopped')
    const some = (await imagesOf(app)).length
    expect(some).toBeLessThan(pictures.length)
    expect(await run(app, host)).toMatchObject({ imported: pictures.length - some, existed: some })
    expect(await imagesOf(app)).toHaveLength(pictures.length)
    expect(await app.files('tmp')).toEqual([])
  } finally {
    await app.stop()
  }
})

it.each([
  ['$argon2id$v=19$m=65536,t=3,p=4$', true],
  ['$argon2i$v=19$m=65536,t=4,p=1$', true],
  ['$argon2id$v=19$m=65537,t=3,p=4$', false],
  ['$argon2id$v=19$m=65536,t=5,p=4$', false],
  ['$argon2id$v=19$m=65536,t=3,p=5$', false],
  ['$argon2id$v=16$m=4096,t=3,p=1$', false],
  ['$2b$10$', false],
  ['', false],
])('a hash that begins with "%s" is imported: %s', (hash, isUsable) => {
  expect(isUsableHash(`${hash}c2FsdHNhbHQ$aGFzaA`)).toBe(isUsable)
})

it(
  'an argon2 password of the source stays valid, and others do not open the account',
  { timeout: 60_000 },
  async () => {
    const app = await startTestApp()
    try {
      await run(app, (await hosts[1]![1]())!)
      const login = (email: string, password: string) =>
        app.call('POST', '/api/login', { body: { email, password } }).then(({ status }) => status)
      expect(await login('user-1@imported.invalid', 'the old password')).toBe(200)
      expect(await login('user-1-2@imported.invalid', 'the old password')).toBe(401)
    } finally {
      await app.stop()
    }
  },
)

it(
  'a file with a password has no old address and is named, a limit of views remains, and what is deleted here does not come back',
  { timeout: 60_000 },
  async () => {
    const app = await startTestApp({ LEGACY_PATHS: 'on' })
    try {
      const host = (await hosts[1]![1]())!
      const note = 'it had a password there; here it is private and has a link'
      const reportPath = join(await newFolder(), 'report.csv')
      for (const isDryRun of [true, false]) {
        const { printed } = await run(app, host, { isDryRun, reportPath })
        expect(printed).toContain(`secret.jpg (secret): ${note}`)
        expect(printed).toContain('1 of them had a password there')
        expect(printed).toContain('missing.jpg (missing): there is no file missing.jpg')
        expect(await readFile(reportPath, 'utf8')).toMatch(
          new RegExp(`^imported,image,secret,secret\\.jpg,.*,,${note}\r$`, 'm'),
        )
      }
      const status = async (path: string) => (await app.request(path)).status
      expect(await status('/u/secret.jpg')).toBe(404)
      const secret = (await imagesOf(app)).find((image) => image.original_name === 'secret.jpg')
      expect(await status(`/uploads/${secret?.file_name}`)).toBe(404)
      const links = app.deps.db.selectFrom('links').select(['slug', 'password_hash']).where('album_id', 'is', null)
      const [link] = await links.execute()
      expect(await passwordMatches('the old password', link?.password_hash ?? null)).toBe(true)
      expect(await status('/u/pic0.jpg')).toBe(200)
      const limited = (await imagesOf(app)).filter((image) => image.views_left !== null)
      expect(limited.map((image) => [image.original_name, image.views_left, image.views])).toEqual([
        [pictures[1]?.name, 7, 3],
      ])
      const { removeImages } = await import('../domain/images/deletion/remove-images.ts')
      const first = (await imagesOf(app)).find((image) => image.original_name === pictures[0]?.name)
      await removeImages(app.deps, [first!.id], { actor: 'server', action: 'image_deleted' })
      expect(await run(app, host)).toMatchObject({ imported: 0, existed: pictures.length + host.more })
      expect(await status('/u/pic0.jpg')).toBe(410)
    } finally {
      await app.stop()
    }
  },
)

it('a dry run names the emails that the accounts would get, and creates none', async () => {
  const app = await startTestApp()
  try {
    const user = { email: null, isAdmin: true, isActive: true, createdAt: null, passwordHash: null }
    const source: Source = {
      async *users() {
        yield { ...user, id: '1', name: 'Bob Müller' }
        yield { ...user, id: '2', name: 'Bøb Müllér' }
        yield { ...user, id: '3', name: '李' }
        yield { ...user, id: '4', name: 'Ada', email: 'Ada@example.com' }
        yield { ...user, id: '5', name: 'Ada too', email: 'ada@example.com' }
      },
      async *images() {},
      close: async () => {},
    }
    const emails = [
      'bob-muller@imported.invalid',
      'bob-muller-2@imported.invalid',
      'user@imported.invalid',
      'ada@example.com',
    ]
    const expected = [
      'Accounts: 4 would be created, 1 already existed.',
      ...emails.map((email) => `${email} was an admin there. To make it one here, run promote ${email}`),
    ]
    const print = (isDryRun: boolean) => runSource(app, source, { isDryRun }).then(({ printed }) => printed.split('\n'))
    expect(await print(true)).toEqual(expect.arrayContaining(expected))
    const created = await print(false)
    expect(created).toEqual(expect.arrayContaining(expected.slice(1)))
    const users = await app.deps.db.selectFrom('users').select('email').execute()
    expect(users.map(({ email }) => email).toSorted()).toEqual(emails.toSorted())
  } finally {
    await app.stop()
  }
})

it('an account that has the same email here is used and not changed', { timeout: 60_000 }, async () => {
  const app = await startTestApp()
  try {
    const { id } = await app.newUser('user1@example.com')
    const before = await app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
    const { printed } = await run(app, await makeSlink(await place()))
    expect(printed).toContain('Accounts: 1 created, 1 already existed.')
    const after = await app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
    expect(after).toEqual({ ...before, image_count: 4, image_bytes: expect.any(Number) })
  } finally {
    await app.stop()
  }
})

it.each([
  ['', 0, 1, 'k'],
  ['', 0, 62, 'k1'],
  ['', 0, 123_456_789, 'eG1Nj'],
  ['Xy12abCD', 999, 1, 'Dr'],
  ['Xy12abCD', 999, 123_456_789, 'lR6QK7s'],
])('with the salt %j and padding %i, Chevereto writes the id %i as %s', (salt, padding, id, code) => {
  // Results of its function cheveretoID in PHP.
  expect(createIdEncoder(salt, padding)(id)).toBe(code)
})

it('words that name a picture become a file name with an extension and without markup', async () => {
  const app = await startTestApp()
  try {
    const words = ['Description "21" <b>', '<p>A <a href="/x">boat</a></p><p>in 1 < 2 colours</p>', 'boat.jpg', '<br>']
    const named = words.map((name, n) => ({ ...pictures[n]!, name, owner: 1 as const }))
    await run(app, await makeSlink({ folder: await newFolder(), images: named }))
    const images = await imagesOf(app)
    expect(images.map((image) => [image.original_name, image.alt])).toEqual([
      ['Description "21".jpg', 'Description "21"'],
      ['A boat in 1 < 2 colours.jpg', 'A boat in 1 < 2 colours'],
      ['boat.jpg', 'boat.jpg'],
      ['image.jpg', ''],
    ])
    expect(images[0]?.file_name).toMatch(/^description-21-/)
  } finally {
    await app.stop()
  }
})

it('links that are not published, have ended or have a password are not redirected', async () => {
  const app = await startTestApp()
  try {
    await run(app, await makeSlink(await place()))
    const paths = await app.deps.db.selectFrom('legacy_paths').select('path').where('path', 'like', '/i/%').execute()
    expect(paths).toEqual([{ path: '/i/short0' }])
  } finally {
    await app.stop()
  }
})

it('QOI becomes PNG with the same pixels', async () => {
  const { data, info } = await sharp(qoiToPng(qoi)).raw().toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 3, height: 2, channels: 3 })
  expect(data).toEqual(Buffer.from('ff0000'.repeat(6), 'hex'))
  expect(() => qoiToPng(Buffer.from('716f6966ffffffffffffffff0300', 'hex'))).toThrow('pixels')
  expect(() => qoiToPng(Buffer.from('716f696600000400000004000300', 'hex'))).toThrow('incomplete')
})

it.each([
  [{ timestamp: 1_400_000_000.1234 }, { createdAt: 1_400_000_000_123 }],
  [{ created_at: '9'.repeat(400), date: '2014-05-13' }, { createdAt: Date.UTC(2014, 4, 13) }],
  [{ created_at: { timestamp: { timestamp: '1400000000' } } }, {}],
  [{ views_left: 3 }, { viewsLeft: 3 }],
  [{ views: 12 }, { views: 12 }],
  [{ views: '12' }, {}],
  [{ views_left: null, tags: ['sea', 1] }, { tags: ['sea'] }],
])('the JSON %j says %j', (parsed, metadata) => {
  expect(metadataOf(parsed)).toEqual(metadata)
})

describe('files and URLs', () => {
  let app: TestApp
  let owner: Account
  beforeAll(async () => {
    // PostgreSQL stores no NUL.
    app = await startTestApp({ DATABASE_URL: await newUrl(), JWT_SECRET: 'a secret of the tests, long enough' })
    const { id } = await app.newUser()
    owner = await app.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  })
  afterAll(() => app.stop())

  const picture = (n: number) => pictures[n]?.bytes ?? Buffer.alloc(0)
  const takeout = (title: string, seconds: number) => ({
    title,
    description: 'On the beach',
    photoTakenTime: { timestamp: String(seconds) },
  })
  let printed: string[]
  const importAll = async (kind: string, name: string, ...paths: [string, ...string[]]) => {
    const source = await sources[kind]!.open({ deps: app.deps, paths, files: undefined })
    const { signal } = new AbortController()
    printed = []
    const print = (line: string) => printed.push(line)
    const options = { name, owner, domain: '', isDryRun: false, report: null, print, signal }
    try {
      return await runImport(app.deps, source, options)
    } finally {
      await source.close()
    }
  }
  const importedAs = async (name: string) => {
    const imported = await app.deps.db.selectFrom('imported_rows').selectAll().where('source', '=', name).execute()
    const ids = imported.filter(({ kind }) => kind === 'image').map((row) => row.target_id)
    const albumIds = imported.filter(({ kind }) => kind === 'album').map((row) => row.target_id)
    const images = (await imagesOf(app)).filter(({ id }) => ids.includes(id))
    expect(new Set(images.map(({ email }) => email))).toEqual(new Set([owner.email]))
    const tags = app.deps.db.selectFrom('image_tags').select('tag').where('image_id', 'in', ids).orderBy('tag')
    const albums = app.deps.db
      .selectFrom('albums')
      .innerJoin('album_images', 'album_id', 'albums.id')
      .select(({ fn }) => ['title', fn.countAll().as('count')])
      .where('albums.id', 'in', albumIds.length === 0 ? ['none'] : albumIds)
      .groupBy('title')
      .orderBy('title')
    return {
      images: images.map((image) => [image.original_name, Math.floor(image.created_at / 1000)]),
      texts: images.map(({ title, alt }) => [title, alt]),
      tags: (await tags.execute()).map(({ tag }) => tag),
      albums: (await albums.execute()).map(({ title, count }) => [title, Number(count)]),
    }
  }

  const long = 'A name with more than forty-six characters in all.jpg'
  const json = (value: unknown) => Buffer.from(JSON.stringify(value))
  const files = (): Record<string, Buffer> => ({
    'Takeout/Photos from 2020/IMG_1.jpg': picture(0),
    'Takeout/Photos from 2020/IMG_1.jpg.supplemental-metadata.json': json(takeout('IMG_1.jpg', 1_600_000_000)),
    'Takeout/Photos from 2020/IMG_1(1).jpg': picture(1),
    'Takeout/Photos from 2020/IMG_1.jpg.supplemental-metadata(1).json': json(takeout('IMG_1.jpg', 1_600_000_001)),
    'Takeout/Photos from 2020/IMG_1-edited.jpg': picture(2),
    [`Takeout/Photos from 2020/${long.slice(0, 47)}.jpg`]: picture(3),
    [`Takeout/Photos from 2020/${long.slice(0, 46)}.json`]: json(takeout(long, 1_600_000_003)),
    'Takeout/Trip/IMG_1.jpg': picture(0),
    'Takeout/Trip/IMG_1.jpg.json': json(takeout('IMG_1.jpg', 1_600_000_000)),
    'Takeout/Trip/metadata.json': json({ title: 'A trip' }),
    'imgur/aBcDeFg.jpg': picture(4),
    'imgur/images.json': json([
      { id: 'aBcDeFg', title: 'A caption', description: `A ${'long '.repeat(300)}text`, datetime: 1_500_000_000 },
    ]),
    'plain/photo.jpg': picture(5),
    'plain/film.mp4': picture(5),
    'plain/broken.png': Buffer.from('no picture'),
    '.hidden/photo.jpg': picture(6),
    'top.jpg': picture(8),
    'top.jpg.json': json({ name: 'At the top', date: '2014-05-13', tags: ['\0 nul'] }),
  })
  const found = {
    images: [
      ['At the top.jpg', Date.UTC(2014, 4, 13) / 1000],
      ['A caption.jpg', 1_500_000_000],
      ['IMG_1.jpg', 1_600_000_000],
      ['IMG_1.jpg', 1_600_000_000],
      ['IMG_1.jpg', 1_600_000_001],
      [long, 1_600_000_003],
      ['photo.jpg', expect.any(Number)],
    ],
    texts: [
      ['', ''],
      ['A caption', `A ${'long '.repeat(300)}`.slice(0, 1000).trim()],
      ...Array.from({ length: 4 }, () => ['', 'On the beach']),
      ['', ''],
    ],
    tags: ['nul'],
    albums: [
      ['A trip', 1],
      ['imgur', 1],
      ['plain', 1],
    ],
  }

  it('a folder gives names, texts, dates and albums, and copies are stored once', { timeout: 60_000 }, async () => {
    const root = await newFolder()
    for (const [path, bytes] of Object.entries(files())) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), bytes)
    }
    expect(await importAll('files', 'folder', root)).toMatchObject({ imported: 7, existed: 1, problems: 2 })
    expect(await importAll('files', 'folder', root)).toMatchObject({ imported: 0, existed: 8, problems: 2 })
    expect(printed.filter((line) => line.includes('broken'))).toEqual([
      `${join(root, 'plain/broken.png')}: File type must be PNG, JPG, JPEG, WebP, GIF or SVG`,
    ])
    expect(await importedAs('folder')).toEqual(found)
  })

  it('ZIP archives give the same, also with JSON in another archive', { timeout: 60_000 }, async () => {
    const [imageZip, jsonZip] = [join(folder, 'pictures.zip'), join(folder, 'json.zip')] as const
    const isJson = ([path]: [string, Buffer]) => path.endsWith('.json')
    await writeFile(jsonZip, zipOf(Object.entries(files()).filter(isJson)))
    await writeFile(imageZip, zipOf(Object.entries(files()).filter((file) => !isJson(file))))
    expect(await importAll('files', 'zip', imageZip, jsonZip)).toMatchObject({ imported: 7, existed: 1, problems: 2 })
    expect(await importedAs('zip')).toEqual(found)
    await expect(importAll('files', 'zip', join(folder, 'report.csv'))).rejects.toThrow('neither a folder nor a ZIP')
  })

  it('an entry of an archive that cannot be read is a problem, and the others are imported', async () => {
    const path = join(folder, 'damaged.zip')
    const noDeflate = Buffer.from('no deflate data')
    await writeFile(
      path,
      zipOf([
        ['dam\x1b[31maged.jpg', noDeflate, { method: 8 }],
        ['encrypted.jpg', noDeflate, { method: 8, flags: 1 }],
        ['large.jpg', noDeflate, { method: 8, size: 2 ** 31 }],
        ['film\0.mp4', noDeflate],
        ['empty.jpg', Buffer.alloc(0)],
        ['good.jpg', picture(9)],
        ['good.jpg.json', noDeflate, { method: 8 }],
      ]),
    )
    expect(await importAll('files', 'damaged', path)).toMatchObject({ imported: 1, problems: 5 })
    const problems = printed.filter((line) => line.startsWith(path)).map((line) => line.replace(`${path}/`, ''))
    expect(problems.toSorted()).toEqual([
      expect.stringMatching(/^dam\uFFFD\[31maged\.jpg: it cannot be read: /),
      'empty.jpg: it is empty',
      expect.stringMatching(/^encrypted\.jpg: it cannot be read: /),
      'film.mp4: its type cannot be imported, only PNG, JPG, JPEG, WebP, GIF or SVG',
      expect.stringMatching(/^large\.jpg: it has 2147483648 bytes, and USER_MAX_BYTES allows /),
    ])
  })

  it.each<[string, (archive: Buffer) => Buffer, found: number]>([
    ['cut', (archive) => archive.subarray(0, -10), 0],
    ['damaged in the first entry of its list', (archive) => overwrite(archive, archive.indexOf('PK\x01\x02')), 0],
    ['damaged in the last entry of its list', (archive) => overwrite(archive, archive.lastIndexOf('PK\x01\x02')), 1],
  ])('an archive that is %s is a problem, and others are imported', async (damage, change, found) => {
    const [damaged, good] = [join(folder, 'damaged.zip'), join(folder, 'good.zip')] as const
    await writeFile(
      damaged,
      change(
        zipOf([
          ['first.jpg', picture(1)],
          ['last.jpg', picture(2)],
        ]),
      ),
    )
    await writeFile(good, zipOf([['good.jpg', picture(3)]]))
    expect(await importAll('files', damage, damaged, good)).toMatchObject({ imported: 1 + found, problems: 1 })
    expect(printed[0]).toContain(
      `damaged.zip (${damaged}): the archive is damaged, and not all of its files were found: `,
    )
  })

  it('a list of URLs is fetched, and each URL that fails is a problem', async () => {
    const site = createServer((request, response) => {
      // The same server by another address.
      const location = `http://[::ffff:127.0.0.1]:${request.socket.localPort}/a%20b.jpg`
      const headers = { 'last-modified': 'Mon, 06 May 2019 07:08:09 GMT' }
      // What hosts with reproducible files say of all of them.
      const epoch = { 'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT' }
      if (request.url === '/a%20b.jpg') response.writeHead(200, headers).end(picture(7))
      else if (request.url === '/new.jpg') response.writeHead(200, epoch).end(picture(8))
      else if (request.url === '/inward.jpg') response.writeHead(302, { location }).end()
      else response.writeHead(404).end()
    })
    await once(site.listen(0, '127.0.0.1'), 'listening')
    const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    const list = join(folder, 'urls.txt')
    await writeFile(
      list,
      `# pictures\r\n${base}/a%20b.jpg\r\n\n${base}/new.jpg\n${base}/missing.jpg\n${base}/inw\0ard.jpg\nftp://example.com/x.jpg\n`,
    )
    try {
      expect(await importAll('urls', 'urls', list)).toMatchObject({ imported: 2, problems: 3, paths: 2 })
      expect(printed.join('\n')).toContain('its host is unknown or not public')
      const { images } = await importedAs('urls')
      expect(images.find(([name]) => name === 'a b.jpg')).toEqual(['a b.jpg', Date.UTC(2019, 4, 6, 7, 8, 9) / 1000])
      expect(images.find(([name]) => name === 'new.jpg')?.[1]).toBeGreaterThan(Date.UTC(2025) / 1000)
      const paths = await app.deps.db.selectFrom('legacy_paths').select('path').execute()
      expect(paths.map(({ path }) => path).toSorted()).toEqual(['/a b.jpg', '/new.jpg'])
    } finally {
      site.close()
    }
  })

  it('NUL characters in ids and names of an SQLite database are left out', async () => {
    const few = pictures.slice(0, 3)
    const host = await makeSlink({ folder: await newFolder(), images: few })
    const Database = await loadDriver()
    const db = new Database(host.location)
    db.exec(`update image set uuid = uuid || char(0), user_id = user_id || char(0), description = char(0) || description;
      update user set uuid = uuid || char(0), display_name = display_name || char(0)`)
    db.close()
    const expected = { imported: few.length, existed: 0, problems: host.problems }
    expect(await run(app, host)).toMatchObject(expected)
    expect(await run(app, host)).toMatchObject({ ...expected, imported: 0, existed: few.length })
  })
})

function overwrite(archive: Buffer, at: number): Buffer {
  archive.write('overwritten', at)
  return archive
}

/** What is wrong in the header of a file. */
interface ZipHeader {
  flags?: number
  method?: number
  size?: number
}

/** A ZIP archive of stored files, in the format of PKWARE's APPNOTE.TXT. */
function zipOf(files: [string, Buffer, ZipHeader?][]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, bytes, { flags = 0, method = 0, size = bytes.length } = {}] of files) {
    const name = Buffer.from(path)
    const common = Buffer.alloc(26)
    // Version 2.0, names in UTF-8, stored, 1 January 2024.
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800 | flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt16LE(((2024 - 1980) << 9) | (1 << 5) | 1, 8)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(name.length, 22)
    const position = Buffer.alloc(14)
    position.writeUInt32LE(offset, 10)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, name, bytes)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, position, name)
    offset += 4 + common.length + name.length + bytes.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}
