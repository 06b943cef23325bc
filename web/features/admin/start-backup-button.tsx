import { clsx } from 'clsx'
import { DatabaseBackup } from 'lucide-react'
import { useOnline } from '../../data/online.ts'
import { backups } from '../../texts/admin-messages.ts'

interface Props {
  className: string
  isStarting: boolean
  isRunning: boolean
  onStart: () => void
}

/** It stays in place while a backup runs, so that it keeps the focus. */
export function StartBackupButton({ className, isStarting, isRunning, onStart }: Props) {
  const isOff = isStarting || isRunning
  return (
    <button
      type="button"
      className={clsx('btn', className)}
      aria-disabled={isOff}
      disabled={!useOnline()}
      onClick={() => !isOff && onStart()}
    >
      <DatabaseBackup className="size-4" aria-hidden />
      {isStarting ? backups.starting : backups.start}
    </button>
  )
}
