// Migrates the database to this version, after a copy of it that the version before can be started on.
import { spawn } from 'node:child_process'
import { mkdir, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Kysely, sql } from 'kysely'
import { moveDurably, removeFile } from '../../blobs/durable.ts'
import type { Config } from '../../config.ts'
import { DataDirInUse, withDataDirLock } from '../../db/data-dir-lock.ts'
import { migrate, MigrationFailed, migrationState, recordVersion } from '../../db/migrate.ts'
import type { Schema } from '../../db/schema.ts'

export type UpgradeConfig = Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'UPGRADE_BACKUP'>

/** The upgrade cannot start. Nothing was changed; the message names the setting and what to do. */
export class UpgradeRefused extends Error {
  override name = 'UpgradeRefused'
}

export interface Upgrade {
  migrations: string[]
  /** The copy of the database before; null for a new one, and without UPGRADE_BACKUP. */
  copy: string | null
}

const copiesRetained = 3
export const databaseCopiesFolder = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>) => join(DATA_DIR, 'backups', 'database')

/**
 * Does nothing when the database is of this version.
 * @param now UTC milliseconds
 * @param ownsDataDir whether this process holds the lock of DATA_DIR. If not, a running server, which
 *   is of the version before, prevents the migration
 * @throws {UpgradeRefused | DataDirInUse | DatabaseTooNew | MigrationFailed} with nothing changed
 */
export async function upgradeDatabase(
  db: Kysely<Schema>,
  config: UpgradeConfig,
  { now, ownsDataDir }: { now: number; ownsDataDir: boolean },
): Promise<Upgrade | null> {
  const { done, pending } = await migrationState(db)
  if (pending.length === 0) return null
  const upgrade = async () => {
    const isNew = done.length === 0
    const copy = isNew || !config.UPGRADE_BACKUP ? null : await copyDatabase(db, config, `${done.at(-1)}-${stamp(now)}`)
    await migrateCopied(db, copy)
    await recordVersion(db)
    if (copy !== null) await removeOldCopies(config)
    return { migrations: pending, copy }
  }
  if (ownsDataDir) return upgrade()
  try {
    return await withDataDirLock(config.DATA_DIR, upgrade)
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error
    throw new DataDirInUse(`${error.message}: its database is of an older version`, { cause: error })
  }
}

/** A service manager may repeat a start that fails. Its copies, each of the whole database, must not fill the disk. */
async function migrateCopied(db: Kysely<Schema>, copy: string | null): Promise<void> {
  try {
    await migrate(db)
  } catch (error) {
    if (copy !== null && error instanceof MigrationFailed) await removeFile(copy)
    throw error
  }
}

const stamp = (now: number) => new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')

/** @returns the path of the copy, which is complete and durable */
async function copyDatabase(db: Kysely<Schema>, config: UpgradeConfig, name: string): Promise<string> {
  const folder = databaseCopiesFolder(config)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeOldCopies(config)
  const path = join(folder, config.DATABASE_URL === undefined ? `${name}.sqlite` : `${name}.dump`)
  const unfinished = `${path}.part`
  if (config.DATABASE_URL === undefined) {
    await assertUpgradeSpace(config, await databaseBytes(db, config))
    await copySqlite(db, unfinished)
  } else await dumpPostgres(config.DATABASE_URL, unfinished)
  await moveDurably(unfinished, path)
  return path
}

/** A consistent copy beside other connections that read and write. */
export async function copySqlite(db: Kysely<Schema>, path: string): Promise<void> {
  await sql`vacuum into ${path}`.execute(db)
}

export async function databaseBytes(db: Kysely<Schema>, { DATABASE_URL: url }: UpgradeConfig): Promise<number> {
  const size =
    url === undefined
      ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
  return Number((await size.execute(db)).rows[0]?.bytes)
}

/** Space for the copy, and for the tables that the migration rewrites. @throws {UpgradeRefused} */
export async function assertUpgradeSpace({ DATA_DIR }: UpgradeConfig, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(DATA_DIR)
  if (bavail * bsize >= 2 * bytes) return
  throw new UpgradeRefused(
    `DATA_DIR: the upgrade needs ${megabytes(2 * bytes)} for a copy of the database and the migration, and ` +
      `${megabytes(bavail * bsize)} are free. Free some space; variants/ may be deleted`,
  )
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`

/** @throws {UpgradeRefused} without pg_dump, or when it fails */
async function dumpPostgres(databaseUrl: string, path: string): Promise<void> {
  const { url, password } = forPgDump(databaseUrl)
  const child = spawn('pg_dump', ['--format=custom', `--file=${path}`, `--dbname=${url}`], {
    env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
  try {
    const [code, errors] = await Promise.all([ended, text(child.stderr)])
    if (code !== 0) throw new Error(errors.trim())
  } catch (error) {
    await rm(path, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'it is not installed' : message
    throw new UpgradeRefused(
      `UPGRADE_BACKUP: before a migration the database is copied by pg_dump, and ${reason}. Install the client ` +
        'programs of PostgreSQL, or take a backup and set UPGRADE_BACKUP=off',
      { cause: error },
    )
  }
}

/** Parameters of the URL that both pg and libpq apply. libpq refuses those of pg alone, and pg ignores the others. */
const sharedParameters = new Set([
  ...['host', 'port', 'user', 'options', 'application_name', 'fallback_application_name', 'client_encoding'],
  ...['sslmode', 'sslnegotiation', 'sslcert', 'sslkey', 'sslrootcert'],
])

/** Values of pg alone. */
const libpqParameters: Record<string, string> = {
  'sslmode=no-verify': 'sslmode=require',
  'ssl=no-verify': 'sslmode=require',
  'ssl=true': 'sslmode=require',
  'ssl=1': 'sslmode=require',
}

/**
 * @returns the URL with the parameters that pg_dump needs to connect as the server does, and without the password: other
 *   users of the machine see the arguments of a process, not its environment
 */
export function forPgDump(databaseUrl: string): { url: string; password: string } {
  const url = new URL(databaseUrl)
  const password = url.searchParams.get('password') || decodeURIComponent(url.password)
  url.password = ''
  // Not by URLSearchParams, which writes spaces in a form that pg_dump does not read.
  const parameters = url.search.slice(1).split('&')
  url.search = parameters
    .map((parameter) => libpqParameters[parameter] ?? parameter)
    .filter((parameter) => sharedParameters.has(parameter.split('=')[0] ?? ''))
    .join('&')
  return { url: url.href, password }
}

/** And what is left of starts that were killed, each of which may have made one. */
async function removeOldCopies(config: UpgradeConfig): Promise<void> {
  const names = await readdir(databaseCopiesFolder(config))
  const isUnfinished = (name: string) => name.endsWith('.part')
  // Named by migration and time, so in their order.
  const copies = names.filter((name) => !isUnfinished(name)).sort()
  for (const name of [...names.filter(isUnfinished), ...copies.slice(0, -copiesRetained)])
    await removeFile(join(databaseCopiesFolder(config), name))
}
