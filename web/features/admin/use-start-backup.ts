import { useState } from 'react'
import { backups as backupList, startBackup } from '../../data/admin-backups.ts'
import { errorText } from '../../data/api-error.ts'
import { backups } from '../../texts/admin-messages.ts'
import { notify } from '../../ui/toast/toast.ts'

/** The button that starts a backup, wherever it stands. */
export function useStartBackup() {
  const [isStarting, setStarting] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const { value = [] } = backupList.useLoaded()
  const running = value.find(({ status }) => status === 'running')

  async function start(): Promise<void> {
    if (isStarting) return
    setStarting(true)
    setRefusal(undefined)
    try {
      await startBackup()
      notify.success(backups.started, 'backup')
    } catch (error) {
      console.info('The backup could not be started', error)
      const text = errorText(error, backups.startFailed)
      setRefusal(text)
      notify.error(text, 'backup')
      // Most likely one is running that this page does not know of.
      void backupList.load()
    }
    setStarting(false)
  }
  return { start, isStarting, refusal, running }
}
