// The backups, newest first, and the watch over one that runs.
import type { Backup } from '../../contract/database.ts'
import { ApiError } from './api-error.ts'
import { createLoaded } from './loaded.ts'
import { createStore, useStore } from './store.ts'

const pollMs = 3000

const loadClient = async () => (await import('./http.ts')).client

export const backups = createLoaded('The backups', async () => (await (await loadClient()).listBackups()).backups)

/** Only whoever starts a backup is told how long it will take. */
export interface StartedBackup {
  id: string
  /** By the clock of this browser. */
  startedAt: number
  estimateMs: number
}
const started = createStore<StartedBackup | undefined>(undefined)
export const useStartedBackup = () => useStore(started)

export async function startBackup(): Promise<void> {
  const { backupId: id, estimatedTimeMinutes } = await (await loadClient()).startBackup()
  const now = Date.now()
  started.set({ id, startedAt: now, estimateMs: estimatedTimeMinutes * 60_000 })
  const row: Backup = { id, size: 0, created_at: new Date(now).toISOString(), status: 'running', progress: 0 }
  backups.amend((rows) => (rows.some((known) => known.id === id) ? rows : [row, ...rows]))
  // Not waited for: whoever started it says so before it can be said that it has ended.
  void backups.load()
}

/** @returns an address at which the browser itself can fetch the archive: it may be larger than memory */
export async function backupLink(id: string): Promise<string> {
  return (await (await loadClient()).createBackupLink({ params: { id } })).url
}

export async function deleteBackup(id: string): Promise<void> {
  try {
    await (await loadClient()).deleteBackup({ params: { id } })
  } catch (error) {
    // Gone already: somebody else, or a first try whose answer was lost.
    if (!(error instanceof ApiError) || error.code !== 'backup_not_found') throw error
  }
  backups.amend((rows) => rows.filter((row) => row.id !== id))
}

/**
 * Asks every few seconds while a backup runs and the page is looked at.
 * @param onEnd told of a backup that was seen running and does not run any more
 * @returns ends the watch
 */
export function watchBackups(onEnd: (backup: Backup) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = new Set<string>()

  function follow(): void {
    clearTimeout(timer)
    const rows = backups.store.get().value ?? []
    const ended = rows.filter(({ id, status }) => running.has(id) && status !== 'running')
    running = new Set(rows.filter(({ status }) => status === 'running').map(({ id }) => id))
    if (running.size > 0 && !document.hidden) timer = setTimeout(() => void backups.load({ isQuiet: true }), pollMs)
    for (const backup of ended) onEnd(backup)
  }

  function onVisible(): void {
    if (document.hidden) clearTimeout(timer)
    else void backups.load({ isQuiet: true })
  }

  const stopFollowing = backups.store.subscribe(follow)
  document.addEventListener('visibilitychange', onVisible)
  void backups.load()
  return () => {
    clearTimeout(timer)
    stopFollowing()
    document.removeEventListener('visibilitychange', onVisible)
  }
}
