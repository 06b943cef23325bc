// Backups while a call fails: a good one or none, and never one that is taken for good and is not.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archivePath, takeBackup } from '../../server/domain/database/backups.ts'
import { openArchive } from '../../server/domain/database/read-archive.ts'
import { answering, type Deed } from './deed.ts'
import type { House } from './house.ts'

export const deedsOfBackups: Deed[] = [
  {
    name: 'backup',
    async set(house, plant) {
      await house.deps.db.deleteFrom('backups').execute()
      await Promise.all([plant(), plant(house.user.id)])
      return {
        act: () => answering(() => takeBackup(house.deps, 'server')),
        again: [200],
        check: () => brokenBackups(house),
      }
    },
  },
]

async function brokenBackups({ deps, dataDir }: House): Promise<string[]> {
  const rows = await deps.db.selectFrom('backups').select(['id', 'status']).execute()
  const flaws = rows.filter(({ status }) => status === 'running').map(() => 'a backup runs for ever')
  const completed = rows.filter(({ status }) => status === 'completed')
  for (const { id } of completed) {
    const work = await mkdtemp(join(tmpdir(), 'image-host-points-archive-'))
    await openArchive(archivePath(deps, id), work).catch((error) => flaws.push(`a completed backup: ${String(error)}`))
    await rm(work, { recursive: true })
  }
  const files = await readdir(join(dataDir, 'backups'))
  const known = new Set(completed.map(({ id }) => `${id}.tar`))
  flaws.push(...files.filter((file) => !known.has(file)).map(() => 'a file of a failed backup is left'))
  for (const file of files) await rm(join(dataDir, 'backups', file))
  return flaws
}
