import { useEffect } from 'react'
import { watchBackups } from '../../data/admin-backups.ts'
import { databaseStats } from '../../data/admin-stats.ts'
import { backups } from '../../texts/admin-messages.ts'
import { notify } from '../../ui/toast/toast.ts'

/** Tells when a backup ends, whichever tab of the page is shown then. */
export function useBackupWatch(): void {
  useEffect(
    () =>
      watchBackups(({ status, error = '' }) => {
        if (status === 'completed') notify.success(backups.completed, 'backup')
        else notify.error(backups.failed(error), 'backup')
        void databaseStats.load({ isQuiet: true })
      }),
    [],
  )
}
