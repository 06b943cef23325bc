// PostgreSQL ends connections while the server uses them: only the operations on them fail.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createPostgresPool } from '../../db/postgres-pool.ts'
import { openPostgres } from '../../db/postgres.ts'
import { DatabaseUnavailable } from '../../db/database-errors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

describe.runIf(inject('postgresUrl') !== undefined)('a lost PostgreSQL connection', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.stop())

  it('fails the transaction that used it, not the process', async () => {
    const other = await openPostgres(app.deps.config.DATABASE_URL ?? '', () => {})
    const work = app.deps.db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(other)
      await expect
        .poll(() => app.logged.some(({ msg, reason }) => msg === 'A database connection broke' && reason !== undefined))
        .toBe(true)
      await sql`select 1`.execute(transaction)
    })
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)
    await other.destroy()
    expect((await app.request('/readyz')).status).toBe(200)
  })

  it('is discarded after a query timeout, without waiting for a rollback', async () => {
    const pool = createPostgresPool(
      new pg.Pool({ connectionString: app.deps.config.DATABASE_URL, query_timeout: 200 }),
      () => {},
    )
    const client = await pool.connect()
    const late = await client.query('select pg_sleep(1)', []).catch((error: unknown) => error)
    expect(late).toMatchObject({ message: 'Query read timeout' })
    // The same error: the rollback was not sent.
    await expect(client.query('rollback', [])).rejects.toBe(late)
    client.release()
    const next = await pool.connect()
    expect((await next.query('select 1 as one', [])).rows).toEqual([{ one: 1 }])
    next.release()
    await pool.end()
  })

  it('leaves no original of an upload whose transaction was refused', async () => {
    await sql`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'could not serialize access' using errcode = '40001'; end $$`.execute(app.deps.db)
    await sql`create trigger refuse before insert on images for each row execute function refuse()`.execute(app.deps.db)
    const refused = await app.upload(await jpeg())
    expect(refused).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } })
    expect(await app.files('originals')).toEqual([])
    await sql`drop trigger refuse on images`.execute(app.deps.db)
    expect((await app.upload(await jpeg())).status).toBe(201)
  })
})
