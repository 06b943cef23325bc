import { useQuery } from '@tanstack/react-query'
import { DatabaseBackup } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { Backup } from '../../../../contract/endpoints/backups.ts'
import { backupList, deleteBackup, downloadBackup } from './admin-backups.ts'
import { errorText, troubleOf } from '../../../model/api-error.ts'
import { useOnline } from '../../../model/online.ts'
import { queryClient } from '../../../model/query-client.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { dateAndTime } from '../../../format/dates.ts'
import { backups } from '../../../texts/admin/admin-messages.ts'
import { common } from '../../../texts/messages.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { BackupProgress } from './backup-progress.tsx'
import { BackupTable } from './backup-table.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { EmptyState, Skeletons } from '../loading-states.tsx'
import { useActionOutcome } from '../use-action-outcome.ts'
import { StartBackupButton, useStartBackup } from './start-backup-button.tsx'

/** Starts, shows, downloads and deletes backups. useBackupWatch loads the list. */
export function BackupsPanel() {
  const { data: rows, status, error, refetch } = useQuery({ ...backupList, enabled: false }, queryClient)
  const starting = useStartBackup()
  const { refusal, running } = starting
  const { outcome, attempt } = useActionOutcome()
  const [asked, setAsked] = useState<Backup>()
  const isOnline = useOnline()
  const titleId = useId()
  const section = useRef<HTMLElement>(null)

  const remove = ({ id }: Backup) =>
    attempt(async () => {
      await deleteBackup(id)
      return backups.deleted
    }, backups.deleteFailed)

  function close(): void {
    const id = asked?.id
    setAsked(undefined)
    // The button that opened the dialog was deleted with its backup.
    if (queryClient.getQueryData(backupList.queryKey)?.some((backup) => backup.id === id) === false)
      requestAnimationFrame(() => section.current?.querySelector('h2')?.focus())
  }

  return (
    <section ref={section} className="grid gap-4" aria-labelledby={titleId} aria-busy={status === 'pending'}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 id={titleId} tabIndex={-1} className="text-h2">
            {backups.title}
          </h2>
          <p className="mt-1 text-dense text-text-2">{backups.text}</p>
        </div>
        <StartBackupButton className="btn-primary" state={starting} />
      </div>
      <p role="status" className="text-dense font-medium text-success-text empty:hidden">
        {outcome}
      </p>
      {refusal !== undefined && (
        <p role="alert" className="rounded-control bg-danger-soft px-3 py-2.5 text-danger-text wrap-anywhere">
          {refusal}
        </p>
      )}
      {status === 'error' && (
        <LoadFailure title={backups.loadFailed} {...troubleOf(error)} onRetry={refetch} isBar={rows !== undefined} />
      )}
      {running !== undefined && (
        <div className="card admin-card">
          <BackupProgress backup={running} />
        </div>
      )}
      {rows === undefined && status === 'pending' && <Skeletons count={3} className="h-13" />}
      {rows?.length === 0 && (
        <EmptyState
          icon={<DatabaseBackup className="size-6.5" aria-hidden />}
          title={backups.none}
          text={backups.noneText}
        />
      )}
      {rows !== undefined && rows.length > 0 && (
        <BackupTable
          rows={rows}
          isOnline={isOnline}
          onDownload={(backup) => void download(backup)}
          onDelete={setAsked}
        />
      )}
      {asked !== undefined && (
        <ConfirmDialog
          title={backups.deleteTitle}
          confirm={backups.delete}
          busy={backups.deleting}
          cancel={common.cancel}
          isDanger
          onConfirm={() => remove(asked)}
          onClose={close}
        >
          <p>{backups.deleteText(dateAndTime(asked.created_at), formatBytes(asked.size))}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

async function download({ id }: Backup): Promise<void> {
  try {
    await downloadBackup(id)
    notify.success(backups.downloading, 'backup-download')
  } catch (error) {
    console.info('The backup could not be downloaded', error)
    notify.error(errorText(error, backups.downloadFailed), 'backup-download')
  }
}
