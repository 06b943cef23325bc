// Migrates the tables of a database to this version, all steps or none.
import { DEFAULT_MIGRATION_TABLE, type Kysely, Migrator, sql } from 'kysely'
import * as accountsAndImages from './migrations/version-0.2/0001-accounts-and-images.ts'
import * as documents from './migrations/version-0.2/0002-documents.ts'
import * as backups from './migrations/version-0.2/0003-backups.ts'
import * as mail from './migrations/version-0.2/0004-mail.ts'
import * as keysAndLimits from './migrations/version-0.2/0005-keys-and-limits.ts'
import * as undo from './migrations/version-0.2/0006-undo.ts'
import * as recount from './migrations/version-0.2/0007-recount.ts'
import * as quotas from './migrations/version-0.3/0008-quotas.ts'
import * as apiKeyScopes from './migrations/version-0.3/0009-api-key-scopes.ts'
import * as moderation from './migrations/version-0.3/0010-moderation.ts'
import * as auditLog from './migrations/version-0.3/0011-audit.ts'
import * as httpHardening from './migrations/version-0.3/0012-http-hardening.ts'
import * as reports from './migrations/version-0.3/0013-reports.ts'
import * as blocklists from './migrations/version-0.3/0014-block-lists.ts'
import * as temporaryPasswords from './migrations/version-0.3/0015-temporary-passwords.ts'
import * as webhooks from './migrations/version-0.3/0016-webhooks.ts'
import * as share from './migrations/version-0.3/0017-share.ts'
import * as views from './migrations/version-0.3/0018-views.ts'
import * as confirmedAddresses from './migrations/version-0.3/0019-confirmed-addresses.ts'
import * as factors from './migrations/version-0.3/0020-factors.ts'
import * as sessions from './migrations/version-0.3/0021-sessions.ts'
import * as imports from './migrations/version-0.3/0022-imports.ts'
import * as search from './migrations/version-0.3/0023-search.ts'
import * as selfRegistered from './migrations/version-0.3/0024-self-registered.ts'
import * as usedTokens from './migrations/version-0.3/0025-used-tokens.ts'
import * as backupPlace from './migrations/version-0.3/0026-backup-place.ts'
import * as expiredAt from './migrations/version-0.3/0027-expired-at.ts'
import * as trash from './migrations/version-0.3/0028-trash.ts'
import * as viewSums from './migrations/version-0.3/0029-view-sums.ts'
import * as liveLists from './migrations/version-0.3/0030-live-lists.ts'
import * as visibility from './migrations/version-0.3/0031-visibility.ts'
import * as tags from './migrations/version-0.3/0032-tags.ts'
import * as albumsAndLinks from './migrations/version-0.3/0033-albums-and-links.ts'
import { productVersion } from '../installation.ts'
import { DatabaseUnavailable } from './database-errors.ts'
import type { Schema } from './schema.ts'
import { findStoredValue, storeValue } from './stored-values.ts'

const migrations = {
  '0001-accounts-and-images': accountsAndImages,
  '0002-documents': documents,
  '0003-backups': backups,
  '0004-mail': mail,
  '0005-keys-and-limits': keysAndLimits,
  '0006-undo': undo,
  '0007-recount': recount,
  '0008-quotas': quotas,
  '0009-api-key-scopes': apiKeyScopes,
  '0010-moderation': moderation,
  '0011-audit': auditLog,
  '0012-http-hardening': httpHardening,
  '0013-reports': reports,
  '0014-block-lists': blocklists,
  '0015-temporary-passwords': temporaryPasswords,
  '0016-webhooks': webhooks,
  '0017-share': share,
  '0018-views': views,
  '0019-confirmed-addresses': confirmedAddresses,
  '0020-factors': factors,
  '0021-sessions': sessions,
  '0022-imports': imports,
  '0023-search': search,
  '0024-self-registered': selfRegistered,
  '0025-used-tokens': usedTokens,
  '0026-backup-place': backupPlace,
  '0027-expired-at': expiredAt,
  '0028-trash': trash,
  '0029-view-sums': viewSums,
  '0030-live-lists': liveLists,
  '0031-visibility': visibility,
  '0032-tags': tags,
  '0033-albums-and-links': albumsAndLinks,
}

/** In order. The last name identifies the schema version. */
export const migrationNames = Object.keys(migrations).sort()

/** The database was written by a newer version of the product, whose schema is unknown here. */
export class DatabaseTooNew extends Error {
  override name = 'DatabaseTooNew'
}

/** A step cannot be taken on this database, which is as it was. */
export class MigrationFailed extends Error {
  override name = 'MigrationFailed'
}

/**
 * Migrates the tables in one transaction. @throws {DatabaseTooNew | MigrationFailed} with nothing changed
 * @param upTo one of {@link migrationNames}, to create the schema of an older version
 */
export async function migrate(db: Kysely<Schema>, upTo?: string): Promise<void> {
  await requireKnownMigrations(db)
  const provider = { getMigrations: async () => migrations }
  // Branches number their steps before they are merged: a step may be missing below one that has run.
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true })
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo))
  // Its last response may have been lost: whether it has been migrated is not known.
  if (error instanceof DatabaseUnavailable) throw error
  if (error) throw new MigrationFailed('The database migration failed', { cause: error })
}

/** @returns the migrations that have run, and those that {@link migrate} would run. @throws {DatabaseTooNew} */
export async function migrationState(db: Kysely<Schema>): Promise<{ done: string[]; pending: string[] }> {
  const done = await requireKnownMigrations(db)
  return { done, pending: migrationNames.filter((name) => !done.includes(name)) }
}

const versionSetting = 'product_version'

/** Records this version as the one that migrated the database last, for the message of {@link DatabaseTooNew}. */
export const recordVersion = (db: Kysely<Schema>): Promise<void> => storeValue(db, versionSetting, productVersion())

/** @returns the migrations that have run, in order. @throws {DatabaseTooNew} */
async function requireKnownMigrations(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  const done = rows.map(({ name }) => name).sort()
  const unknown = done.filter((name) => !migrationNames.includes(name))
  if (unknown.length === 0) return done
  const writer = await findStoredValue(db, versionSetting)
  throw new DatabaseTooNew(
    `The database was written by a newer version of Image Host (${writer === undefined ? '' : `${writer}, `}it has ` +
      `${unknown.join(', ')}), and this is ${productVersion()}. Start that version, or restore what was before the ` +
      'upgrade (docs/operate.md, "Going back")',
  )
}

/**
 * Returns when the oldest migration ran, in UTC milliseconds, or Infinity when unknown.
 * @NOTE A backup restored or moved into a new file gets the time of that file, not of its rows.
 */
export async function databaseCreatedAt(db: Kysely<Schema>): Promise<number> {
  const first = sql<{ at: string | null }>`select min(timestamp) as at from ${sql.table(DEFAULT_MIGRATION_TABLE)}`
  const at = Date.parse((await first.execute(db)).rows[0]?.at ?? '')
  return Number.isNaN(at) ? Infinity : at
}
