// Backup endpoints for admins (the schedule: scheduled-backups.ts). The archives are in DATA_DIR/backups.
import { rm, stat } from 'node:fs/promises'
import type { Backup } from '../../../contract/endpoints/backups.ts'
import { nullWhenMissing } from '../../blobs/durable.ts'
import type { BackupsTable } from '../../db/schema.ts'
import { audit, auditAlone, type AuditOrigin } from '../audit/audit.ts'
import type { RequestOrigin } from '../shared/caller.ts'
import { requireRecentConfirmation } from '../shared/recent-confirmation.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { archivePath } from './backup-files.ts'
import { startBackupRun, finishBackupRun } from './backup-run.ts'
import { failStalledBackups } from './stalled-backups.ts'

/** A file served as a download. */
export interface ServedFile {
  path: string
  fileName: string
  mime: string
  /** In bytes. */
  size: number
  /** Strong, without quotes: the id of the backup. */
  etag: string
}

/** @throws {Failure} backup_running, no_space_for_backup */
export async function startBackup(deps: Deps, { caller, address }: RequestOrigin) {
  const { id, estimatedTimeMinutes } = await startBackupRun(deps, { by: 'server' }, { actor: caller, address })
  deps.background.start('backup', async (signal) => void (await finishBackupRun(deps, { id, by: 'server', signal })))
  return { message: 'The backup has started', backupId: id, estimatedTimeMinutes }
}

export async function listBackups(deps: Deps): Promise<{ backups: Backup[] }> {
  await failStalledBackups(deps)
  const rows = await deps.db
    .selectFrom('backups')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { backups: rows.map(toBackup) }
}

/** @throws {Failure} password_required; backup_not_found, backup_running, backup_file_missing: on another server */
export async function downloadBackup(
  deps: Deps,
  { caller, address, params }: RequestOrigin & { params: { id: string } },
): Promise<ServedFile> {
  requireRecentConfirmation(deps, caller)
  const file = await findArchive(deps, params.id)
  await auditDownload(deps, params.id, { actor: caller, address })
  return file
}

/** Every request for bytes is an entry: a resumed download has several. */
export const auditDownload = (deps: Deps, id: string, by: AuditOrigin) =>
  auditAlone(deps, { ...by, action: 'backup_downloaded', target: { id } })

/** @throws {Failure} like downloadBackup */
export async function findArchive(deps: Deps, id: string): Promise<ServedFile> {
  const row = await findEnded(deps, id)
  if (row.status !== 'completed') throw new Failure('backup_not_found')
  const path = archivePath(deps, row.id)
  const file = await stat(path).catch(nullWhenMissing)
  if (!file) throw new Failure('backup_file_missing')
  const day = new Date(row.created_at).toISOString().replace(/:/g, '-').slice(0, 19)
  return { path, fileName: `backup-${day}.tar`, mime: 'application/x-tar', size: file.size, etag: row.id }
}

/**
 * Not of a backup in the bucket: who took over the account of an admin must not delete the copies off the machine.
 * @throws {Failure} backup_not_found, backup_running, backup_file_missing
 */
export async function deleteBackup(
  deps: Deps,
  { caller, address, params }: RequestOrigin & { params: { id: string } },
) {
  const row = await findEnded(deps, params.id)
  if (row.place === 's3' && row.status === 'completed') throw new Failure('backup_file_missing')
  await removeBackup(deps, row.id, { actor: caller, address })
  return { success: true as const }
}

/** Deletes the row first: every listed backup has its file. */
export async function removeBackup(deps: Deps, id: string, by: AuditOrigin): Promise<void> {
  await deps.db.transaction().execute(async (db) => {
    const { numDeletedRows } = await db.deleteFrom('backups').where('id', '=', id).executeTakeFirst()
    if (numDeletedRows > 0n) await audit({ ...deps, db }, { ...by, action: 'backup_deleted', target: { id } })
  })
  await rm(archivePath(deps, id), { force: true })
}

/** @throws {Failure} backup_not_found, backup_running */
async function findEnded(deps: Deps, id: string): Promise<BackupsTable> {
  await failStalledBackups(deps)
  const row = await deps.db.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new Failure('backup_not_found')
  if (row.status === 'running') throw new Failure('backup_running', { id })
  return row
}

const toBackup = (row: BackupsTable): Backup => ({
  id: row.id,
  size: row.bytes,
  created_at: new Date(row.created_at).toISOString(),
  status: row.status,
  place: row.place,
  ...(row.error === null ? {} : { error: row.error }),
  ...(row.status === 'running' ? { progress: row.progress } : {}),
})
