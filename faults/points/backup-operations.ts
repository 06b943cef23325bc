// Backup operations: a valid backup or none, and never an invalid one that is listed as completed.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { archivePath } from '../../server/domain/backups/backup-files.ts'
import { takeBackup } from '../../server/domain/backups/backup-run.ts'
import { openArchive } from '../../server/domain/backups/read-archive.ts'
import { withFolder } from '../resources.ts'
import { asResponse, type Prepare } from './operation.ts'
import type { TestServer } from './test-server.ts'

export const backupOperations: Record<string, Prepare> = {
  backup: async (server, seedImage) => {
    await server.deps.db.deleteFrom('backups').execute()
    await Promise.all([seedImage(), seedImage(server.user.id)])
    return {
      act: () => asResponse(() => takeBackup(server.deps, { by: 'server' })),
      check: () => brokenBackups(server),
    }
  },
}

async function brokenBackups({ deps, dataDir }: TestServer): Promise<string[]> {
  const rows = await deps.db.selectFrom('backups').select(['id', 'status']).execute()
  const violations = rows.filter(({ status }) => status === 'running').map(() => 'a backup runs for ever')
  const completed = rows.filter(({ status }) => status === 'completed')
  for (const { id } of completed) {
    await withFolder((work) => openArchive(archivePath(deps, id), work)).catch((error) =>
      violations.push(`a completed backup: ${String(error)}`),
    )
  }
  const files = await readdir(join(dataDir, 'backups'))
  const known = new Set(completed.map(({ id }) => `${id}.tar`))
  violations.push(...files.filter((file) => !known.has(file)).map(() => 'a file of a failed backup is left'))
  for (const file of files) await rm(join(dataDir, 'backups', file))
  return violations
}
