// The SQLite file of a DATA_DIR, read and changed past the server.
import { join } from 'node:path'
import { loadDriver } from '../server/db/sqlite.ts'

export type Database = InstanceType<Awaited<ReturnType<typeof loadDriver>>>

export const sqliteFileIn = (dataDir: string) => join(dataDir, 'image-host.sqlite')

/** Opens the file for `use` and closes it. */
export async function withSqliteFile<T>(path: string, use: (database: Database) => T | Promise<T>): Promise<T> {
  const Driver = await loadDriver()
  const database = new Driver(path)
  try {
    return await use(database)
  } finally {
    database.close()
  }
}

export const queryRows = <T>(dataDir: string, sql: string): Promise<T[]> =>
  withSqliteFile(sqliteFileIn(dataDir), (database) => database.prepare(sql).all() as T[])
