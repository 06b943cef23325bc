// Opens the ports: database, store, decoders, mail. Only this file names a concrete backend.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { BackupBucket, BlobStore } from './blobs/blob-store.ts'
import { openDiskStore } from './blobs/disk.ts'
import { makeFolder, nullWhenMissing } from './blobs/durable.ts'
import { openS3Store } from './blobs/s3.ts'
import type { S3Options } from './blobs/s3-options.ts'
import { openVariantCache } from './blobs/variant-cache.ts'
import type { Config } from './config.ts'
import type { ImageChanges } from './db/image-changes.ts'
import { prepareImageSearch } from './db/search-index.ts'
import { migrate } from './db/migrate.ts'
import { openPostgres, readPostgresSnapshot } from './db/postgres.ts'
import type { Schema } from './db/schema.ts'
import { openSqlite, readSqliteSnapshot, sqliteVersion } from './db/sqlite.ts'
import { apiKeysCollection, usersCollection } from './domain/database-view/account-collections.ts'
import { loadAddressKey } from './domain/shared/address-privacy.ts'
import { openBackgroundTasks } from './domain/shared/background-tasks.ts'
import { openSimilarImages } from './domain/moderation/similar-images.ts'
import { backupsCollection } from './domain/database-view/backups-collection.ts'
import { copySqlite, type Upgrade, upgradeDatabase, type UpgradeConfig } from './domain/backups/upgrade-database.ts'
import { contactMessagesCollection } from './domain/mail/contact.ts'
import type { Deps, RunOnSnapshot } from './domain/shared/deps.ts'
import type { Log } from './domain/shared/log.ts'
import { imagesCollection } from './domain/database-view/images-collection.ts'
import { databaseCounters, memoryCounters } from './domain/shared/rate-counters.ts'
import { openUploadRecords } from './domain/uploads/resumable-records.ts'
import { createUploadsInFlight } from './domain/uploads/uploads-in-flight.ts'
import { openViewCounts } from './domain/delivery/view-counts.ts'
import { openImaging } from './imaging/pool/imaging.ts'
import { loadJwtSecret } from './jwt-secret.ts'
import { openIdentityProviders } from './identity-providers.ts'
import { DatabaseUnavailable } from './db/database-errors.ts'
import { openMetrics } from './metrics.ts'
import { openSmtp } from './mail.ts'
import { openRemoteClient } from './remote/remote-client.ts'
import { imageLibraries, requireMinimumVersions } from './versions.ts'

export interface DepsOptions {
  log: Log
  /** The wall clock, which tests move. Default: the machine's. */
  now?: () => number
  /** The compiled decoder, when this file itself is not compiled. */
  decoderEntry?: URL
  /** Time limit per image in milliseconds. Default: that of imaging. */
  imagingJobTimeLimitMs?: number
  /** Time limit for another process's lock on an SQLite file. Default: that of the driver. */
  lockTimeoutMs?: number
  /** Whether this process holds the lock of DATA_DIR. Default false. */
  ownsDataDir?: boolean
}

