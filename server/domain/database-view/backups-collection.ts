import { z } from 'zod'
import { Failure } from '../shared/failure.ts'
import { removeEach, systemCollection } from '../shared/system-collection.ts'
import { deleteBackup } from '../backups/backups.ts'

export const backupsCollection = systemCollection({
  table: 'backups',
  show: (row) => ({
    status: row.status,
    taken_by: row.taken_by,
    place: row.place,
    size: row.bytes,
    progress: row.progress,
    error: row.error,
  }),
  // Records of backups are not editable.
  editable: z.strictObject({}),
  update: async () => {},
  async remove(deps, { caller, address, ids }) {
    const running = deps.db.selectFrom('backups').select('id').where('id', 'in', ids).where('status', '=', 'running')
    const first = await running.executeTakeFirst()
    if (first) throw new Failure('backup_running', { id: first.id })
    return removeEach(ids, (id) => deleteBackup(deps, { caller, address, params: { id } }), 'backup_not_found')
  },
})
