// Backups as admins know them: started, listed, downloaded, deleted, by the clock. The archives stand in DATA_DIR/backups.
import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backup } from '../../../contract/database.ts'
import { limits } from '../../../contract/limits.ts'
import { moveDurably, nullWhenMissing } from '../../blobs/durable.ts'
import type { BackupsTable } from '../../db/schema.ts'
import type { Deps } from '../deps.ts'
import { Failure } from '../failure.ts'
import { newId } from '../secrets.ts'
import type { Manifest } from './archive-format.ts'
import { imageTotals } from './stats.ts'
import { writeArchive } from './write-archive.ts'

/** A file to be saved by whoever asked for it. */
export interface ServedFile {
  path: string
  fileName: string
  mime: string
  /** Bytes. */
  size: number
  /** Strong, without its quotes. */
  etag: string
}

type TakenBy = BackupsTable['taken_by']

const folderOf = (deps: Deps) => join(deps.config.DATA_DIR, 'backups')
/** Where the archive of a completed backup is. */
export const archivePath = (deps: Deps, id: string) => join(folderOf(deps), `${id}.tar`)
const unfinishedPath = (deps: Deps, id: string) => `${archivePath(deps, id)}.part`

/** @throws {Failure} backup_running, no_space_for_backup */
export async function startBackup(deps: Deps) {
  const { id, estimatedTimeMinutes } = await beginBackup(deps, 'server')
  deps.background.start('backup', async (signal) => void (await finishBackup(deps, id, signal)))
  return { message: 'The backup has started', backupId: id, estimatedTimeMinutes }
}

/** Takes one from beginning to end. @throws {Failure} as startBackup; whatever stopped it */
export async function takeBackup(deps: Deps, by: TakenBy, signal?: AbortSignal) {
  const { id } = await beginBackup(deps, by)
  return { id, path: archivePath(deps, id), manifest: await finishBackup(deps, id, signal) }
}

export async function listBackups(deps: Deps): Promise<{ backups: Backup[] }> {
  await failSilentBackups(deps)
  const rows = await deps.db
    .selectFrom('backups')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { backups: rows.map(toBackup) }
}

/** @throws {Failure} backup_not_found, backup_running, backup_file_missing: it was taken by another server, or moved away */
export async function downloadBackup(deps: Deps, { params }: { params: { id: string } }): Promise<ServedFile> {
  const row = await findEnded(deps, params.id)
  if (row.status !== 'completed') throw new Failure('backup_not_found')
  const path = archivePath(deps, row.id)
  const file = await stat(path).catch(nullWhenMissing)
  if (!file) throw new Failure('backup_file_missing')
  const day = new Date(row.created_at).toISOString().replace(/:/g, '-').slice(0, 19)
  return { path, fileName: `backup-${day}.tar`, mime: 'application/x-tar', size: file.size, etag: row.id }
}

/** @throws {Failure} backup_not_found, backup_running */
export async function deleteBackup(deps: Deps, { params }: { params: { id: string } }) {
  const row = await findEnded(deps, params.id)
  await removeBackup(deps, row.id)
  return { success: true as const }
}

/** By the clock: takes a backup, then lets those go that are beyond BACKUP_KEEP. Skipped while one runs or was just begun. */
export async function scheduledBackup(deps: Deps): Promise<{ backupId: string | null; removed: number }> {
  const newest = await deps.db
    .selectFrom('backups')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  // Two servers have one schedule.
  if (newest && newest.created_at > deps.now() - limits.backup.scheduleGapMs) return { backupId: null, removed: 0 }
  const begun = await beginBackup(deps, 'server').catch(nullWhileRunning)
  if (!begun) return { backupId: null, removed: 0 }
  const { id } = begun
  await new Promise<void>((resolve, reject) => {
    deps.background.start('backup', (signal) => finishBackup(deps, id, signal).then(() => resolve(), reject))
  })
  return { backupId: id, removed: await removeOldest(deps) }
}

