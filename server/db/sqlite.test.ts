// SQLite beside another process on the same file: only conflicting statements wait, for a bounded
// time, and damage is reported.
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadDriver, openSqlite, readSqliteSnapshot } from './sqlite.ts'
import { sqliteDialect } from './sqlite-driver.ts'

interface Tables {
  notes: { id: number; text: string }
}

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-sqlite-'))
  path = join(folder, 'image-host.sqlite')
})
afterEach(() => rm(folder, { recursive: true }))

describe('while another process holds the write lock', () => {
  let db: Kysely<Tables>
  let other: InstanceType<Awaited<ReturnType<typeof loadDriver>>>
  beforeEach(async () => {
    const Driver = await loadDriver()
    other = new Driver(path)
    other.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (id integer primary key, text text); BEGIN IMMEDIATE')
  })
  afterEach(async () => {
    await db.destroy()
    other.close()
  })
  const openPatient = async (lockTimeoutMs?: number) => {
    const Driver = await loadDriver()
    db = new Kysely({ dialect: sqliteDialect(new Driver(path), path, { lockTimeoutMs }) })
  }
  const write = (id: number) => db.insertInto('notes').values({ id, text: 'x' }).returning('id').execute()
  const writeTwo = (id: number) =>
    db.transaction().execute(async (transaction) => {
      await transaction.insertInto('notes').values({ id, text: 'x' }).execute()
      await transaction
        .insertInto('notes')
        .values({ id: id + 1, text: 'x' })
        .execute()
    })
  const read = () => db.selectFrom('notes').selectAll().execute()

  it('reads continue while writes wait, which complete once the lock is free', async () => {
    await openPatient()
    let written = 0
    const writes = [write(1), writeTwo(2), write(4)].map((work) => work.then(() => written++))
    for (let n = 0; n < 50; n++) expect(await read()).toEqual([])
    // Timers run: the process is not waiting.
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(written).toBe(0)
    other.exec('COMMIT')
    await Promise.all(writes)
    expect((await read()).map(({ id }) => id)).toEqual([1, 2, 3, 4])
  })

  it('writes fail as busy after the lock timeout without any effect, and the next write works', async () => {
    await openPatient(30)
    const refused = await Promise.allSettled([write(1), writeTwo(2), write(4)])
    for (const { status, reason } of refused as PromiseRejectedResult[]) {
      expect(status).toBe('rejected')
      expect(reason).toMatchObject({ name: 'DatabaseUnavailable', cause: { message: 'database is locked' } })
    }
    other.exec('COMMIT')
    expect(await read()).toEqual([])
    await writeTwo(2)
    expect(await read()).toHaveLength(2)
  })
})

describe('a transaction', () => {
  it('that SQLite itself has rolled back fails with the original error', async () => {
    const Driver = await loadDriver()
    const db = new Kysely<Tables>({ dialect: sqliteDialect(new Driver(path), path) })
    await sql`create table notes (id integer primary key, text text)`.execute(db)
    const rolledBack = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('notes').values({ id: 1, text: 'x' }).execute()
      // As SQLite does when its disk is full.
      await sql`rollback`.execute(transaction)
      throw new Error('the disk is full')
    })
    await expect(rolledBack).rejects.toThrow('the disk is full')
    await db.destroy()
  })

  it('on a full disk fails with ENOSPC, also when rows are returned', async () => {
    const Driver = await loadDriver()
    const db = new Kysely<Tables>({ dialect: sqliteDialect(new Driver(path), path) })
    await sql`create table notes (id integer primary key, text text)`.execute(db)
    await sql`pragma max_page_count = 3`.execute(db)
    const fill = db.insertInto('notes').values({ id: 1, text: 'x'.repeat(20_000) })
    const full = { code: 'ENOSPC' }
    await expect(fill.execute()).rejects.toMatchObject(full)
    await expect(fill.returning('id').execute()).rejects.toMatchObject(full)
    await db.insertInto('notes').values({ id: 1, text: 'x' }).execute()
    await db.destroy()
  })

  it('whose commit and rollback fail leaves the connection usable', async () => {
    const { db } = await openSqlite(path)
    const tables = db as unknown as Kysely<Tables>
    await sql`create table notes (id integer primary key, text text)`.execute(db)
    await sql`create table lines (note integer references notes (id) deferrable initially deferred)`.execute(db)
    const failing = db.transaction().execute((transaction) => sql`insert into lines values (7)`.execute(transaction))
    await expect(failing).rejects.toThrow('FOREIGN KEY constraint failed')
    await tables
      .transaction()
      .execute((transaction) => transaction.insertInto('notes').values({ id: 7, text: 'x' }).execute())
    expect(await tables.selectFrom('notes').select('id').execute()).toEqual([{ id: 7 }])
    await db.destroy()
  })
})