/** Opens everything except HTTP and jobs. @throws with nothing left open */
export async function openDeps(config: Config, { log, now = Date.now, ...options }: DepsOptions): Promise<Deps> {
  await requireLibraries()
  const inData = (name: string) => join(config.DATA_DIR, name)
  await makeFolder(config.DATA_DIR, 0o700)
  const { db, imageChanges, snapshot } = await openDatabase(config, log, { ...options, now })
  try {
    const jwtSecret = await loadJwtSecret(config)
    const uploadsInFlight = createUploadsInFlight()
    return {
      config,
      db,
      imageChanges,
      snapshot,
      blobs: await openBlobs(config),
      openBackupBucket: backupBucketOf(config),
      variants: await openVariantCache(inData('variants'), config.CACHE_MAX_BYTES, (error) =>
        log.warn({ err: error }, 'A cached variant could not be deleted, or the variant cache could not be listed'),
      ),
      jwtSecret,
      addressKey: await loadAddressKey(db, randomBytes),
      // The last step that can fail; what is opened before it needs no closing unless closed below.
      mail: config.SMTP_URL === undefined ? null : await openSmtp(config.SMTP_URL),
      imaging: openImaging({
        dataDir: config.DATA_DIR,
        decoders: config.DECODERS,
        renderShare: config.RENDER_LIMIT,
        ...(options.decoderEntry && { decoderEntry: options.decoderEntry }),
        ...(options.imagingJobTimeLimitMs && { jobTimeLimitMs: options.imagingJobTimeLimitMs }),
        log: (event, level) => log[level ?? 'info'](event, 'imaging'),
      }),
      identityProviders: openIdentityProviders(config.OIDC_PROVIDERS ?? []),
      remote: openRemoteClient(),
      now,
      randomBytes,
      log,
      tempDir: inData('tmp'),
      metrics: openMetrics((error) => error instanceof DatabaseUnavailable),
      counters: config.DATABASE_URL === undefined ? memoryCounters() : databaseCounters(db, jwtSecret),
      uploadsInFlight,
      uploadRecords: openUploadRecords({ folder: inData('resumable'), uploadsInFlight, now, log }),
      similarImages: openSimilarImages(),
      viewCounts: openViewCounts(db, now, config.VIEW_COUNTS),
      background: openBackgroundTasks(log),
      readiness: { isReady: false },
      warnings: new Set(config.DB_VIEW_ROLE === 'any' ? ['open_database_view'] : []),
      systemCollections: {
        users: usersCollection,
        images: imagesCollection,
        apikeys: apiKeysCollection,
        backups: backupsCollection,
        contactmessages: contactMessagesCollection,
      },
    }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** @returns the versions of the native libraries. @throws when one is too old */
export async function requireLibraries(): Promise<Record<string, string>> {
  const found = { ...(await imageLibraries()), sqlite: await sqliteVersion() }
  requireMinimumVersions(found)
  return found
}

/** Runs `use` on the configured database without migrating it. @returns null when the SQLite file does not exist */
export async function inspectDatabase<T>(
  { DATABASE_URL: url, DATA_DIR: dataDir }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  log: Log,
  use: (db: Kysely<Schema>) => Promise<T>,
): Promise<T | null> {
  const path = sqlitePath(dataDir)
  if (url === undefined && (await stat(path).catch(nullWhenMissing)) === null) return null
  const db = url === undefined ? (await openSqlite(path)).db : await connectPostgres(url, log)
  try {
    return await use(db)
  } finally {
    await db.destroy()
  }
}

const sqlitePath = (dataDir: string) => join(dataDir, 'image-host.sqlite')

const connectPostgres = (url: string, log: Log) =>
  openPostgres(url, ({ message: reason }) => log.warn({ reason }, 'A database connection broke'))

const slowSearch =
  'Searches in many images are slow: the index images_search could not be created, which needs the extension pg_trgm of ' +
  'PostgreSQL. docs/operate.md says how to create both'

/** Opens the configured database, after an upgrade to this version if it needs one. */
export async function openDatabase(
  config: UpgradeConfig,
  log: Log,
  {
    lockTimeoutMs,
    ownsDataDir = false,
    now = Date.now,
  }: Pick<DepsOptions, 'lockTimeoutMs' | 'ownsDataDir' | 'now'> = {},
): Promise<{
  db: Kysely<Schema>
  imageChanges: ImageChanges | null
  snapshot: RunOnSnapshot
  upgrade: Upgrade | null
}> {
  const { DATABASE_URL: url } = config
  const path = sqlitePath(config.DATA_DIR)
  const { db, watch } =
    url === undefined ? await openSqlite(path, { lockTimeoutMs }) : { db: await connectPostgres(url, log), watch: null }
  try {
    const upgrade = await upgradeDatabase(db, config, { now: now(), ownsDataDir })
    if (upgrade) log.info(upgrade, 'The database was migrated')
    const searchProblem = await prepareImageSearch(db)
    if (searchProblem) log.warn({ err: searchProblem }, slowSearch)
    return {
      db,
      imageChanges: watch?.() ?? null,
      snapshot: (use) => (url === undefined ? readSqliteSnapshot(path, use) : readPostgresSnapshot(db, use)),
      upgrade,
    }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/**
 * Migrates a copy of the SQLite database of `db`, which is removed again.
 * @returns how long the copy and its migration took, in milliseconds
 */
export async function tryUpgrade(
  db: Kysely<Schema>,
  { DATA_DIR }: UpgradeConfig,
): Promise<{ copyMs: number; migrationMs: number }> {
  const tempDir = join(DATA_DIR, 'tmp')
  await mkdir(tempDir, { recursive: true })
  const folder = await mkdtemp(join(tempDir, 'upgrade-'))
  try {
    const path = join(folder, 'copy.sqlite')
    const start = performance.now()
    await copySqlite(db, path)
    const copyMs = performance.now() - start
    const { db: copy } = await openSqlite(path)
    try {
      const opened = performance.now()
      await migrate(copy)
      await prepareImageSearch(copy)
      return { copyMs, migrationMs: performance.now() - opened }
    } finally {
      await copy.destroy()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @throws when a bucket cannot be reached, with a message that names the setting */
export function openBlobs(config: Config): Promise<BlobStore> {
  if (config.S3_BUCKET === undefined) return openDiskStore(join(config.DATA_DIR, 'originals'))
  return openS3Store({
    bucket: config.S3_BUCKET,
    region: config.S3_REGION,
    tempDir: join(config.DATA_DIR, 'tmp'),
    endpoint: config.S3_ENDPOINT,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
  })
}

/** @throws when it cannot be reached, with a message that names the setting */
async function openBackupBucket(config: Config, bucket: string): Promise<BackupBucket> {
  const open = (folder: Pick<S3Options, 'prefix' | 'suffix' | 'maxPutBytes'>) =>
    openS3Store({
      bucket,
      region: config.BACKUP_S3_REGION,
      tempDir: join(config.DATA_DIR, 'tmp'),
      endpoint: config.BACKUP_S3_ENDPOINT,
      accessKeyId: config.BACKUP_S3_ACCESS_KEY_ID,
      secretAccessKey: config.BACKUP_S3_SECRET_ACCESS_KEY,
      settingsPrefix: 'BACKUP_',
      // Nobody waits for a backup, and four originals share an uplink of 0.5 Mbit/s.
      slowestBytesPerMs: 16,
      ...folder,
    })
  return {
    rows: await open({ prefix: 'backup/rows/', suffix: '.tar', maxPutBytes: maxObjectBytes }),
    lists: await open({ prefix: 'backup/rows/', suffix: '.originals', maxPutBytes: maxObjectBytes }),
    originals: await open({ prefix: 'backup/originals/' }),
  }
}

/** Of S3, without an upload in parts. */
const maxObjectBytes = 5 * 1024 ** 3

/** undefined without BACKUP_S3_BUCKET. Opened by each backup: a server starts without it. */
export function backupBucketOf(config: Config): (() => Promise<BackupBucket>) | undefined {
  const { BACKUP_S3_BUCKET: bucket } = config
  return bucket === undefined ? undefined : () => openBackupBucket(config, bucket)
}

export async function closeDeps(deps: Deps): Promise<void> {
  await deps.background.stop()
  await deps.viewCounts.flush().catch((error: unknown) => deps.log.error({ err: error }, 'Views could not be written'))
  await deps.imaging.close()
  deps.mail?.close()
  await deps.db.destroy()
}
