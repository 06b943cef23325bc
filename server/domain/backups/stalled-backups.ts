// The heartbeat of a running backup, and the end of those whose process has stopped.
import { rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { nullWhenMissing } from '../../blobs/durable.ts'
import type { Deps } from '../shared/deps.ts'
import { archivePath, backupsFolder, isOfCommand, listFolder, unfinished, unfinishedPath } from './backup-files.ts'

/** A running backup updates its row this often; without an update for the timeout it counts as failed. */
const heartbeatMs = 2000
export const heartbeatTimeoutMs = 2 * 60_000
/** Writes progress and heartbeat, to the row and as the time of the file; without them another process fails the backup. */
export function startHeartbeat(deps: Pick<Deps, 'db' | 'now' | 'log'>, id: string, path: string) {
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

export async function fail(deps: Pick<Deps, 'config' | 'db'>, id: string, error: string): Promise<void> {
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
