// Runs a backup: starts it, writes its heartbeat, completes or fails it. Another process fails it when
// the heartbeat stops.
import { open, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, moveDurably, nullWhenMissing } from '../../blobs/durable.ts'
import type { BackupsTable } from '../../db/schema.ts'
import { audit, type AuditOrigin } from '../audit/audit.ts'
import type { Deps } from '../shared/deps.ts'
import { DiskFull, isDiskFull } from '../shared/disk-space.ts'
import { Failure } from '../shared/failure.ts'
import { newId } from '../shared/secrets.ts'
import type { Manifest } from './archive-format.ts'
import {
  archivePath,
  backupsFolder,
  isOfCommand,
  listFolder,
  assertBackupSpace,
  unfinished,
  unfinishedPath,
} from './backup-files.ts'
import { imageTotals } from '../images/image-totals.ts'
import { beginBucketBackup, bucketName } from './backup-bucket.ts'
import { type ArchiveOptions, keptElsewhere, writeArchive } from './write-archive.ts'

/** A running backup updates its row this often; without an update for the timeout it counts as failed. */
const heartbeatMs = 2000
export const heartbeatTimeoutMs = 2 * 60_000
/** For the estimated duration: measured on a small machine. */
const bytesPerSecond = 50 * 1024 * 1024
const imagesPerSecond = 500

interface RunOptions extends Pick<ArchiveOptions, 'by' | 'signal'> {
  place?: BackupsTable['place']
  /** Without the originals. */
  isRowsOnly?: boolean
}

/** Takes a complete backup. @throws {Failure} like startBackup, and the error that stopped it */
export async function takeBackup(deps: Deps, options: RunOptions) {
  const { id } = await startBackupRun(deps, options, { actor: options.by === 'cli' ? 'command_line' : 'server' })
  return { id, ...(await finishBackupRun(deps, { ...options, id })) }
}

/** Creates the empty file before the row: every running backup has a file. */
export async function startBackupRun(
  deps: Deps,
  { by, place = 'disk', isRowsOnly = false }: RunOptions,
  origin: AuditOrigin,
): Promise<{ id: string; estimatedTimeMinutes: number }> {
  await failStalledBackups(deps)
  const id = newId(deps)
  await makeFolder(backupsFolder(deps), 0o700)
  const { images, bytes } = await imageTotals(deps.db)
  await assertBackupSpace(backupsFolder(deps), isRowsOnly || place === 's3' ? 0 : bytes)
  await (await open(unfinishedPath(deps, id, by), 'wx', 0o600)).close()
  const now = deps.now()
  const isInserted = await deps.db
    .transaction()
    .execute(async (db) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('backups')
        .values({
          id,
          status: 'running',
          taken_by: by,
          place,
          bytes: 0,
          progress: 0,
          error: null,
          created_at: now,
          seen_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows !== 1n) return false
      await audit({ ...deps, db }, { ...origin, action: 'backup_created', target: { id } })
      return true
    })
    // The row may exist although the response was lost: it would stay "running" forever.
    .catch((error: unknown) => endWith(deps, { id, by }, error))
  if (!isInserted) {
    await rm(unfinishedPath(deps, id, by), { force: true })
    const other = await deps.db.selectFrom('backups').select('id').where('status', '=', 'running').executeTakeFirst()
    throw new Failure('backup_running', { id: other?.id ?? 'another' })
  }
  const seconds = images / imagesPerSecond + bytes / bytesPerSecond
  return { id, estimatedTimeMinutes: Math.max(1, Math.ceil(seconds / 60)) }
}

interface BackupRun extends RunOptions {
  id: string
}

export interface TakenBackup {
  manifest: Manifest
  /** Of the archive, or s3: and its name in the bucket. */
  path: string
  /** To the bucket, without the rows. */
  uploaded?: { originals: number; bytes: number }
}

