// Both databases as templates: each migration is tried on a copy.
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { openPostgres } from '../../server/db/postgres.ts'
import type { Schema } from '../../server/db/schema.ts'
import { openSqlite } from '../../server/db/sqlite.ts'
import { startPostgres } from '../../server/testing/postgres.ts'
import { type Defer, openFolder } from '../resources.ts'
import { sqliteFileIn } from '../sqlite-file.ts'
import { untilTrue } from '../until.ts'

const settledWithinMs = 10_000

export interface Copy {
  /** Settings of a server on it. */
  dataDir: string
  url: string | undefined
  open(): Promise<Kysely<Schema>>
  /** Once the work of a killed client has ended, by itself or by a rollback. */
  settled(): Promise<void>
}

export interface DatabaseTemplates {
  name: string
  /** A copy of another one, or an empty one. No process may have the other open. */
  copy(of?: Copy): Promise<Copy>
}

export async function sqliteTemplates(defer: Defer): Promise<DatabaseTemplates> {
  const folder = await openFolder(defer)
  let copies = 0
  return {
    name: 'SQLite',
    async copy(of) {
      const dataDir = join(folder, String(copies++))
      await mkdir(dataDir)
      if (of) await copyFile(sqliteFileIn(of.dataDir), sqliteFileIn(dataDir))
      const open = async () => (await openSqlite(sqliteFileIn(dataDir))).db
      return { dataDir, url: undefined, open, settled: async () => {} }
    },
  }
}

/** Of a server on it, besides its DATA_DIR. */
export const settingsOf = ({ url }: Copy): Record<string, string> =>
  url === undefined ? {} : { DATABASE_URL: url, JWT_SECRET: 'a secret of the harness, long enough' }

export async function postgresTemplates(defer: Defer): Promise<DatabaseTemplates> {
  const server = await startPostgres()
  defer(server.stop)
  const dataDir = await openFolder(defer)
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  defer(() => client.end())
  let copies = 0
  return {
    name: 'PostgreSQL',
    async copy(of) {
      const name = `copy_${copies++}`
      // The server may not have noticed yet that a client was killed.
      const template = of?.url === undefined ? 'template1' : new URL(of.url).pathname.slice(1)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [template])
      await client.query(`create database ${name} template ${template}`)
      const url = new URL(server.url)
      url.pathname = `/${name}`
      const isBusy = async () =>
        (await client.query('select 1 from pg_stat_activity where datname = $1', [name])).rows.length > 0
      const settled = async () => {
        if ((await untilTrue(async () => !(await isBusy()), settledWithinMs, 5)) === Infinity)
          throw new Error(`The work of a killed client goes on after ${settledWithinMs} ms`)
      }
      return { dataDir, url: url.href, open: () => openPostgres(url.href, () => {}), settled }
    },
  }
}

/** Opens a database for `use` and closes it; committed data is then in the file itself, ready to be copied. */
export async function using<T>(copy: Copy, use: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  const db = await copy.open()
  try {
    return await use(db)
  } finally {
    if (copy.url === undefined) await sql`pragma wal_checkpoint(truncate)`.execute(db)
    await db.destroy()
  }
}
