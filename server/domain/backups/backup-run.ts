// Runs a backup: starts it, completes or fails it. Another process fails it when its heartbeat stops (stalled-backups.ts).
import { open, rm, stat } from 'node:fs/promises'
import { makeFolder, moveDurably } from '../../blobs/durable.ts'
import type { BackupsTable } from '../../db/schema.ts'
import { audit, type AuditOrigin } from '../audit/audit.ts'
import type { Deps } from '../shared/deps.ts'
import { DiskFull, isDiskFull } from '../shared/disk-space.ts'
import { Failure } from '../shared/failure.ts'
import { newId } from '../shared/secrets.ts'
import type { Manifest } from './archive-format.ts'
import { archivePath, backupsFolder, assertBackupSpace, unfinishedPath } from './backup-files.ts'
import { fail, failStalledBackups, startHeartbeat } from './stalled-backups.ts'
import { imageTotals } from '../images/image-totals.ts'
import { beginBucketBackup, bucketName } from './backup-bucket.ts'
import { type ArchiveOptions, keptElsewhere, writeArchive } from './write-archive.ts'

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
    await deps.db.transaction().execute(async (db) => {
      await db.deleteFrom('backups').where('id', '=', row.id).execute()
      if (row.status === 'completed')
        await audit({ ...deps, db }, { actor: 'server', action: 'backup_deleted', target: { id: row.id } })
    })
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