/**
 * At the start of a server: what its predecessor was taking when it was killed has failed, and its file goes.
 * A backup that a command is taking right now is left alone.
 */
export async function failBrokenBackups(deps: Deps): Promise<void> {
  await failSilentBackups(deps)
  const running = await deps.db.selectFrom('backups').selectAll().where('status', '=', 'running').execute()
  const names = await namesIn(folderOf(deps))
  for (const row of running) {
    // With one database for several servers, it is this one's when its file is here.
    const isHere = deps.config.DATABASE_URL === undefined || names.some((name) => name.startsWith(row.id))
    if (row.taken_by === 'server' && isHere) await fail(deps, row.id, 'The server was stopped while it ran')
  }
  const alive = new Set(running.filter((row) => row.taken_by === 'cli').map(({ id }) => `${id}.tar.part`))
  for (const name of names) {
    if (name.endsWith('.tar.part') && !alive.has(name)) await rm(join(folderOf(deps), name), { force: true })
  }
}

function nullWhileRunning(error: unknown): null {
  if (error instanceof Failure && error.code === 'backup_running') return null
  throw error
}

/** The empty file first, then the row: a row that is running always has a file where it is being taken. */
async function beginBackup(deps: Deps, by: TakenBy): Promise<{ id: string; estimatedTimeMinutes: number }> {
  await failSilentBackups(deps)
  const id = newId(deps)
  await mkdir(folderOf(deps), { recursive: true, mode: 0o700 })
  const { images, bytes } = await imageTotals(deps.db)
  await refuseWithoutSpace(deps, bytes)
  await (await open(unfinishedPath(deps, id), 'wx', 0o600)).close()
  const now = deps.now()
  const { numInsertedOrUpdatedRows: inserted } = await deps.db
    .insertInto('backups')
    .values({ id, status: 'running', taken_by: by, bytes: 0, progress: 0, error: null, created_at: now, seen_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
    .catch(async (error: unknown) => {
      // The row may be there although its answer was lost: nobody would ever end it.
      await fail(deps, id, String(error)).catch((second: unknown) =>
        deps.log.warn({ err: second, backupId: id }, 'A backup that did not begin could not be ended'),
      )
      throw error
    })
  if (inserted !== 1n) {
    await rm(unfinishedPath(deps, id), { force: true })
    const other = await deps.db.selectFrom('backups').select('id').where('status', '=', 'running').executeTakeFirst()
    throw new Failure('backup_running', { id: other?.id ?? 'another' })
  }
  const seconds = images / limits.backup.imagesPerSecond + bytes / limits.backup.bytesPerSecond
  return { id, estimatedTimeMinutes: Math.max(1, Math.ceil(seconds / 60)) }
}

async function finishBackup(deps: Deps, id: string, signal?: AbortSignal): Promise<Manifest> {
  const path = unfinishedPath(deps, id)
  const vitals = keepAlive(deps, id)
  try {
    const manifest = await writeArchive(deps, path, {
      signal: signal ? AbortSignal.any([signal, vitals.lost]) : vitals.lost,
      onProgress: vitals.progress,
    })
    const { size } = await stat(path)
    await moveDurably(path, archivePath(deps, id))
    await vitals.end()
    const { numUpdatedRows } = await deps.db
      .updateTable('backups')
      .set({ status: 'completed', bytes: size, progress: 100, error: shortfall(manifest), seen_at: deps.now() })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Error('The backup was taken for dead before it was done')
    return manifest
  } catch (error) {
    await vitals.end()
    await fail(deps, id, error instanceof Error ? error.message : String(error))
    throw error
  }
}

/** Tells how far it is, every few seconds; as long as it does, nobody takes the backup for dead. */
function keepAlive(deps: Deps, id: string) {
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
    if (numUpdatedRows === 0n) lost.abort(new Error('The backup was taken for dead'))
  }
  const timer = setInterval(() => {
    writing = writing.then(write).catch((error: unknown) => {
      deps.log.warn({ err: error, backupId: id }, 'The state of a backup could not be written')
    })
  }, limits.backup.seenEveryMs)
  timer.unref()
  return {
    /** Aborted when another has declared the backup dead. */
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

/** What a completed backup had to leave out although it should be there; null: nothing. */
function shortfall({ left_out: leftOut }: Manifest): string | null {
  const lost = leftOut.filter(({ why }) => why !== 'deleted')
  if (lost.length === 0) return null
  const named = lost.slice(0, 3).map(({ id, why }) => `${id} (${why})`)
  return `${lost.length} images are not in it, their bytes are missing or damaged: ${named.join(', ')}. Run the command check`
}

/** Whoever took it has given no sign of life for long: its machine is gone. */
async function failSilentBackups(deps: Deps): Promise<void> {
  const silent = await deps.db
    .selectFrom('backups')
    .select('id')
    .where('status', '=', 'running')
    .where('seen_at', '<', deps.now() - limits.backup.deadMs)
    .execute()
  for (const { id } of silent) await fail(deps, id, 'Whoever took it has stopped')
}

async function fail(deps: Deps, id: string, error: string): Promise<void> {
  await deps.db
    .updateTable('backups')
    .set({ status: 'failed', bytes: 0, error: error.slice(0, 500) })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute()
  await rm(unfinishedPath(deps, id), { force: true })
  // Completed after all, where only the answer of its last statement was lost: then the archive is good, and stays.
  const row = await deps.db.selectFrom('backups').select('status').where('id', '=', id).executeTakeFirst()
  if (row?.status !== 'completed') await rm(archivePath(deps, id), { force: true })
}

async function removeOldest(deps: Deps): Promise<number> {
  const completed = await deps.db
    .selectFrom('backups')
    .select(['id', 'created_at'])
    .where('status', '=', 'completed')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const beyond = completed.slice(deps.config.BACKUP_KEEP)
  for (const { id } of beyond) await removeBackup(deps, id)
  const oldestKept = completed.at(deps.config.BACKUP_KEEP - 1)
  if (oldestKept) {
    // What failed before the oldest that is kept tells nothing any more.
    await deps.db
      .deleteFrom('backups')
      .where('status', '=', 'failed')
      .where('created_at', '<', oldestKept.created_at)
      .execute()
  }
  return beyond.length
}

/** The row first: what is listed is there. */
async function removeBackup(deps: Deps, id: string): Promise<void> {
  await deps.db.deleteFrom('backups').where('id', '=', id).execute()
  await rm(archivePath(deps, id), { force: true })
}

/** @throws {Failure} backup_not_found, backup_running */
async function findEnded(deps: Deps, id: string): Promise<BackupsTable> {
  await failSilentBackups(deps)
  const row = await deps.db.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new Failure('backup_not_found')
  if (row.status === 'running') throw new Failure('backup_running', { id })
  return row
}

/** A full disk stops uploads and the database: a backup must not be what fills it. */
async function refuseWithoutSpace(deps: Deps, imageBytes: number): Promise<void> {
  const neededBytes = Math.ceil(imageBytes * 1.02) + limits.backup.spareBytes
  const disk = await statfs(folderOf(deps))
  const freeBytes = disk.bavail * disk.bsize
  if (freeBytes < neededBytes) throw new Failure('no_space_for_backup', { neededBytes, freeBytes })
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    return nullWhenMissing(error as NodeJS.ErrnoException) ?? []
  }
}

const toBackup = (row: BackupsTable): Backup => ({
  id: row.id,
  size: row.bytes,
  created_at: new Date(row.created_at).toISOString(),
  status: row.status,
  ...(row.error === null ? {} : { error: row.error }),
  ...(row.status === 'running' ? { progress: row.progress } : {}),
})
