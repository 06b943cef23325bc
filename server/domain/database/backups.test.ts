import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import tar from 'tar-stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { contentsOf } from '../../testing/instances.ts'
import { jpeg } from '../../testing/pictures.ts'
import { failBrokenBackups, scheduledBackup, takeBackup } from './backups.ts'
import { Refused } from './refused.ts'
import { restore } from './restore.ts'
import { allTables, backedUpTables, tables } from './tables.ts'

let app: TestApp
let admin: string
let folder: string
beforeAll(async () => {
  app = await startTestApp({ BACKUP_KEEP: '2' })
  folder = await mkdtemp(join(tmpdir(), 'image-host-backups-'))
  const user = await app.newUser('admin@example.com')
  await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', user.id).execute()
  admin = user.token
})
afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true })
})

const call = (method: string, path: string) => app.call(method, `/api/database/${path}`, { token: admin })
const listed = async () => (await call('GET', 'backups')).body.backups
const statusOf = async (id: string) => (await listed()).find((backup: { id: string }) => backup.id === id)
async function backedUp(): Promise<string> {
  const { status, body } = await call('POST', 'backup')
  expect(status).toBe(201)
  await expect.poll(() => statusOf(body.backupId), { timeout: 20_000 }).toMatchObject({ status: 'completed' })
  return body.backupId
}

/** A running instance with some of everything. */
async function fill(instance: TestApp): Promise<{ token: string; email: string }> {
  const user = await instance.newUser()
  for (let n = 0; n < 6; n++) {
    await instance.upload(await jpeg(60 + n, 50), { token: user.token, name: `Größe \u2028 ${n}.jpg` })
    await instance.guestImage(await jpeg(200 + n, 150))
  }
  const removed = await instance.guestImage(await jpeg(50, 50))
  await instance.call('DELETE', `/api/images/${removed.id}`, { guestToken: removed.delete_token })
  await instance.call('POST', '/api/api-keys', { token: user.token, body: { name: 'a key' } })
  return user
}

