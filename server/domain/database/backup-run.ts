// Runs a backup: starts it, writes its heartbeat, completes or fails it. Another process fails it when
// the heartbeat stops.
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, moveDurably } from '../../blobs/durable.ts'
import type { BackupsTable } from '../../db/schema.ts'
import { audit, type AuditOrigin } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { Failure } from '../failure.ts'
import { newId } from '../secrets.ts'
import type { Manifest } from './archive-format.ts'
import { archivePath, backupsFolder, listFolder, refuseWithoutSpace, unfinishedPath } from './backup-files.ts'
import { imageTotals } from '../image-totals.ts'
import { writeArchive } from './write-archive.ts'

/** A running backup updates its row this often; without an update for the timeout it counts as failed. */
const heartbeatMs = 2000
export const heartbeatTimeoutMs = 2 * 60_000
/** For the estimated duration: measured on a small machine. */
const bytesPerSecond = 50 * 1024 * 1024
const imagesPerSecond = 500

type TakenBy = BackupsTable['taken_by']

/** Takes a complete backup. @throws {Failure} like startBackup, and the error that stopped it */
export async function takeBackup(deps: Deps, by: TakenBy, signal?: AbortSignal) {
  const { id } = await startBackupRun(deps, by, { actor: by === 'cli' ? 'command_line' : 'server' })
  return { id, path: archivePath(deps, id), manifest: await finishBackupRun(deps, id, signal) }
}

/** Creates the empty file before the row: every running backup has a file. */
export async function startBackupRun(
  deps: Deps,
  by: TakenBy,
  origin: AuditOrigin,
): Promise<{ id: string; estimatedTimeMinutes: number }> {
  await failStalledBackups(deps)
  const id = newId(deps)
  await makeFolder(backupsFolder(deps), 0o700)
  const { images, bytes } = await imageTotals(deps.db)
  await refuseWithoutSpace(deps, bytes)
  await (await open(unfinishedPath(deps, id), 'wx', 0o600)).close()
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
    .catch(async (error: unknown) => {
      // The row may exist although the response was lost: it would stay "running" forever.
      await fail(deps, id, String(error)).catch((second: unknown) =>
        deps.log.warn({ err: second, backupId: id }, 'A backup that did not start could not be marked as failed'),
      )
      throw error
    })
  if (!isInserted) {
    await rm(unfinishedPath(deps, id), { force: true })
    const other = await deps.db.selectFrom('backups').select('id').where('status', '=', 'running').executeTakeFirst()
    throw new Failure('backup_running', { id: other?.id ?? 'another' })
  }
  const seconds = images / imagesPerSecond + bytes / bytesPerSecond
  return { id, estimatedTimeMinutes: Math.max(1, Math.ceil(seconds / 60)) }
}

export async function finishBackupRun(deps: Deps, id: string, signal?: AbortSignal): Promise<Manifest> {
  const path = unfinishedPath(deps, id)
  const heartbeat = startHeartbeat(deps, id)
  try {
    const manifest = await writeArchive(deps, path, {
      signal: signal ? AbortSignal.any([signal, heartbeat.lost]) : heartbeat.lost,
      onProgress: heartbeat.progress,
    })
    const { size } = await stat(path)
    await moveDurably(path, archivePath(deps, id))
    await heartbeat.end()
    const { numUpdatedRows } = await deps.db
      .updateTable('backups')
      .set({ status: 'completed', bytes: size, progress: 100, error: shortfall(manifest), seen_at: deps.now() })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Error('Another process marked the backup as failed before it completed')
    return manifest
  } catch (error) {
    await heartbeat.end()
    await fail(deps, id, error instanceof Error ? error.message : String(error))
    throw error
  }
}

/** Writes progress and heartbeat; without heartbeats another process fails the backup. */
function startHeartbeat(deps: Pick<Deps, 'db' | 'now' | 'log'>, id: string) {
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
    if (numUpdatedRows === 0n) lost.abort(new Error('Another process marked the backup as failed'))
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
  await rm(unfinishedPath(deps, id), { force: true })
  // A completed backup, of which only the statement's response was lost, stays.
  const row = await deps.db.selectFrom('backups').select('status').where('id', '=', id).executeTakeFirst()
  if (row?.status !== 'completed') await rm(archivePath(deps, id), { force: true })
}

/** Fails what a previous server process left unfinished. The backup of a command continues. */
export async function failInterruptedBackups(deps: Pick<Deps, 'config' | 'db' | 'now'>): Promise<void> {
  await failStalledBackups(deps)
  const running = await deps.db.selectFrom('backups').selectAll().where('status', '=', 'running').execute()
  const names = await listFolder(backupsFolder(deps))
  for (const row of running) {
    // When servers share a database, it was this one's if its file is here.
    const isHere = deps.config.DATABASE_URL === undefined || names.some((name) => name.startsWith(row.id))
    if (row.taken_by === 'server' && isHere) await fail(deps, row.id, 'The server stopped during the backup')
  }
  const alive = new Set(running.filter((row) => row.taken_by === 'cli').map(({ id }) => `${id}.tar.part`))
  for (const name of names) {
    if (name.endsWith('.tar.part') && !alive.has(name)) await rm(join(backupsFolder(deps), name), { force: true })
  }
}