describe('a cached prepared statement', () => {
  it('sees new columns of its table, works after an error, and is closed with its database', async () => {
    const { db } = await openSqlite(path)
    const tables = db as unknown as Kysely<Tables>
    await sql`create table notes (id integer primary key, text text)`.execute(db)
    const write = (id: number) => tables.insertInto('notes').values({ id, text: 'x' }).returningAll().execute()
    const read = () => tables.selectFrom('notes').selectAll().where('id', '=', 1).execute()
    await write(1)
    expect(await read()).toEqual([{ id: 1, text: 'x' }])
    await sql`alter table notes add column read_at integer default 5`.execute(db)
    expect(await read()).toEqual([{ id: 1, text: 'x', read_at: 5 }])

    const Driver = await loadDriver()
    const other = new Driver(path)
    other.exec('ALTER TABLE notes ADD COLUMN kept_until integer DEFAULT 6')
    other.close()
    // Node 22 counts the columns before SQLite prepares the statement again: one read may still have the old ones.
    await read()
    expect(await read()).toEqual([{ id: 1, text: 'x', read_at: 5, kept_until: 6 }])

    for (let n = 0; n < 3; n++) await expect(write(1)).rejects.toThrow('UNIQUE')
    expect(await write(2)).toMatchObject([{ id: 2 }])
    await db.destroy()
    await expect(read()).rejects.toThrow('destroyed')
  })

  it('is evicted when the cache is full, and all statements still work', async () => {
    const { db } = await openSqlite(path)
    for (let n = 0; n < 1000; n++) {
      const { rows } = await sql<{ n: number }>`select ${sql.lit(n)} as n`.execute(db)
      expect(rows).toEqual([{ n }])
    }
    await db.destroy()
  })
})

describe('a damaged file', () => {
  const fill = async () => {
    const { db } = await openSqlite(path)
    await sql`create table notes (id integer primary key, text text)`.execute(db)
    await sql`with recursive n(n) as (select 1 union all select n + 1 from n where n < 2000)
      insert into notes select n, printf('%0500d', n) from n`.execute(db)
    // Otherwise the pages would still be intact in the -wal file.
    await sql`pragma wal_checkpoint(truncate)`.execute(db)
    await db.destroy()
  }
  const scribble = async (at: number) => {
    const file = await open(path, 'r+')
    await file.write(Buffer.alloc(4096, 0xa5), 0, 4096, at)
    await file.close()
  }

  it.each([
    ['a header', () => 0],
    ['a page in the middle', (size: number) => Math.floor(size / 8192) * 4096],
  ])('is refused at the start with its name when it is %s', async (_, where) => {
    await fill()
    await scribble(where((await stat(path)).size))
    const refusal = `The database file ${path} is damaged: `
    await expect(openSqlite(path)).rejects.toThrow(refusal)
    const before = await stat(path)
    await expect(openSqlite(path)).rejects.toThrow('restore a backup (docs/operate.md)')
    expect((await stat(path)).mtimeMs).toBe(before.mtimeMs)
  })

  it('is reported by the query that reads the damaged page, and other queries work', async () => {
    await fill()
    await scribble(Math.floor((await stat(path)).size / 8192) * 4096)
    const readAll = readSqliteSnapshot(path, (db) => sql`select max(length(text)) from notes`.execute(db))
    await expect(readAll).rejects.toMatchObject({ name: 'DatabaseDamaged', message: expect.stringContaining(path) })
    const readOne = await readSqliteSnapshot(path, (db) =>
      sql<{ id: number }>`select id from notes where id = 1`.execute(db),
    )
    expect(readOne.rows).toEqual([{ id: 1 }])
  })
})
