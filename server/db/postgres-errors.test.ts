import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import { DatabaseFull, DatabaseUnavailable } from './database-errors.ts'
import { translatePostgresError } from './postgres-errors.ts'

describe('an error of the PostgreSQL driver', () => {
  const line = (code: string) => Object.assign(new Error('line'), { code })

  it.each([
    ['nobody listens', line('ECONNREFUSED')],
    ['the line breaks', line('ECONNRESET')],
    ['a name that is not found just now', line('EAI_AGAIN')],
    ['PostgreSQL stops', line('57P01')],
    ['PostgreSQL starts', line('57P03')],
    ['a statement takes too long', line('57014')],
    ['a lost race', line('40001')],
    ['a deadlock', line('40P01')],
    ['too many connections', line('53300')],
    ['a standby', line('25006')],
    ['the connection ended', new Error('Connection terminated unexpectedly')],
    ['no connection is free', new Error('timeout exceeded when trying to connect')],
  ])('is DatabaseUnavailable when %s', (_, error) => {
    expect(translatePostgresError(error)).toBeInstanceOf(DatabaseUnavailable)
    expect(translatePostgresError(error)).toMatchObject({ cause: error })
  })

  it('is DatabaseFull, as ENOSPC, when the disk of PostgreSQL is full', () => {
    const error = line('53100')
    expect(translatePostgresError(error)).toBeInstanceOf(DatabaseFull)
    expect(translatePostgresError(error)).toMatchObject({ code: 'ENOSPC', cause: error })
  })

  it.each([line('23505'), new Error('syntax error'), 'no error', null])('is not translated otherwise: %s', (error) =>
    expect(translatePostgresError(error)).toBe(error),
  )
})

describe('an unreachable PostgreSQL', () => {
  it('is reported as DatabaseUnavailable', async () => {
    const db = await openPostgres('postgres://nobody@127.0.0.1:1/none', () => {})
    await expect(sql`select 1`.execute(db)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(db.transaction().execute(async () => {})).rejects.toBeInstanceOf(DatabaseUnavailable)
    await db.destroy()
  })
})

describe('SQLite', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-host-unavailable-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is unavailable while another process holds the write lock, and works afterwards', async () => {
    const path = join(folder, 'image-host.sqlite')
    const { db } = await openSqlite(path, { lockTimeoutMs: 20 })
    await migrate(db)
    // A separate process, as an operator's command is.
    const holder = spawn(process.execPath, ['--input-type=module', '-e', holdTheLock, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const ended = once(holder, 'exit')
    await once(holder.stdout, 'data')
    await expect(sql`delete from users`.execute(db)).rejects.toBeInstanceOf(DatabaseUnavailable)
    holder.stdin.end()
    await ended
    await sql`delete from users`.execute(db)
    await db.destroy()
  })

  it('on a full disk reports the full disk, not the rollback that SQLite already made', async () => {
    const { db } = await openSqlite(join(folder, 'small.sqlite'))
    await sql`create table t (x text)`.execute(db)
    await sql`pragma max_page_count = 4`.execute(db)
    const fill = db
      .transaction()
      .execute((transaction) => sql`insert into t values (${'x'.repeat(50_000)})`.execute(transaction))
    await expect(fill).rejects.toMatchObject({ code: 'ENOSPC' })
    await sql`insert into t values ('fits')`.execute(db)
    await db.destroy()
  })
})

const holdTheLock = `
  const driver = await import('node:sqlite').catch(() => import('@photostructure/sqlite'))
  const database = new driver.DatabaseSync(process.argv[1])
  database.exec('begin immediate')
  console.log('held')
  process.stdin.resume().on('end', () => database.close())
`
