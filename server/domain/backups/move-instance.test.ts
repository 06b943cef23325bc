import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDiskStore } from '../../blobs/disk.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { fill } from '../../testing/archives.ts'
import { contentsOf } from '../../testing/instances.ts'
import { jpeg } from '../../testing/test-images.ts'
import { verifyOriginals } from './verify-store.ts'
import { copyOriginals, copyRows } from './move-instance.ts'
import { CommandRefused } from './command-refused.ts'
import { movedTables, type TableName } from './table-list.ts'

/** Counts are not copied: they are counted again as the images come in. */
const withCounts: TableName[] = [...movedTables, 'album_counts']

let here: TestApp
let there: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-move-'))
  // In the run on PostgreSQL the rows go from SQLite to PostgreSQL.
  here = await startTestApp({ DATABASE_URL: '' })
  there = await startTestApp()
  const user = await here.newUser('mover@example.com')
  for (let n = 0; n < 5; n++) {
    await here.upload(await jpeg(60 + n, 50), { token: user.token })
    await here.guestImage(await jpeg(160 + n, 50))
  }
  await here.call('POST', '/api/api-keys', { token: user.token, body: { name: 'a key' } })
})
afterAll(async () => {
  await here.stop()
  await there.stop()
  await rm(folder, { recursive: true })
})

describe('copyRows', () => {
  it('copies every row in both directions, and a second time only new rows', async () => {
    await fill(here)
    // Both starts wrote their settings there.
    await there.deps.db.deleteFrom('settings').execute()
    const first = await copyRows(here.deps, there.deps.db)
    expect(first.there).toBe(0)
    expect((await contentsOf(there.deps, withCounts)).rows).toEqual((await contentsOf(here.deps, withCounts)).rows)

    await here.newUser()
    await here.deps.db.updateTable('users').set({ name: 'Another' }).where('email', '=', 'mover@example.com').execute()
    const second = await copyRows(here.deps, there.deps.db)
    // A user with a session and an entry of the audit log, and the changed one.
    expect(second).toEqual({ copied: 4, there: first.copied - 1 })
    expect((await contentsOf(there.deps, withCounts)).rows).toEqual((await contentsOf(here.deps, withCounts)).rows)
    expect(await copyRows(there.deps, here.deps.db)).toEqual({ copied: 0, there: first.copied + 3 })
  })

  it('refuses a database with other rows, and leaves it unchanged', async () => {
    const other = await startTestApp()
    try {
      await other.newUser('stranger@example.com')
      const before = await contentsOf(other.deps, movedTables)
      await expect(copyRows(here.deps, other.deps.db)).rejects.toThrow(/has 1 other rows in users: nothing was copied/)
      expect(await contentsOf(other.deps, movedTables)).toEqual(before)
    } finally {
      await other.stop()
    }
  })
})

describe('copyOriginals', () => {
  it('copies every original, and a second time only new ones', async () => {
    const store = await openDiskStore(join(folder, randomUUID()))
    const count = Object.keys((await contentsOf(here.deps, [])).originals).length
    expect(await copyOriginals(here.deps, store)).toEqual({ copied: count, there: 0 })
    const image = await here.guestImage(await jpeg(30, 30))
    // What was damaged on the way is copied again.
    const [first] = Object.keys((await contentsOf(here.deps, [])).originals).filter((key) => key !== image.id)
    await store.delete(first ?? '')
    expect(await copyOriginals(here.deps, store)).toEqual({ copied: 2, there: count - 1 })
    const { originals } = await contentsOf({ db: here.deps.db, blobs: store }, [])
    expect(originals).toEqual((await contentsOf(here.deps, [])).originals)
    expect(originals).toHaveProperty([image.id])
    expect(await here.files('tmp')).toEqual([])
  })

  it('fails when an original is missing in the source store', async () => {
    const image = await here.guestImage(await jpeg(30, 31))
    await here.deps.blobs.delete(image.id)
    const store = await openDiskStore(join(folder, randomUUID()))
    await expect(copyOriginals(here.deps, store)).rejects.toThrow(CommandRefused)
    await here.deps.db.deleteFrom('images').where('id', '=', image.id).execute()
  })
})

describe('check', () => {
  const problems = async () => {
    const found: string[] = []
    for await (const { imageId, what } of verifyOriginals(here.deps, { images: 0, bytes: 0 }))
      found.push(`${imageId} ${what}`)
    return found.sort()
  }

  it('finds bytes without a row, rows without bytes, and wrong bytes', async () => {
    expect(await problems()).toEqual([])
    const [missing, wrong, orphan] = [
      await here.guestImage(await jpeg(31, 31)),
      await here.guestImage(await jpeg(32, 31)),
      await here.guestImage(await jpeg(33, 31)),
    ]
    const other = await here.deps.blobs.read(missing.id)
    await here.deps.blobs.delete(missing.id)
    const path = join(here.dataDir, 'tmp', 'wrong')
    const { writeFile } = await import('node:fs/promises')
    await writeFile(path, other as Buffer)
    await here.deps.blobs.put(wrong.id, path)
    await here.deps.db.deleteFrom('images').where('id', '=', orphan.id).execute()
    const young = [`${missing.id} the bytes are missing`, `${wrong.id} the bytes do not match the row`].sort()
    expect(await problems()).toEqual(young)
    here.moveClock(2 * 60 * 60 * 1000)
    expect(await problems()).toEqual([...young, `${orphan.id} these bytes have no row`].sort())
  })
})