export async function finishBackupRun(deps: Deps, run: BackupRun): Promise<TakenBackup> {
  const { id, by, isRowsOnly = false } = run
  const path = unfinishedPath(deps, id, by)
  const heartbeat = startHeartbeat(deps, id, path)
  const signal = run.signal ? AbortSignal.any([run.signal, heartbeat.lost]) : heartbeat.lost
  const write = (apart: ArchiveOptions['apart']) =>
    writeArchive(deps, path, { by, apart, signal, onProgress: heartbeat.progress })
  /** @returns what `completed` has to say, besides the manifest */
  const toDisk = async () => {
    const manifest = await write(isRowsOnly ? keptElsewhere : undefined)
    const { size } = await stat(path)
    await moveDurably(path, archivePath(deps, id))
    return { manifest, path: archivePath(deps, id), size, problem: null }
  }
  const toBucket = async () => {
    const { created_at: createdAt } = await getRow(deps, id)
    const name = bucketName(deps, createdAt)
    const backup = await beginBucketBackup(deps, { by, name, isRowsOnly, signal })
    try {
      const manifest = await write(backup.apart)
      const { size } = await stat(path)
      await backup.store(path)
      const problem = await backup.prune().then(
        (kept) => forgetBucketBackups(deps, kept),
        (error: unknown) => {
          deps.log.warn({ err: error, backupId: id }, 'Old backups could not be deleted from the bucket')
          return `Older backups could not be deleted: ${error instanceof Error ? error.message : String(error)}`
        },
      )
      await rm(path, { force: true })
      const { uploaded } = backup
      return { manifest, path: `s3:${name}`, size: size + uploaded.bytes, problem, uploaded }
    } finally {
      await backup.close()
    }
  }
  try {
    const { size, problem, ...taken } = await (run.place === 's3' ? toBucket() : toDisk())
    const { manifest } = taken
    await heartbeat.end()
    const { numUpdatedRows } = await deps.db
      .updateTable('backups')
      .set({
        status: 'completed',
        bytes: size,
        progress: 100,
        error: [shortfall(manifest), problem].filter((text) => text !== null).join('. ') || null,
        seen_at: deps.now(),
      })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Error('Another process marked the backup as failed before it completed')
    return taken
  } catch (error) {
    await heartbeat.end()
    return endWith(deps, { id, by }, error)
  }
}

export const becameFull = (folder: string) =>
  `The disk of ${folder} became full. Free some space, then take another backup`

/** Deletes the file first, without which a full disk has no room for the row. @throws the error that ended the backup */
async function endWith(
  deps: Pick<Deps, 'config' | 'db' | 'log'>,
  { id, by }: BackupRun,
  cause: unknown,
): Promise<never> {
  const end = isDiskFull(cause) ? new DiskFull(becameFull(backupsFolder(deps)), { cause }) : cause
  await rm(unfinishedPath(deps, id, by), { force: true })
  await fail(deps, id, end instanceof Error ? end.message : String(end)).catch((second: unknown) =>
    deps.log.warn({ err: second, backupId: id }, 'A backup that ended could not be marked as failed yet'),
  )
  throw end
}

/** Writes progress and heartbeat, to the row and as the time of the file; without them another process fails the backup. */
function startHeartbeat(deps: Pick<Deps, 'db' | 'now' | 'log'>, id: string, path: string) {
  const lost = new AbortController()
  let state = { progress: 0, bytes: 0 }
  let writing = Promise.resolve()
  const write = async () => {
    const { numUpdatedRows } = await deps.db
      .updateTable('backups')
      .set({ ...state, seen_at: deps.now() })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return lost.abort(new Error('Another process marked the backup as failed'))
    // It gets its final name before the last heartbeat.
    await utimes(path, deps.now() / 1000, deps.now() / 1000).catch(nullWhenMissing)
  }
  const timer = setInterval(() => {
    writing = writing.then(write).catch((error: unknown) => {
      deps.log.warn({ err: error, backupId: id }, 'The heartbeat of a backup could not be written')
    })
  }, heartbeatMs)
  timer.unref()
  return {
    /** Aborted when another process has failed the backup. */
    lost: lost.signal,
    progress: (done: number, bytes: number) => {
      state = { progress: Math.min(99, Math.floor(done * 100)), bytes }
    },
    async end() {
      clearInterval(timer)
      await writing
    },
  }
}

