// The backups, newest first.
import { queryOptions } from '@tanstack/react-query'
import type { Backup } from '../../../../contract/endpoints/backups.ts'
import { ApiError } from '../../../model/api-error.ts'
import { client } from '../../../model/http.ts'
import { refresh, updateCached } from '../../../model/query-client.ts'
import { createStore, useStore } from '../../../model/store.ts'
import { submitTicket } from '../../../model/submit-ticket.ts'

export const backupList = queryOptions({
  queryKey: ['backups'],
  queryFn: async () => (await client.listBackups()).backups,
})

/** What only the page that started a backup knows about it. */
export interface StartedBackup {
  id: string
  /** By the clock of this browser. */
  startedAt: number
  estimateMs: number
}
const started = createStore<StartedBackup | undefined>(undefined)
export const useStartedBackup = () => useStore(started)

export async function startBackup(): Promise<void> {
  const { backupId: id, estimatedTimeMinutes } = await client.startBackup()
  const now = Date.now()
  started.set({ id, startedAt: now, estimateMs: estimatedTimeMinutes * 60_000 })
  const row: Backup = {
    id,
    size: 0,
    created_at: new Date(now).toISOString(),
    status: 'running',
    place: 'disk',
    progress: 0,
  }
  updateCached(backupList, (rows) => (rows.some((known) => known.id === id) ? rows : [row, ...rows]))
  // Not awaited: the caller reports the start before the list can report the end.
  void refresh(backupList)
}

export const downloadBackup = async (id: string): Promise<void> =>
  submitTicket(await client.createBackupLink({ params: { id } }))

export async function deleteBackup(id: string): Promise<void> {
  try {
    await client.deleteBackup({ params: { id } })
  } catch (error) {
    // Already deleted: by another admin, or by a first try whose response was lost.
    if (!(error instanceof ApiError) || error.code !== 'backup_not_found') throw error
  }
  updateCached(backupList, (rows) => rows.filter((row) => row.id !== id))
}

export const hasRunning = (backups: readonly Backup[] = []) => backups.some(({ status }) => status === 'running')

/** The backups that ran in the list `before` and do not run in `now` any more. */
export function endedBackups(before: readonly Backup[], now: readonly Backup[]): Backup[] {
  const running = new Set(before.filter(({ status }) => status === 'running').map(({ id }) => id))
  return now.filter(({ id, status }) => running.has(id) && status !== 'running')
}
