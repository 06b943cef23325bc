import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayMs } from '../../../contract/plain/limits.ts'
import { productVersion } from '../../installation.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { fill, unpack } from '../../testing/archives.ts'
import { jpeg } from '../../testing/test-images.ts'
import { finishBackupRun, startBackupRun, takeBackup } from './backup-run.ts'
import { failInterruptedBackups, removeUnfinishedBackups, heartbeatTimeoutMs } from './stalled-backups.ts'
import { scheduledBackup } from './scheduled-backups.ts'
import { allTables, backedUpTables, tables } from './table-list.ts'

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

describe('the list of tables', () => {
  it('contains every table with its key, referenced tables first', async () => {
    const { db } = app.deps
    const all = await db.introspection.getTables()
    // SQLite's index of the search consists of tables.
    const found = all.filter(({ name }) => !name.startsWith('image_search'))
    expect(found.map(({ name }) => name).sort()).toEqual([...allTables].sort())
    for (const { name, columns } of found) {
      const { key, image } = tables[name as keyof typeof tables]
      expect(columns.map((column) => column.name)).toEqual(expect.arrayContaining([...key, ...(image ? [image] : [])]))
    }
  })

  it('says which rows are removed with their image, or a reason not to is known', async () => {
    const reasons = {
      cache_purges: 'caches still have it',
      images_by_views: 'triggers remove the row',
      report_cases: 'the decision remains',
    }
    const kept = (await app.deps.db.introspection.getTables()).filter(
      ({ name, columns }) =>
        columns.some((column) => column.name === 'image_id') && tables[name as keyof typeof tables].image === undefined,
    )
    // Other tests have the same tables in other schemas of the database.
    expect([...new Set(kept.map(({ name }) => name))].toSorted()).toEqual(Object.keys(reasons))
  })

  it('states which rows are deleted with their image', async () => {
    const { readdirSync, readFileSync } = await import('node:fs')
    const migrations = new URL('../../db/migrations/', import.meta.url)
    const text = readdirSync(migrations, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(new URL(name, migrations), 'utf8'))
      .join('\n')
    for (const [, table = '', body = ''] of text.matchAll(/createTable\('(\w+)'\)([\s\S]*?)\.execute\(\)/g)) {
      const column = /addColumn\('(\w+)'[^\n]*references\('images\.id'\)/.exec(body)?.[1]
      if (column !== undefined) expect([table, tables[table as keyof typeof tables].image]).toEqual([table, column])
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
    await expect.poll(() => statusOf(id), { timeout: 20_000 }).toMatchObject({ status: 'completed' })
    const backup = await statusOf(id)
    expect(Object.keys(backup).toSorted()).toEqual(['created_at', 'id', 'place', 'size', 'status'])

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

  it('is for admins only, and its archive has no public path', async () => {
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

  it('contains a manifest of its contents', async () => {
    const id = await backedUp()
    const files = await unpack(await readFile(join(app.dataDir, 'backups', `${id}.tar`)))
    const manifest = JSON.parse(files.at(-1)?.bytes.toString() ?? '')
    expect(files.at(-1)?.name).toBe('manifest.json')
    expect(manifest).toMatchObject({ format: 'image-host-backup', version: 1, app: productVersion(), left_out: [] })
    expect(Object.keys(manifest.tables)).toEqual(backedUpTables)
    expect(manifest.files.map((file: { name: string }) => file.name)).toEqual(
      files.slice(0, -1).map(({ name }) => name),
    )
    expect(manifest.originals.count).toBe(files.filter(({ name }) => name.startsWith('originals/')).length)
    expect(JSON.stringify(files.map(({ name }) => name))).not.toContain('sessions')
  })

  it('starts once when two start at the same time', async () => {
    const both = await Promise.allSettled([
      startBackupRun(app.deps, { by: 'server' }, { actor: 'server' }),
      startBackupRun(app.deps, { by: 'server' }, { actor: 'server' }),
    ])
    const started = both.find((start) => start.status === 'fulfilled')?.value.id ?? ''
    expect(both.find((start) => start.status === 'rejected')?.reason).toMatchObject({
      code: 'backup_running',
      message: `Backup ${started} is running. Try again when it is completed`,
    })
    await finishBackupRun(app.deps, { id: started, by: 'server' })
    expect(await statusOf(started)).toMatchObject({ status: 'completed' })
    expect((await app.files('backups')).every((name) => name.endsWith('.tar'))).toBe(true)
  })

  it('is neither downloaded nor deleted while it runs, and fails when its heartbeat stops', async () => {
    const now = app.deps.now()
    const row = {
      taken_by: 'cli',
      place: 'disk',
      bytes: 5,
      progress: 40,
      error: null,
      created_at: now,
      seen_at: now,
    } as const
    await app.deps.db
      .insertInto('backups')
      .values({ id: 'elsewhere', status: 'running', ...row })
      .execute()
    expect(await statusOf('elsewhere')).toMatchObject({ status: 'running', progress: 40, size: 5 })
    expect((await call('GET', 'backups/elsewhere/download')).body.code).toBe('backup_running')
    expect((await call('DELETE', 'backups/elsewhere')).body.code).toBe('backup_running')
    expect(await call('POST', 'backup')).toMatchObject({
      status: 409,
      body: {
        code: 'backup_running',
        error: 'Backup elsewhere is running. Try again when it is completed',
      },
    })
    await app.deps.db
      .updateTable('backups')
      .set({ seen_at: now - heartbeatTimeoutMs - 1 })
      .execute()
    expect(await statusOf('elsewhere')).toMatchObject({
      status: 'failed',
      error: 'The process that ran the backup has stopped',
    })
    expect((await call('GET', 'backups/elsewhere/download')).body.code).toBe('backup_not_found')
    expect((await call('DELETE', 'backups/elsewhere')).status).toBe(200)
  })

  it('whose archive is missing fails with backup_file_missing', async () => {
    const id = await backedUp()
    await rm(join(app.dataDir, 'backups', `${id}.tar`))
    expect(await call('GET', `backups/${id}/download`)).toMatchObject({
      status: 404,
      body: { code: 'backup_file_missing' },
    })
  })

  it('leaves out images without their bytes, and reports them', async () => {
    const lost = await app.guestImage(await jpeg(40, 40))
    const damaged = await app.guestImage(await jpeg(41, 40))
    await app.deps.blobs.delete(lost.id)
    const path = join(app.dataDir, 'originals', damaged.id.slice(0, 2), damaged.id)
    const bytes = await readFile(path)
    await writeFile(path, bytes.fill(0, 100, 110))
    const { id, manifest } = await takeBackup(app.deps, { by: 'server' })
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
    await expect(takeBackup(broken, { by: 'server' })).rejects.toThrow('the store is away')
    expect((await listed())[0]).toMatchObject({ status: 'failed', error: 'the store is away', size: 0 })
    expect((await app.files('backups')).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(await app.files('tmp')).toEqual([])
  })

  it('is refused when it would fill the disk', async () => {
    const row = { day: 1, guest: 1, shard: 99, uploads: 0, images: 0, bytes: 1e15 } as const
    await app.deps.db.insertInto('image_totals').values(row).execute()
    expect(await call('POST', 'backup')).toMatchObject({
      status: 507,
      body: {
        code: 'no_space_for_backup',
        error: expect.stringMatching(/^Not enough disk space: a backup needs about \d+ bytes, \d+ are free$/),
      },
    })
    await app.deps.db.deleteFrom('image_totals').where('shard', '=', 99).execute()
  })

  it('stops with the server', async () => {
    const stopping = new AbortController()
    stopping.abort(new Error('The server was stopped'))
    await expect(takeBackup(app.deps, { by: 'server', signal: stopping.signal })).rejects.toThrow(
      'The server was stopped',
    )
    expect((await listed())[0]).toMatchObject({ status: 'failed', error: 'The server was stopped' })
  })
})

describe('the scheduled backup', () => {
  it('takes one backup, retains the newest ones, and is not repeated by a second server', async () => {
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

  it('goes on after a backup that a clock far ahead has dated, which it does not keep for the newest', async () => {
    app.moveClock(400 * dayMs)
    const { backupId: ahead } = await scheduledBackup(app.deps)
    app.moveClock(-399 * dayMs)
    const ids = []
    for (let at = 0; at < app.deps.config.BACKUP_KEEP; at++) {
      app.moveClock(60_000)
      ids.push((await scheduledBackup(app.deps)).backupId)
    }
    const left = (await listed()).map(({ id }: { id: string }) => id)
    expect(new Set(left)).toEqual(new Set(ids))
    expect(left).not.toContain(ahead)
  })
})

describe('a server that was killed', () => {
  it('has its running backup marked as failed and the file deleted', async () => {
    const now = app.deps.now()
    const row = { bytes: 9, progress: 50, error: null, created_at: now, seen_at: now, status: 'running' } as const
    const mine = randomUUID()
    const file = join(app.dataDir, 'backups', `${mine}.tar.part`)
    const stray = join(app.dataDir, 'backups', 'stray.tar.part')
    await writeFile(file, 'half')
    await writeFile(stray, 'half')
    await app.deps.db
      .insertInto('backups')
      .values({ id: mine, taken_by: 'server', place: 'disk', ...row })
      .execute()
    await failInterruptedBackups(app.deps, await removeUnfinishedBackups(app.deps, now))
    expect(await statusOf(mine)).toMatchObject({ status: 'failed', error: 'The server stopped during the backup' })
    expect((await readdir(join(app.dataDir, 'backups'))).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('leaves the backup of a command alone, which continues', async () => {
    const now = app.deps.now()
    const row = { bytes: 9, progress: 50, error: null, created_at: now, seen_at: now, status: 'running' } as const
    const commands = randomUUID()
    const file = join(app.dataDir, 'backups', `${commands}.command.tar.part`)
    await writeFile(file, 'half')
    await utimes(file, now / 1000, now / 1000)
    await app.deps.db
      .insertInto('backups')
      .values({ id: commands, taken_by: 'cli', place: 'disk', ...row })
      .execute()
    expect(await removeUnfinishedBackups(app.deps, now)).toEqual([])
    await failInterruptedBackups(app.deps, [])
    expect(await statusOf(commands)).toMatchObject({ status: 'running' })
    expect(await readdir(join(app.dataDir, 'backups'))).toContain(basename(file))
    // As long as it writes its heartbeat, which is the time of the file too.
    await utimes(file, 0, 0)
    expect(await removeUnfinishedBackups(app.deps, now)).toEqual([commands])
    await app.deps.db.deleteFrom('backups').where('id', '=', commands).execute()
  })
})
