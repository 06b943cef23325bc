import { Download, Trash2 } from 'lucide-react'
import type { Backup } from '../../../../contract/endpoints/backups.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { dateAndTime } from '../../../format/dates.ts'
import { backups } from '../../../texts/admin/admin-messages.ts'
import { CardRow, CardTable, Cell } from '../../../ui/card-table.tsx'
import { SmallButton } from '../../../ui/small-button.tsx'

interface Props {
  rows: readonly Backup[]
  isOnline: boolean
  onDownload: (backup: Backup) => void
  onDelete: (backup: Backup) => void
}

const { columns } = backups
const tones = { running: 'accent', completed: 'success', failed: 'danger' } as const

export const BackupTable = ({ rows, ...rest }: Props) => (
  <CardTable
    label={backups.title}
    columns={[columns.created, columns.size, columns.status, columns.id]}
    numbers={[columns.size]}
    actions={columns.actions}
  >
    {rows.map((backup) => (
      <Row key={backup.id} backup={backup} {...rest} />
    ))}
  </CardTable>
)

function Row({ backup, isOnline, onDownload, onDelete }: Omit<Props, 'rows'> & { backup: Backup }) {
  const { id, size, status, place, error, progress = 0 } = backup
  const isInBucket = place === 's3' && status === 'completed'
  const created = dateAndTime(backup.created_at)
  return (
    <CardRow
      head={<time dateTime={backup.created_at}>{created}</time>}
      actions={
        <>
          {status === 'completed' && !isInBucket && (
            <SmallButton
              icon={Download}
              text={backups.download}
              name={backups.downloadNamed(created)}
              isOff={!isOnline}
              onPress={() => onDownload(backup)}
            />
          )}
          {status !== 'running' && !isInBucket && (
            <SmallButton
              icon={Trash2}
              text={backups.delete}
              name={backups.deleteNamed(created)}
              isGhost
              isDanger
              isOff={!isOnline}
              onPress={() => onDelete(backup)}
            />
          )}
        </>
      }
    >
      <Cell label={columns.size} isNumber>
        {status === 'failed' ? '–' : formatBytes(size)}
      </Cell>
      <Cell label={columns.status} isWide={error !== undefined}>
        <span className="badge" data-tone={tones[status]}>
          {backups.statuses[status]}
          {status === 'running' && progress > 0 && ` ${backups.percent(progress)}`}
        </span>
        {isInBucket && <span className="text-meta text-text-2"> {backups.inBucket}</span>}
        {error !== undefined && <span className="mt-1.5 block text-meta text-text-2 wrap-anywhere">{error}</span>}
      </Cell>
      <Cell label={columns.id} isWide>
        <code className="font-mono text-meta text-text-2 wrap-anywhere">{id}</code>
      </Cell>
    </CardRow>
  )
}
