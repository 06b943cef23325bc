import { DatabaseBackup } from 'lucide-react'
import { useState } from 'react'
import type { Backup } from '../../../../contract/endpoints/backups.ts'
import { backupList, deleteBackup, downloadBackup } from './admin-backups.ts'
import { errorText } from '../../../format/error-text.ts'
import { useOnline } from '../../../model/online.ts'
import { useRows } from '../../../model/row-list.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { dateAndTime } from '../../../format/dates.ts'
import { backups } from '../../../texts/admin/admin-messages.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { BackupProgress } from './backup-progress.tsx'
import { BackupTable } from './backup-table.tsx'
import { ListPanel } from '../../../ui/list-panel/list-panel.tsx'
import { focusTitle } from '../../../ui/list-panel/row-focus.ts'
import { useActionOutcome } from '../use-action-outcome.ts'
import { StartBackupButton, useStartBackup } from './start-backup-button.tsx'
import { FormFailure } from '../../../ui/forms/form-outcome.tsx'

/** Starts, shows, downloads and deletes backups. useBackupWatch loads the list. */
export function BackupsPanel() {
  const list = useRows({ ...backupList, enabled: false })
  const starting = useStartBackup()
  const { refusal, running } = starting
  const { outcome, attempt } = useActionOutcome()
  const [asked, setAsked] = useState<Backup>()
  const isOnline = useOnline()

  const remove = ({ id }: Backup) =>
    attempt(async () => {
      await deleteBackup(id)
      // The button that opened the dialog is removed with its row.
      focusTitle('backups')
      return backups.deleted
    }, backups.deleteFailed)

  return (
    <>
      <ListPanel
        id="backups"
        icon={DatabaseBackup}
        texts={backups}
        list={list}
        action={<StartBackupButton className="btn-primary" state={starting} />}
        outcome={outcome}
        notice={
          <>
            {refusal !== undefined && <FormFailure text={refusal} />}
            {running !== undefined && (
              <div className="card admin-card">
                <BackupProgress backup={running} />
              </div>
            )}
          </>
        }
      >
        <BackupTable
          rows={list.rows}
          isOnline={isOnline}
          onDownload={(backup) => void download(backup)}
          onDelete={setAsked}
        />
      </ListPanel>
      {asked !== undefined && (
        <ConfirmDialog
          title={backups.deleteTitle}
          confirm={backups.delete}
          busy={backups.deleting}
          isDanger
          onConfirm={() => remove(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{backups.deleteText(dateAndTime(asked.created_at), formatBytes(asked.size))}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

async function download({ id }: Backup): Promise<void> {
  try {
    await downloadBackup(id)
    notify.success(backups.downloading, 'backup-download')
  } catch (error) {
    notify.failure(errorText(error, backups.downloadFailed), error, 'backup-download')
  }
}
