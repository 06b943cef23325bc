import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { DatabaseBackup } from 'lucide-react'
import { useState } from 'react'
import { backupList, startBackup } from './admin-backups.ts'
import { errorText } from '../../../format/error-text.ts'
import { useOnline } from '../../../model/online.ts'
import { queryClient, refresh } from '../../../model/query-client.ts'
import { backups } from '../../../texts/admin/admin-messages.ts'
import { notify } from '../../../ui/toast/toast.ts'

/** Starts a backup for StartBackupButton. Its caller shows the refusal and the running backup elsewhere. */
export function useStartBackup() {
  const [isStarting, setStarting] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const { data } = useQuery({ ...backupList, enabled: false }, queryClient)
  const running = data?.find(({ status }) => status === 'running')

  async function start(): Promise<void> {
    if (isStarting) return
    setStarting(true)
    setRefusal(undefined)
    try {
      await startBackup()
      notify.success(backups.started, 'backup')
    } catch (error) {
      console.info('The backup could not be started', error)
      setRefusal(errorText(error, backups.startFailed))
      // Most likely another one is running that is not in the list yet.
      void refresh(backupList)
    }
    setStarting(false)
  }
  return { start, isStarting, refusal, running }
}

interface Props {
  className: string
  state: ReturnType<typeof useStartBackup>
}

/** While a backup runs, the button is only marked as disabled: a disabled one would lose the focus. */
export function StartBackupButton({ className, state: { start, isStarting, running } }: Props) {
  return (
    <button
      type="button"
      className={clsx('btn', className)}
      aria-disabled={isStarting || running !== undefined}
      disabled={!useOnline()}
      onClick={() => running === undefined && void start()}
    >
      <DatabaseBackup className="size-4" aria-hidden />
      {isStarting ? backups.starting : backups.start}
    </button>
  )
}