describe('the list of tables', () => {
  it('names every table with its key, and what refers to another after it', async () => {
    const { db } = app.deps
    const found = await db.introspection.getTables()
    expect(found.map(({ name }) => name).sort()).toEqual([...allTables].sort())
    for (const { name, columns } of found) {
      const { key, image } = tables[name as keyof typeof tables]
      expect(columns.map((column) => column.name)).toEqual(expect.arrayContaining([...key, ...(image ? [image] : [])]))
    }
  })

  it('knows which rows go with their image', async () => {
    const { readdirSync, readFileSync } = await import('node:fs')
    const migrations = new URL('../../db/migrations/', import.meta.url)
    const text = readdirSync(migrations)
      .map((name) => readFileSync(new URL(name, migrations), 'utf8'))
      .join('\n')
    for (const [, table = '', body = ''] of text.matchAll(/createTable\('(\w+)'\)([\s\S]*?)\.execute\(\)/g)) {
      const column = /addColumn\('(\w+)'[^\n]*references\('images\.id'\)/.exec(body)?.[1]
      if (column !== undefined) expect(tables[table as keyof typeof tables].image, table).toBe(column)
      for (const [, parent = ''] of body.matchAll(/references\('(\w+)\./g)) {
        const order = [parent, table].map((name) => allTables.indexOf(name as never))
        expect(order[0], `${parent} before ${table}`).toBeLessThan(order[1] ?? -1)
      }
    }
  })
})

describe('a backup', () => {
  it('runs in the background and is listed, downloaded, in part too, and deleted', async () => {
    await fill(app)
    const started = await call('POST', 'backup')
    expect(started).toMatchObject({
      status: 201,
      body: { message: expect.any(String), backupId: expect.any(String), estimatedTimeMinutes: 1 },
    })
    const id = started.body.backupId
    await expect.poll(() => statusOf(id)).toMatchObject({ status: 'completed' })
    const backup = await statusOf(id)
    expect(Object.keys(backup).toSorted()).toEqual(['created_at', 'id', 'size', 'status'])

    const headers = { authorization: `Bearer ${admin}` }
    const whole = await app.request(`/api/database/backups/${id}/download`, { headers })
    const bytes = Buffer.from(await whole.arrayBuffer())
    expect([whole.status, bytes.length]).toEqual([200, backup.size])
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/x-tar',
      'content-length': String(backup.size),
      'content-disposition': expect.stringMatching(/^attachment; filename="backup-[\dT-]+\.tar"$/),
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
    })
    const part = await app.request(`/api/database/backups/${id}/download`, {
      headers: { ...headers, range: 'bytes=1000-1999' },
    })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${backup.size}`])
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true)
    const beyond = await app.request(`/api/database/backups/${id}/download`, {
      headers: { ...headers, range: `bytes=${backup.size}-` },
    })
    expect(beyond.status).toBe(416)
    const head = await app.request(`/api/database/backups/${id}/download`, { headers, method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, `${backup.size}`, ''])

    const info = await stat(join(app.dataDir, 'backups', `${id}.tar`))
    expect(info.mode & 0o777).toBe(0o600)
    expect((await stat(join(app.dataDir, 'backups'))).mode & 0o777).toBe(0o700)
    expect((await call('GET', 'stats')).body.lastBackup).toBe(backup.created_at)

    expect((await call('DELETE', `backups/${id}`)).status).toBe(200)
    expect(await listed()).toEqual([])
    expect(await app.files('backups')).toEqual([])
    expect(await call('DELETE', `backups/${id}`)).toMatchObject({ status: 404, body: { code: 'backup_not_found' } })
    expect(await call('GET', `backups/${id}/download`)).toMatchObject({
      status: 404,
      body: { code: 'backup_not_found' },
    })
  })

  it('is for admins, and its archive under no public path', async () => {
    const id = await backedUp()
    const { token } = await app.newUser()
    for (const [method, path] of [
      ['POST', 'backup'],
      ['GET', 'backups'],
      ['GET', `backups/${id}/download`],
      ['DELETE', `backups/${id}`],
    ] as const) {
      expect((await app.call(method, `/api/database/${path}`)).status).toBe(401)
      expect((await app.call(method, `/api/database/${path}`, { token })).status).toBe(403)
    }
    for (const path of [`/backups/${id}.tar`, `/uploads/..%2Fbackups%2F${id}.tar`, `/data/backups/${id}.tar`]) {
      const response = await app.request(path)
      expect(await response.text()).not.toContain('ustar')
    }
  })

  it('has the manifest that says what is in it', async () => {
    const id = await backedUp()
    const files = await unpack(await readFile(join(app.dataDir, 'backups', `${id}.tar`)))
    const manifest = JSON.parse(files.at(-1)?.bytes.toString() ?? '')
    expect(files.at(-1)?.name).toBe('manifest.json')
    expect(manifest).toMatchObject({ format: 'image-host-backup', version: 1, app: '0.1.0', left_out: [] })
    expect(Object.keys(manifest.tables)).toEqual(backedUpTables)
    expect(manifest.files.map((file: { name: string }) => file.name)).toEqual(
      files.slice(0, -1).map(({ name }) => name),
    )
    expect(manifest.originals.count).toBe(files.filter(({ name }) => name.startsWith('originals/')).length)
    expect(JSON.stringify(files.map(({ name }) => name))).not.toContain('sessions')
  })

  it('is taken one at a time', async () => {
    const both = await Promise.all([call('POST', 'backup'), call('POST', 'backup')])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    const winner = both.find(({ status }) => status === 201)?.body.backupId
    expect(both.find(({ status }) => status === 409)?.body).toEqual({
      code: 'backup_running',
      error: `Backup ${winner} is running. Try again when it is done`,
    })
    await expect.poll(() => statusOf(winner)).toMatchObject({ status: 'completed' })
    expect((await app.files('backups')).every((name) => name.endsWith('.tar'))).toBe(true)
  })

  it('is neither downloaded nor deleted while it runs, and fails when nobody takes it any more', async () => {
    const now = app.deps.now()
    const row = { taken_by: 'cli', bytes: 5, progress: 40, error: null, created_at: now, seen_at: now } as const
    await app.deps.db
      .insertInto('backups')
      .values({ id: 'elsewhere', status: 'running', ...row })
      .execute()
    expect(await statusOf('elsewhere')).toMatchObject({ status: 'running', progress: 40, size: 5 })
    expect((await call('GET', 'backups/elsewhere/download')).body.code).toBe('backup_running')
    expect((await call('DELETE', 'backups/elsewhere')).body.code).toBe('backup_running')
    expect((await call('POST', 'backup')).body.code).toBe('backup_running')
    await app.deps.db
      .updateTable('backups')
      .set({ seen_at: now - limits.backup.deadMs - 1 })
      .execute()
    expect(await statusOf('elsewhere')).toMatchObject({ status: 'failed', error: 'Whoever took it has stopped' })
    expect((await call('GET', 'backups/elsewhere/download')).body.code).toBe('backup_not_found')
    expect((await call('DELETE', 'backups/elsewhere')).status).toBe(200)
  })

  it('whose archive is not here says so', async () => {
    const id = await backedUp()
    await rm(join(app.dataDir, 'backups', `${id}.tar`))
    expect(await call('GET', `backups/${id}/download`)).toMatchObject({
      status: 404,
      body: { code: 'backup_file_missing' },
    })
  })

  it('leaves out what has lost its bytes, and says so', async () => {
    const lost = await app.guestImage(await jpeg(40, 40))
    const damaged = await app.guestImage(await jpeg(41, 40))
    await app.deps.blobs.delete(lost.id)
    const path = join(app.dataDir, 'originals', damaged.id.slice(0, 2), damaged.id)
    const bytes = await readFile(path)
    await writeFile(path, bytes.fill(0, 100, 110))
    const { id, manifest } = await takeBackup(app.deps, 'server')
    expect(manifest.left_out).toEqual(
      expect.arrayContaining([
        { id: lost.id, why: 'missing' },
        { id: damaged.id, why: 'damaged' },
      ]),
    )
    expect(await statusOf(id)).toMatchObject({ status: 'completed', error: expect.stringContaining('2 images') })
    await app.deps.db.deleteFrom('images').where('id', 'in', [lost.id, damaged.id]).execute()
    await app.deps.blobs.delete(damaged.id)
  })

  it('fails when the store fails, leaving nothing', async () => {
    const broken = {
      ...app.deps,
      blobs: { ...app.deps.blobs, read: () => Promise.reject(new Error('the store is away')) },
    }
    await expect(takeBackup(broken, 'server')).rejects.toThrow('the store is away')
    expect((await listed())[0]).toMatchObject({ status: 'failed', error: 'the store is away', size: 0 })
    expect((await app.files('backups')).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(await app.files('tmp')).toEqual([])
  })

  it('stops with the server', async () => {
    const stopping = new AbortController()
    stopping.abort(new Error('The server was stopped'))
    await expect(takeBackup(app.deps, 'server', stopping.signal)).rejects.toThrow('The server was stopped')
    expect((await listed())[0]).toMatchObject({ status: 'failed', error: 'The server was stopped' })
  })
})

describe('by the clock', () => {
  it('takes one, keeps the newest, and is not repeated by a second server', async () => {
    app.moveClock(60_000)
    await backedUp()
    app.moveClock(60_000)
    const first = await scheduledBackup(app.deps)
    expect(first.backupId).toEqual(expect.any(String))
    expect(await scheduledBackup(app.deps)).toEqual({ backupId: null, removed: 0 })
    app.moveClock(60_000)
    const second = await scheduledBackup(app.deps)
    expect(second.removed).toBeGreaterThan(0)
    expect((await listed()).map(({ id }: { id: string }) => id)).toEqual([second.backupId, first.backupId])
    expect((await app.files('backups')).sort()).toEqual([`${first.backupId}.tar`, `${second.backupId}.tar`].sort())
  })
})

describe('a server that was killed', () => {
  it('has not completed what it was taking, and its file goes', async () => {
    const now = app.deps.now()
    const row = { bytes: 9, progress: 50, error: null, created_at: now, seen_at: now, status: 'running' } as const
    const mine = randomUUID()
    const file = join(app.dataDir, 'backups', `${mine}.tar.part`)
    const stray = join(app.dataDir, 'backups', 'stray.tar.part')
    await writeFile(file, 'half')
    await writeFile(stray, 'half')
    await app.deps.db
      .insertInto('backups')
      .values({ id: mine, taken_by: 'server', ...row })
      .execute()
    await failBrokenBackups(app.deps)
    expect(await statusOf(mine)).toMatchObject({ status: 'failed', error: 'The server was stopped while it ran' })
    expect((await readdir(join(app.dataDir, 'backups'))).filter((name) => name.endsWith('.part'))).toEqual([])

    const commands = randomUUID()
    await writeFile(join(app.dataDir, 'backups', `${commands}.tar.part`), 'half')
    await app.deps.db
      .insertInto('backups')
      .values({ id: commands, taken_by: 'cli', ...row })
      .execute()
    await failBrokenBackups(app.deps)
    expect(await statusOf(commands)).toMatchObject({ status: 'running' })
    expect(await readdir(join(app.dataDir, 'backups'))).toContain(`${commands}.tar.part`)
    await app.deps.db.deleteFrom('backups').where('id', '=', commands).execute()
  })
})

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

  it('brings every row and byte back, of the moment of the backup, while 8 clients upload', async () => {
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
    await expect.poll(() => uploaded.length).toBeGreaterThan(8)
    const before = new Set(uploaded)
    const takeTwo = async () => [await takeBackup(source.deps, 'server'), await takeBackup(source.deps, 'server')]
    const taken = await takeTwo().finally(() => (isOver = true))
    await Promise.all(clients)

    for (const { path, manifest } of taken) {
      const target = await fresh()
      expect(await restore(target.deps, path)).toEqual(manifest)
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
    expect(list.body).toHaveLength(6)
    for (const image of list.body) expect((await again.request(new URL(image.url).pathname)).status).toBe(200)
  })

  it('equals what was there, row by row and byte by byte', async () => {
    const source = await fresh()
    await fill(source)
    const { path } = await takeBackup(source.deps, 'cli')
    const target = await fresh()
    await restore(target.deps, path)
    expect(await contentsOf(target.deps, backedUpTables)).toEqual(await contentsOf(source.deps, backedUpTables))
    expect(await target.files('tmp')).toEqual([])
  })

  it('goes from one database to the other and back', async () => {
    // In the run on PostgreSQL these are the two databases; in the other, two files of SQLite.
    const source = await fresh({ DATABASE_URL: '' })
    await fill(source)
    const middle = await fresh()
    await restore(middle.deps, (await takeBackup(source.deps, 'cli')).path)
    const end = await fresh({ DATABASE_URL: '' })
    await restore(end.deps, (await takeBackup(middle.deps, 'cli')).path)
    const all = await contentsOf(source.deps, backedUpTables)
    expect(await contentsOf(middle.deps, backedUpTables)).toEqual(all)
    expect(await contentsOf(end.deps, backedUpTables)).toEqual(all)
  })

  it('refuses an instance that is not empty, naming what is there', async () => {
    const source = await fresh()
    await fill(source)
    const { path } = await takeBackup(source.deps, 'cli')
    const before = await contentsOf(app.deps, backedUpTables)
    await expect(restore(app.deps, path)).rejects.toThrow(/not empty \(users: \d+, images: \d+/)
    expect(await contentsOf(app.deps, backedUpTables)).toEqual(before)
  })

  describe('of a bad archive', () => {
    let source: TestApp
    let target: TestApp
    let good: { name: string; bytes: Buffer }[]
    let bytes: Buffer
    let empty: unknown
    beforeAll(async () => {
      source = await startTestApp()
      target = await startTestApp()
      await fill(source)
      const { path } = await takeBackup(source.deps, 'cli')
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
      const error = await restore(target.deps, path).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Refused)
      expect((error as Refused).message).toMatch(message)
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

    it('flipped anywhere', async () => {
      const inManifest = bytes.indexOf('"files":[') + 40
      const inRows = bytes.indexOf('"password_hash"') + 5
      const inPicture = bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff])) + 50
      for (const at of [0, 200, inRows, inPicture, inManifest]) {
        const flipped = Buffer.from(bytes)
        flipped[at] = (flipped[at] ?? 0) ^ 1
        await writeFile(path, flipped)
        await refused(/./)
      }
    })

    it('cut off anywhere', async () => {
      for (const length of [0, 100, 512, 5000, Math.floor(bytes.length / 2), bytes.indexOf('manifest.json') + 700]) {
        await writeFile(path, bytes.subarray(0, length))
        await refused(/cut off|no manifest/)
      }
    })

    it('that is none', async () => {
      await writeFile(path, Buffer.from('This is no archive. '.repeat(100)))
      await refused(/broken/)
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
      await refused(/which no backup does/)
    })

    it('with a link in it', async () => {
      await pack(path, [{ name: 'originals/link', bytes: Buffer.alloc(0), link: '/etc/passwd' }, ...good])
      await refused(/is not a file/)
    })

    it('with a file more, a file less, or two in each other’s place', async () => {
      const at = original()
      await pack(path, good.toSpliced(at, 0, { name: 'originals/more', bytes: Buffer.from('x') }))
      await refused(/has no row/)
      await pack(path, good.toSpliced(at, 1))
      await refused(/is not what the manifest says/)
      const [one, two] = [good[at], good[at + 1]]
      if (one && two) await pack(path, good.with(at, two).with(at + 1, one))
      await refused(/has no row|not in its place/)
      await pack(path, [...good, { name: 'originals/after', bytes: Buffer.from('x') }])
      await refused(/goes on after its manifest/)
      await pack(path, [...good.slice(0, 1), ...good])
      await refused(/not in its place/)
      await pack(path, good.slice(0, -1))
      await refused(/no manifest/)
    })

    it('with an original that is not its row’s', async () => {
      const at = original()
      await pack(path, good.with(at, { name: good[at]?.name ?? '', bytes: Buffer.from('another picture') }))
      await refused(/is not the picture that its row describes/)
    })

    it('with wrong counts', async () => {
      await pack(
        path,
        manifestWith((manifest) => Object.assign(manifest['tables'] ?? {}, { users: { rows: 99 } })),
      )
      await refused(/users\.ndjson holds \d+ rows, the manifest says 99/)
      await pack(
        path,
        manifestWith((manifest) => Object.assign(manifest['originals'] ?? {}, { bytes: 1 })),
      )
      await refused(/the manifest says \d+ of 1$/)
      await pack(
        path,
        manifestWith((manifest) => Object.assign(manifest, { left_out: [{ id: 'x', why: 'deleted' }] })),
      )
      await refused(/are not those that the manifest names/)
    })

    it('of another make or a newer version', async () => {
      await pack(
        path,
        manifestWith((manifest) => Object.assign(manifest, { format: 'other' })),
      )
      await refused(/not one that this version reads/)
      await pack(
        path,
        manifestWith((manifest) => Object.assign(manifest, { version: 2 })),
      )
      await refused(/not one that this version reads/)
      await pack(
        path,
        manifestWith((manifest) => Object.assign(manifest, { schema: '9999-later' })),
      )
      await refused(/newer version/)
    })

    it('whose rows the database does not take, after the originals were stored', async () => {
      const at = good.findIndex(({ name }) => name === 'tables/users.ndjson')
      const users = good[at]?.bytes.toString().trim().split('\n') ?? []
      // A manifest that agrees, and a row that PostgreSQL and SQLite refuse: an address twice.
      const twice = JSON.stringify({ ...JSON.parse(users[0] ?? ''), id: 'another' })
      const bytes = Buffer.from(`${[...users, twice].join('\n')}\n`)
      const forged = good.with(at, { name: 'tables/users.ndjson', bytes })
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const manifest = manifestWith(({ tables: counts }) => Object.assign(counts ?? {}, { users: { rows: 2 } })).at(-1)
      const text = (manifest?.bytes.toString() ?? '').replace(
        /\{"name":"tables\/users[^}]*\}/,
        JSON.stringify({ name: 'tables/users.ndjson', size: bytes.length, sha256 }),
      )
      await pack(path, forged.with(-1, { name: 'manifest.json', bytes: Buffer.from(text) }))
      await refused(/does not take the rows of users/)
    })

    it('is then restored when it is a good one', async () => {
      await writeFile(path, bytes)
      await restore(target.deps, path)
      expect(await contentsOf(target.deps, backedUpTables)).toEqual(await contentsOf(source.deps, backedUpTables))
    })
  })
})

async function unpack(bytes: Buffer): Promise<{ name: string; bytes: Buffer }[]> {
  const files: { name: string; bytes: Buffer }[] = []
  const extract = tar.extract()
  extract.end(bytes)
  for await (const entry of extract) {
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk)
    files.push({ name: entry.header.name, bytes: Buffer.concat(chunks) })
  }
  return files
}

async function pack(path: string, files: { name: string; bytes: Buffer; link?: string }[]): Promise<void> {
  const archive = tar.pack()
  const written = pipeline(archive, createWriteStream(path))
  for (const { name, bytes, link } of files) {
    if (link === undefined) archive.entry({ name }, bytes)
    else archive.entry({ name, type: 'symlink', linkname: link })
  }
  archive.finalize()
  await written
}
