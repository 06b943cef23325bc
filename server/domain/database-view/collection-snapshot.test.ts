// A deleted collection can be brought back from its file, by the command that imports.
import fs, { existsSync, readlinkSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { dayMs } from '../../../contract/plain/limits.ts'
import { importCommand } from '../../cli/import-command.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { whileReplaced } from '../../testing/replaced-builtin.ts'
import { pruneSnapshots, snapshotRetention, sweepSnapshots } from './collection-snapshot.ts'
import { insertDocuments } from './insert-documents.ts'

const { maxAgeMs, maxCount, maxBytes } = snapshotRetention

let app: TestApp
let token: string
let dbToken: string
let userId: string
let folder: string
beforeAll(async () => {
  app = await startTestApp({ DB_VIEW_PIN: '4711' })
  ;({ token, id: userId } = await app.newUser())
  dbToken = (await app.call('POST', '/db/unlock', { token, body: { pin: '4711' } })).body.token
  folder = join(app.dataDir, 'backups', 'collections', userId)
})
afterAll(() => app.stop())

const call = (method: string, path: string, body?: unknown) =>
  app.call(method, path, { token, body, headers: { 'x-db-token': dbToken } })
const at = (name: string) => `/db/collections/${encodeURIComponent(name)}`
const files = async () => (await readdir(folder)).toSorted()
const newest = async () => join(folder, (await files()).at(-1) ?? '')
const pages = async (name: string) => {
  const all: unknown[] = []
  for (let skip = 0; ; skip += 100) {
    const { body } = await call('GET', `${at(name)}?limit=100&skip=${skip}`)
    all.push(...body.documents)
    if (body.documents.length === 0) return all
  }
}
const bringBack = (name: string, file: string) =>
  importCommand.run({ deps: app.deps, args: [name, file], options: {}, print: () => {} })

/** Returns the folders and files that are synced while `work` runs. */
async function syncedBy(work: () => Promise<unknown>): Promise<Set<string>> {
  const synced = new Set<string>()
  const { fsync } = fs
  const spy = vi.spyOn(fs, 'fsync').mockImplementation((file, done) => {
    synced.add(readlinkSync(`/proc/self/fd/${file}`))
    fsync(file, done)
  })
  await whileReplaced(spy, work)
  return synced
}

describe('a deleted collection', () => {
  // First: by now nothing has been saved, and the folder is not there.
  it.runIf(existsSync('/proc/self/fd'))('has its snapshot file in folders that are synced to disk', async () => {
    await insertDocuments(app.deps, 'first', [{ _id: 'a' }])
    const synced = await syncedBy(() => call('DELETE', at('first')))
    expect(await files()).toHaveLength(1)
    expect([...synced]).toEqual(expect.arrayContaining([app.dataDir, join(app.dataDir, 'backups'), folder]))
    await rm(await newest())
  })

  it('is restored unchanged from a file that only its owner can read', async () => {
    const name = '../cars & "bikes" 🦊'
    await insertDocuments(app.deps, name, [
      {},
      {
        _id: 'a/b',
        text: 'line\nbreak \u2028',
        list: [1, { deep: null }],
        createdAt: '2020-01-02T03:04:05.000Z',
        __v: 7,
      },
      ...Array.from({ length: 1000 - 2 }, (_, n) => ({ n })),
    ])
    await insertDocuments(
      app.deps,
      name,
      Array.from({ length: 300 }, (_, n) => ({ n, more: true })),
    )
    await call('PATCH', `${at(name)}/documents/a%2Fb`, { list: [] })
    await call('DELETE', `${at(name)}/documents`, { ids: ['none'] })
    const before = await pages(name)
    expect(before).toHaveLength(1300)

    expect((await call('DELETE', at(name))).status).toBe(200)
    expect((await call('GET', at(name))).status).toBe(404)
    const [file, ...more] = await files()
    expect(more).toEqual([])
    expect(file).toMatch(/^\d{4}-\d\d-\d\dT[\d-]+Z-cars-bikes-[\w-]{22}\.ndjson$/)
    expect((await stat(await newest())).mode & 0o777).toBe(0o600)
    expect(app.logged).toContainEqual(
      expect.objectContaining({ msg: 'collection deleted', collection: name, file: `${userId}/${file}` }),
    )

    await bringBack(name, await newest())
    expect(await pages(name)).toEqual(before)
  })

  it('with large documents is saved completely, and one without documents gets no file', async () => {
    const large = Array.from({ length: 12 }, (_, n) => ({
      _id: `${n}`,
      text: String(n).repeat(900_000 / (n < 10 ? 1 : 2)),
    }))
    await insertDocuments(app.deps, 'large', large)
    expect((await call('DELETE', at('large'))).status).toBe(200)
    const lines = (await readFile(await newest(), 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      large.map((document) => ({ ...document, createdAt: expect.any(String), __v: 0 })),
    )
    const count = (await files()).length
    await insertDocuments(app.deps, 'empty', [{ _id: 'a' }])
    await call('DELETE', `${at('empty')}/documents`, { ids: ['a'] })
    expect((await call('DELETE', at('empty'))).status).toBe(200)
    expect(await files()).toHaveLength(count)
  })

  it('loses no document added during the deletion: each is in the file or in the new collection', async () => {
    const added = new Set<string>()
    let isOver = false
    const adding = (async () => {
      for (let n = 0; !isOver && n < 300; n++) {
        await insertDocuments(app.deps, 'busy', [{ _id: `${n}` }])
        added.add(`${n}`)
        // SQLite queries never yield to the event loop, and the server runs in this process.
        await setImmediate()
      }
    })()
    while (added.size < 5) await setImmediate()
    expect((await call('DELETE', at('busy'))).status).toBe(200)
    isOver = true
    await adding
    const saved = (await readFile(await newest(), 'utf8')).trimEnd().split('\n')
    const isThere = (await call('GET', '/db/collections')).body.collections.includes('busy')
    const again = (isThere ? await pages('busy') : []) as { _id: string }[]
    const kept = [...saved.map((line) => JSON.parse(line)), ...again].map(({ _id }) => _id)
    expect(new Set(kept)).toEqual(added)
    expect(kept).toHaveLength(added.size)
  })

  it('is deleted once by two concurrent calls', async () => {
    await insertDocuments(app.deps, 'twice', [{ n: 1 }])
    const count = (await files()).length
    const both = await Promise.all([call('DELETE', at('twice')), call('DELETE', at('twice'))])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
    expect(await files()).toHaveLength(Math.min(maxCount, count + 1))
  })

  it('is reported as deleted even when older files cannot be removed', async () => {
    await insertDocuments(app.deps, 'untidy', [{ _id: 'a' }])
    const blocked = join(folder, 'blocked.ndjson.part')
    await mkdir(blocked)
    await utimes(blocked, 0, 0)
    expect((await call('DELETE', at('untidy'))).status).toBe(200)
    await rmdir(blocked)
    expect((await call('GET', at('untidy'))).status).toBe(404)
    const msg = 'The cleanup after a deleted collection failed'
    expect(app.logged).toContainEqual(expect.objectContaining({ msg, level: 50 }))
  })

  it('is not deleted when there is no space for its snapshot file', async () => {
    // PostgreSQL's column takes no number that is large enough.
    if (app.deps.config.DATABASE_URL !== undefined) return
    await insertDocuments(app.deps, 'huge', [{ _id: 'a' }])
    await app.deps.db.updateTable('documents').set({ bytes: 1e15 }).where('id', '=', 'a').execute()
    const before = await files()
    expect(await call('DELETE', at('huge'))).toMatchObject({ status: 507, body: { code: 'no_space_for_backup' } })
    expect((await call('GET', '/db/collections')).body.collections).toContain('huge')
    expect(await files()).toEqual(before)
  })
})

describe('the snapshot files of deleted collections', () => {
  const write = async (name: string, bytes: number, of = folder) => {
    const path = join(of, name)
    const file = await open(path, 'w')
    // A sparse file: it uses no disk space.
    await file.truncate(bytes)
    await file.close()
    return path
  }
  const setAge = (path: string, ageMs: number) => {
    const at = (app.deps.now() - ageMs) / 1000
    return utimes(path, at, at)
  }
  const otherFolder = async () => {
    const other = join(app.dataDir, 'backups', 'collections', 'another-user')
    await mkdir(other, { recursive: true })
    return other
  }

  it('are limited to a hundred per user, and an unfinished one is deleted after a day', async () => {
    const other = await write('2999-01-01T-x.ndjson', 10, await otherFolder())
    const fresh = await write('2999-01-01-fresh.ndjson.part', 1)
    await setAge(await write('2999-01-01-old.ndjson.part', 1), 2 * dayMs)
    const names = Array.from({ length: maxCount + 2 }, (_, n) => `2999-01-02T${String(n).padStart(3, '0')}-x.ndjson`)
    for (const name of names) await write(name, 10)
    await pruneSnapshots(app.deps, userId)
    expect(await files()).toEqual(['2999-01-01-fresh.ndjson.part', ...names.slice(2)])
    expect((await stat(fresh)).size).toBe(1)
    expect((await stat(other)).size).toBe(10)
  })

  it('are limited to one gigabyte per user, except that the newest is always retained', async () => {
    const other = await write('2999-01-01T-y.ndjson', 2 * maxBytes, await otherFolder())
    await write('2999-02-01T-x.ndjson', maxBytes / 2)
    await write('2999-02-02T-x.ndjson', maxBytes / 2)
    await pruneSnapshots(app.deps, userId)
    expect((await files()).filter((name) => name.endsWith('.ndjson'))).toEqual([
      '2999-02-01T-x.ndjson',
      '2999-02-02T-x.ndjson',
    ])
    await write('2999-02-03T-x.ndjson', 2 * maxBytes)
    await pruneSnapshots(app.deps, userId)
    expect((await files()).filter((name) => name.endsWith('.ndjson'))).toEqual(['2999-02-03T-x.ndjson'])
    expect((await stat(other)).size).toBe(2 * maxBytes)
  })

  it('are deleted after 30 days, for all users and where older versions stored them', async () => {
    const root = join(app.dataDir, 'backups', 'collections')
    const places = [folder, await otherFolder(), root]
    const old = await Promise.all(places.map((place) => write('2999-03-01T-old.ndjson', 1, place)))
    const young = await Promise.all(places.map((place) => write('2999-03-01T-young.ndjson', 1, place)))
    for (const path of old) await setAge(path, maxAgeMs + 1000)
    for (const path of young) await setAge(path, maxAgeMs - 60_000)
    expect(await sweepSnapshots(app.deps, app.deps.now())).toEqual({ removed: 3 })
    for (const path of old) expect(existsSync(path)).toBe(false)
    for (const path of young) expect(existsSync(path)).toBe(true)
  })
})
