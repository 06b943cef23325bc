// Backups of a server, as an admin takes them.
import { requestJson } from './client.ts'

export interface Backup {
  id: string
  status: 'running' | 'completed' | 'failed'
  error?: string
}

/** @returns its id */
export async function startBackup(url: string, token: string): Promise<string> {
  const options = { body: {}, token, expected: 201 }
  return (await requestJson<{ backupId: string }>(`${url}/api/database/backup`, options)).backupId
}

/** The newest first. */
export const listBackups = async (url: string, token: string): Promise<Backup[]> =>
  (await requestJson<{ backups: Backup[] }>(`${url}/api/database/backups`, { token })).backups
