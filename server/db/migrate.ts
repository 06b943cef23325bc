import { type Kysely, Migrator } from 'kysely'
import * as accountsAndImages from './migrations/0001-accounts-and-images.ts'
import type { Schema } from './schema.ts'

const migrations = {
  '0001-accounts-and-images': accountsAndImages,
}

/** Brings the tables to this version. Fails, changing nothing, on a database that a newer version has written. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('The database could not be brought to this version', { cause: error })
}
