import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { fill, pack, unpack } from '../../testing/archives.ts'
import { contentsOf } from '../../testing/instances.ts'
import { jpeg } from '../../testing/test-images.ts'
import { takeBackup } from './backup-run.ts'
import { CommandRefused } from './command-refused.ts'
import { restoreBackup } from './restore-backup.ts'
import { backedUpTables, type TableName } from './table-list.ts'

/** Counts are not in a backup: they are counted again as the images come in. */
const withCounts: TableName[] = [...backedUpTables, 'album_counts']

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-restore-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('restore', () => {
  const others: TestApp[] = []
  afterAll(async () => {
    for (const other of others) await other.stop()
  })
  const fresh = async (environment: Record<string, string> = {}) => {
    const instance = await startTestApp(environment)
    others.push(instance)
    return instance
  }

  it('restores every row and byte of a snapshot that was taken while 8 clients upload', async () => {
    const source = await fresh()
    const user = await fill(source)
    let isOver = false
    const uploaded: string[] = []
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let n = 0; !isOver; n++) {
        const image = await source.guestImage(await jpeg(100 + client, 60 + n))
        uploaded.push(image.id)
        if (n % 3 === 0) await source.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
      }
    })
    let before = new Set<string>()
    const takeTwo = async () => {
      try {
        await expect.poll(() => uploaded.length).toBeGreaterThan(8)
        before = new Set(uploaded)
        return [await takeBackup(source.deps, { by: 'server' }), await takeBackup(source.deps, { by: 'server' })]
      } finally {
        isOver = true
        await Promise.all(clients)
      }
    }
    const taken = await takeTwo()

    for (const { path, manifest } of taken) {
      const target = await fresh()
      expect(await restoreBackup(target.deps, path)).toEqual(manifest)
      const there = await contentsOf(target.deps, backedUpTables)
      const images = there.rows['images'] as { id: string; sha256: string }[]
      expect(there.originals).toEqual(Object.fromEntries(images.map(({ id, sha256 }) => [id, sha256])))
      expect(images.length).toBe((manifest.tables['images']?.rows ?? 0) - manifest.left_out.length)
      const gone = new Set((there.rows['tombstones'] as { id: string }[]).map(({ id }) => id))
      const left = new Set(manifest.left_out.map(({ id }) => id))
      for (const id of before)
        expect([id, gone.has(id) || left.has(id) || there.originals[id] !== undefined]).toEqual([id, true])
      // What was not touched meanwhile is the same, row by row.
      const here = await contentsOf(source.deps, ['users', 'settings', 'api_keys'])
      for (const name of ['users', 'settings', 'api_keys']) expect(there.rows[name]).toEqual(here.rows[name])
    }
    const again = others.at(-1) as TestApp
    const login = await again.call('POST', '/api/login', { body: { email: user.email, password: 'secret-1' } })
    expect(login.status).toBe(200)
    const list = await again.call('GET', '/api/images', { token: login.body.token })
    expect(list.body).toHaveLength(5)
    for (const image of list.body) expect((await again.request(new URL(image.url).pathname)).status).toBe(200)
  })

  it('restores the same rows and bytes', async () => {
    const source = await fresh()
    await fill(source)
    const { path } = await takeBackup(source.deps, { by: 'cli' })
    const target = await fresh()
    await restoreBackup(target.deps, path)
    expect(await contentsOf(target.deps, withCounts)).toEqual(await contentsOf(source.deps, withCounts))
    expect(await target.files('tmp')).toEqual([])
  })

  it('works from one kind of database to the other and back', async () => {
    // In the run on PostgreSQL these are the two databases; in the other, two files of SQLite.
    const source = await fresh({ DATABASE_URL: '' })
    await fill(source)
    const middle = await fresh()
    await restoreBackup(middle.deps, (await takeBackup(source.deps, { by: 'cli' })).path)
    const end = await fresh({ DATABASE_URL: '' })
    await restoreBackup(end.deps, (await takeBackup(middle.deps, { by: 'cli' })).path)
    // The second backup is an entry of the audit log.
    const compared = withCounts.filter((name) => name !== 'audit_log')
    const all = await contentsOf(source.deps, compared)
    expect(await contentsOf(middle.deps, compared)).toEqual(all)
    expect(await contentsOf(end.deps, compared)).toEqual(all)
    const logs = await Promise.all([source, middle, end].map(({ deps }) => contentsOf(deps, ['audit_log'])))
    const [first = [], second = [], third = []] = logs.map(({ rows }) => rows['audit_log'])
    expect(second).toEqual(expect.arrayContaining(first))
    expect([second.length, third]).toEqual([first.length + 1, second])
  })

  it('sums up the views of a backup from before there was a sum, and keeps those of an import', async () => {
    const source = await fresh()
    const { id: viewed } = await source.guestImage(await jpeg(90, 60))
    const { id: imported } = await source.guestImage(await jpeg(90, 61))
    const { db } = source.deps
    for (const day of [1, 2])
      await db
        .insertInto('image_views')
        .values([viewed, imported].map((id) => ({ image_id: id, day, views: 3 })))
        .execute()
    await db.updateTable('images').set({ views: 100 }).where('id', '=', imported).execute()
    const target = await fresh()
    await restoreBackup(target.deps, (await takeBackup(source.deps, { by: 'cli' })).path)
    const rows = await target.deps.db.selectFrom('images').select(['id', 'views']).execute()
    expect(Object.fromEntries(rows.map(({ id, views }) => [id, views]))).toEqual({ [viewed]: 6, [imported]: 100 })
  })

  it('refuses an instance that is not empty and names its tables', async () => {
    const source = await fresh()
    await fill(source)
    const { path } = await takeBackup(source.deps, { by: 'cli' })
    const before = await contentsOf(source.deps, backedUpTables)
    await expect(restoreBackup(source.deps, path)).rejects.toThrow(/not empty \(users: \d+, images: \d+/)
    expect(await contentsOf(source.deps, backedUpTables)).toEqual(before)
  })

  describe('of rows only', () => {
    let source: TestApp
    let path: string
    beforeAll(async () => {
      source = await startTestApp()
      await fill(source)
      others.push(source)
      path = (await takeBackup(source.deps, { by: 'cli', isRowsOnly: true })).path
    })
    const copyOriginals = async (target: TestApp) => {
      await cp(join(source.dataDir, 'originals'), join(target.dataDir, 'originals'), { recursive: true })
      return (await contentsOf(source.deps, ['images'])).originals
    }

    it('needs no space for originals, and restores with those that are in the store before', async () => {
      const files = await unpack(await readFile(path))
      expect(files.filter(({ name }) => name.startsWith('originals/'))).toEqual([])
      const target = await fresh()
      await copyOriginals(target)
      // Of an image that was uploaded after the backup.
      await writeFile(join(target.dataDir, 'later'), 'later')
      await target.deps.blobs.put('later', join(target.dataDir, 'later'))
      await restoreBackup(target.deps, path)
      await target.deps.blobs.delete('later')
      expect(await contentsOf(target.deps, backedUpTables)).toEqual(await contentsOf(source.deps, backedUpTables))
    })

    it('refuses missing and damaged originals, changes nothing, and restores the others when asked to', async () => {
      const target = await fresh()
      const [missing = '', damaged = ''] = Object.keys(await copyOriginals(target))
      await target.deps.blobs.delete(missing)
      const original = join(target.dataDir, 'damaged')
      await writeFile(original, 'other bytes')
      await target.deps.blobs.put(damaged, original)
      const before = await contentsOf(target.deps, backedUpTables)
      const refusal = await restoreBackup(target.deps, path).catch((thrown: unknown) => thrown)
      expect(refusal).toBeInstanceOf(CommandRefused)
      for (const text of [`${missing} (missing)`, `${damaged} (damaged)`, 'Nothing was restored', '--partial'])
        expect((refusal as Error).message).toContain(text)
      expect(await contentsOf(target.deps, backedUpTables)).toEqual(before)

      const { left_out: leftOut } = await restoreBackup(target.deps, path, { isPartial: true })
      expect(leftOut).toHaveLength(2)
      const there = (await contentsOf(target.deps, ['images'])).rows['images'] as { id: string }[]
      const here = (await contentsOf(source.deps, ['images'])).rows['images'] as { id: string }[]
      expect(there).toEqual(here.filter(({ id }) => id !== missing && id !== damaged))
    })
  })

  describe('refuses an archive', () => {
    let source: TestApp
    let target: TestApp
    let good: { name: string; bytes: Buffer }[]
    let bytes: Buffer
    let empty: unknown
    beforeAll(async () => {
      source = await startTestApp()
      target = await startTestApp()
      await fill(source)
      const { path } = await takeBackup(source.deps, { by: 'cli' })
      bytes = await readFile(path)
      good = await unpack(bytes)
      empty = await contentsOf(target.deps, backedUpTables)
    })
    afterAll(async () => {
      await source.stop()
      await target.stop()
    })
    let path: string
    beforeEach(() => {
      path = join(folder, `${randomUUID()}.tar`)
    })

    const refused = async (message: RegExp) => {
      const error = await restoreBackup(target.deps, path).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(CommandRefused)
      expect((error as CommandRefused).message).toMatch(message)
      expect(await contentsOf(target.deps, backedUpTables)).toEqual(empty)
      expect(await target.files('tmp')).toEqual([])
    }
    const original = () => good.findIndex(({ name }) => name.startsWith('originals/'))
    const manifestWith = (change: (manifest: Record<string, never>) => void) => {
      const lines = (good.at(-1)?.bytes.toString() ?? '').split('\n')
      const head = JSON.parse(`${(lines[0] ?? '').replace(/,"files":\[$/, '')}}`)
      change(head)
      lines[0] = `${JSON.stringify(head).slice(0, -1)},"files":[`
      return [...good.slice(0, -1), { name: 'manifest.json', bytes: Buffer.from(lines.join('\n')) }]
    }

    it('with a flipped bit at any position', async () => {
      const inManifest = bytes.indexOf('"files":[') + 40
      const inRows = bytes.indexOf('"password_hash"') + 5
      const inImage = bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff])) + 50
      for (const at of [0, 200, inRows, inImage, inManifest]) {
        const flipped = Buffer.from(bytes)
        flipped[at] = (flipped[at] ?? 0) ^ 1
        await writeFile(path, flipped)
        await refused(/./)
      }
    })

    it('truncated at any position', async () => {
      for (const length of [0, 100, 512, 5000, Math.floor(bytes.length / 2), bytes.indexOf('manifest.json') + 700]) {
        await writeFile(path, bytes.subarray(0, length))
        await refused(/truncated|no manifest/)
      }
    })

    it('that is not an archive', async () => {
      await writeFile(path, Buffer.from('This is no archive. '.repeat(100)))
      await refused(/broken.*Nothing was restored: copy the archive again, or use an older one$/)
    })

    it.each([
      '../escaped',
      '/etc/passwd',
      'originals/../../escaped',
      'tables/../x.ndjson',
      'C:\\x',
      'originals/a/b',
      'tables/USERS.ndjson',
    ])('with the name %s', async (name) => {
      await pack(path, [{ name, bytes: Buffer.from('x') }, ...good])
      await refused(/contains the unexpected entry/)
    })

    it('with a link in it', async () => {
      await pack(path, [{ name: 'originals/link', bytes: Buffer.alloc(0), link: '/etc/passwd' }, ...good])
      await refused(/is not a file/)
    })

    it('with an extra file, a missing file, or two files swapped', async () => {
      const at = original()
      await pack(path, good.toSpliced(at, 0, { name: 'originals/more', bytes: Buffer.from('x') }))
      await refused(/has no row/)
      await pack(path, good.toSpliced(at, 1))
      await refused(/differs from the manifest/)
      const [one, two] = [good[at], good[at + 1]]
      if (one && two) await pack(path, good.with(at, two).with(at + 1, one))
      await refused(/has no row|not in its expected position/)
      await pack(path, [...good, { name: 'originals/after', bytes: Buffer.from('x') }])
      await refused(/continues after its manifest/)
      await pack(path, [...good.slice(0, 1), ...good])
      await refused(/not in its expected position/)
      await pack(path, good.slice(0, -1))
      await refused(/no manifest/)
    })

    it('with an original that does not match its row', async () => {
      const at = original()
      await pack(path, good.with(at, { name: good[at]?.name ?? '', bytes: Buffer.from('another picture') }))
      await refused(/does not match the size and checksum of its row/)
    })

    it('with wrong counts', async () => {
      await pack(
        path,
        manifestWith((manifest) => Object.assign(manifest['tables'] ?? {}, { users: { rows: 99 } })),
      )
      await refused(/users\.ndjson has \d+ rows, the manifest states 99/)
      await pack(
        path,
        manifestWith((manifest) => Object.assign(manifest['originals'] ?? {}, { bytes: 1 })),
      )
      await refused(/the manifest states \d+ of 1$/)
      await pack(
        path,
        manifestWith((manifest) => Object.assign(manifest, { left_out: [{ id: 'x', why: 'deleted' }] })),
      )
      await refused(/differ from those in the manifest/)
    })

    it('of another format or a newer version', async () => {
      await pack(
        path,
        manifestWith((manifest) => Object.assign(manifest, { format: 'other' })),
      )
      await refused(/cannot read the manifest/)
      await pack(
        path,
        manifestWith((manifest) => Object.assign(manifest, { version: 2 })),
      )
      await refused(/cannot read the manifest/)
      await pack(
        path,
        manifestWith((manifest) => Object.assign(manifest, { schema: '9999-later' })),
      )
      await refused(/newer version/)
    })

    it('whose rows the database refuses after the originals were stored', async () => {
      const at = good.findIndex(({ name }) => name === 'tables/users.ndjson')
      const users = good[at]?.bytes.toString().trim().split('\n') ?? []
      // A manifest that agrees, and a row that PostgreSQL and SQLite refuse: an address twice.
      const twice = JSON.stringify({ ...JSON.parse(users[0] ?? ''), id: 'another' })
      const bytes = Buffer.from(`${[...users, twice].join('\n')}\n`)
      const forged = good.with(at, { name: 'tables/users.ndjson', bytes })
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const manifest = manifestWith(({ tables: counts }) =>
        Object.assign(counts ?? {}, { users: { rows: users.length + 1 } }),
      ).at(-1)
      const text = (manifest?.bytes.toString() ?? '').replace(
        /\{"name":"tables\/users[^}]*\}/,
        JSON.stringify({ name: 'tables/users.ndjson', size: bytes.length, sha256 }),
      )
      await pack(path, forged.with(-1, { name: 'manifest.json', bytes: Buffer.from(text) }))
      await refused(/refuses rows of users/)
    })

    it('and then restores a valid one', async () => {
      await writeFile(path, bytes)
      await restoreBackup(target.deps, path)
      expect(await contentsOf(target.deps, backedUpTables)).toEqual(await contentsOf(source.deps, backedUpTables))
    })
  })
})