const getRow = ({ db }: Pick<Deps, 'db'>, id: string) =>
  db.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Forgets what is no longer in the bucket. @param kept names */
async function forgetBucketBackups(deps: Deps, kept: string[]): Promise<null> {
  const rows = await deps.db.selectFrom('backups').selectAll().where('place', '=', 's3').execute()
  const isKept = ({ created_at: at }: BackupsTable) => kept.includes(bucketName(deps, at))
  const oldest = Math.min(...rows.filter(isKept).map(({ created_at: at }) => at))
  for (const row of rows) {
    if (row.status === 'running' || isKept(row)) continue
    // A failed one tells its reason as long as an older backup is kept.
    if (row.status === 'failed' && row.created_at > oldest) continue
    await deps.db.deleteFrom('backups').where('id', '=', row.id).execute()
    if (row.status === 'completed')
      await audit(deps, { actor: 'server', action: 'backup_deleted', target: { id: row.id } })
  }
  return null
}

/** Describes missing or damaged originals of a completed backup; null when there are none. */
function shortfall({ left_out: leftOut }: Manifest): string | null {
  const lost = leftOut.filter(({ why }) => why !== 'deleted')
  if (lost.length === 0) return null
  const named = lost.slice(0, 3).map(({ id, why }) => `${id} (${why})`)
  return `${lost.length} images are not in the backup because their bytes are missing or damaged: ${named.join(', ')}. Run the command check`
}

/** Fails backups without a recent heartbeat: their process or machine has stopped. */
export async function failStalledBackups(deps: Pick<Deps, 'config' | 'db' | 'now'>): Promise<void> {
  const silent = await deps.db
    .selectFrom('backups')
    .select('id')
    .where('status', '=', 'running')
    .where('seen_at', '<', deps.now() - heartbeatTimeoutMs)
    .execute()
  for (const { id } of silent) await fail(deps, id, 'The process that ran the backup has stopped')
}

async function fail(deps: Pick<Deps, 'config' | 'db'>, id: string, error: string): Promise<void> {
  await deps.db
    .updateTable('backups')
    .set({ status: 'failed', bytes: 0, error: error.slice(0, 500) })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute()
  for (const by of ['server', 'cli'] as const) await rm(unfinishedPath(deps, id, by), { force: true })
  // A completed backup, of which only the statement's response was lost, stays.
  const row = await deps.db.selectFrom('backups').select('status').where('id', '=', id).executeTakeFirst()
  if (row?.status !== 'completed') await rm(archivePath(deps, id), { force: true })
}

/**
 * Deletes the unfinished archives of the server that ran before, and those of commands that write no more.
 * @param now UTC milliseconds
 * @returns the ids of the backups
 */
export async function removeUnfinishedBackups(deps: Pick<Deps, 'config'>, now: number): Promise<string[]> {
  const removed: string[] = []
  for (const name of await listFolder(backupsFolder(deps))) {
    if (!name.endsWith(`.tar${unfinished}`)) continue
    const path = join(backupsFolder(deps), name)
    const found = isOfCommand(name) ? await stat(path).catch(nullWhenMissing) : null
    if (found && found.mtimeMs > now - heartbeatTimeoutMs) continue
    await rm(path, { force: true })
    removed.push(name.slice(0, name.indexOf('.')))
  }
  return removed
}

/**
 * Fails what a previous server process left unfinished. The backup of a command continues.
 * @param removed what {@link removeUnfinishedBackups} returned
 */
export async function failInterruptedBackups(
  deps: Pick<Deps, 'config' | 'db' | 'now'>,
  removed: string[],
): Promise<void> {
  await failStalledBackups(deps)
  const running = await deps.db
    .selectFrom('backups')
    .select('id')
    .where('status', '=', 'running')
    .where('taken_by', '=', 'server')
    .execute()
  const archives = await listFolder(backupsFolder(deps))
  for (const { id } of running) {
    // When servers share a database, it was this one's if its file is here.
    const isHere = deps.config.DATABASE_URL === undefined || removed.includes(id) || archives.includes(`${id}.tar`)
    if (isHere) await fail(deps, id, 'The server stopped during the backup')
  }
}
