import { type Kysely, Migrator } from 'kysely'
import * as accountsAndImages from './migrations/0001-accounts-and-images.ts'
import * as documents from './migrations/0002-documents.ts'
import * as backups from './migrations/0003-backups.ts'
import * as mail from './migrations/0004-mail.ts'
import * as keysAndLimits from './migrations/0005-keys-and-limits.ts'
import * as undo from './migrations/0006-undo.ts'
import type { Schema } from './schema.ts'

const migrations = {
  '0001-accounts-and-images': accountsAndImages,
  '0002-documents': documents,
  '0003-backups': backups,
  '0004-mail': mail,
  '0005-keys-and-limits': keysAndLimits,
  '0006-undo': undo,
}

/** In order. The last one names the form of the tables. */
export const migrationNames = Object.keys(migrations).sort()

/** Brings the tables to this version. Fails, changing nothing, on a database that a newer version has written. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('The database could not be brought to this version', { cause: error })
}
