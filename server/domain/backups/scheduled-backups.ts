// Backups by the schedule, and which old ones make room for them.
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { finishBackupRun, startBackupRun } from './backup-run.ts'
import { removeBackup } from './backups.ts'

/** Two servers with the same schedule take one backup. */
const scheduleGapMs = 50_000

/** The scheduled job. Skipped while a backup runs or has just started. */
export async function scheduledBackup(deps: Deps): Promise<{ backupId: string | null; removed: number }> {
  const now = deps.now()
  const newest = await deps.db
    .selectFrom('backups')
    .select('created_at')
    .where('created_at', '<=', now) // A time in the future is of a clock that was wrong.
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  // Servers of one database share the schedule.
  if (newest && newest.created_at > now - scheduleGapMs) return { backupId: null, removed: 0 }
  const { BACKUP_S3_BUCKET: bucket, BACKUP_ROWS_ONLY: isRowsOnly } = deps.config
  const options = { by: 'server', place: bucket === undefined ? 'disk' : 's3', isRowsOnly } as const
  const begun = await startBackupRun(deps, options, { actor: 'server' }).catch(nullIfBackupRunning)
  if (!begun) return { backupId: null, removed: 0 }
  const { id } = begun
  await new Promise<void>((resolve, reject) => {
    deps.background.start('backup', (signal) =>
      finishBackupRun(deps, { ...options, id, signal }).then(() => resolve(), reject),
    )
  })
  return { backupId: id, removed: await removeOldest(deps) }
}

function nullIfBackupRunning(error: unknown): null {
  if (error instanceof Failure && error.code === 'backup_running') return null
  throw error
}

async function removeOldest(deps: Deps): Promise<number> {
  const completed = await deps.db
    .selectFrom('backups')
    .select(['id', 'created_at'])
    .where('status', '=', 'completed')
    .where('place', '=', 'disk')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  // A time in the future is of a clock that was wrong: such backups are not the newest.
  const isAhead = ({ created_at }: { created_at: number }) => Number(created_at > deps.now())
  completed.sort((a, b) => isAhead(a) - isAhead(b))
  const beyond = completed.slice(deps.config.BACKUP_KEEP)
  for (const { id } of beyond) await removeBackup(deps, id, { actor: 'server' })
  const oldestKept = completed.at(deps.config.BACKUP_KEEP - 1)
  if (oldestKept) {
    // Failed backups older than the oldest retained one are of no use.
    await deps.db
      .deleteFrom('backups')
      .where('status', '=', 'failed')
      .where('place', '=', 'disk')
      .where('created_at', '<', oldestKept.created_at)
      .execute()
  }
  return beyond.length
}
