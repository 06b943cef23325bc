import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Backup } from '../../../../contract/endpoints/backups.ts'
import { backupList, endedBackups, hasRunning } from './admin-backups.ts'
import { databaseStats } from '../overview/instance-stats.ts'
import { queryClient, refresh } from '../../../model/query-client.ts'
import { backups } from '../../../texts/admin/admin-messages.ts'
import { notify } from '../../../ui/toast/toast.ts'

const pollMs = 3000

/** Polls while a backup runs and the page is visible, and reports its end on every tab of the page. */
export function useBackupWatch(): void {
  const { data } = useQuery(
    {
      ...backupList,
      refetchInterval: ({ state }) => hasRunning(state.data) && pollMs,
      refetchOnWindowFocus: 'always',
    },
    queryClient,
  )
  const before = useRef<readonly Backup[]>([])
  useEffect(() => {
    if (data === undefined) return
    const ended = endedBackups(before.current, data)
    before.current = data
    for (const { status, error = '' } of ended) {
      if (status === 'completed') notify.success(backups.completed, 'backup')
      else notify.error(backups.runFailed(error), 'backup')
    }
    if (ended.length > 0) void refresh(databaseStats)
  }, [data])
}
