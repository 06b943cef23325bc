import { z } from 'zod'
import { Failure } from '../failure.ts'
import { systemCollection } from '../system-collection.ts'
import { deleteBackup } from './backups.ts'

export const backupsCollection = systemCollection({
  table: 'backups',
  show: (row) => ({
    status: row.status,
    taken_by: row.taken_by,
    size: row.bytes,
    progress: row.progress,
    error: row.error,
  }),
  // Records of backups are not editable.
  editable: z.strictObject({}),
  update: async () => {},
  async remove(deps, { ids }) {
    const running = deps.db.selectFrom('backups').select('id').where('id', 'in', ids).where('status', '=', 'running')
    const first = await running.executeTakeFirst()
    if (first) throw new Failure('backup_running', { id: first.id })
    let deleted = 0
    for (const id of new Set(ids)) {
      try {
        await deleteBackup(deps, { params: { id } })
        deleted++
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'backup_not_found')) throw error
      }
    }
    return deleted
  },
})
