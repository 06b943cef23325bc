import { useOnline } from '../../../model/online.ts'
import { database } from '../../../texts/database-view/database-messages.ts'
import { deleteDocuments as text } from '../../../texts/database-view/database-table-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import type { Selection } from './document-selection.ts'

interface Props {
  collection: string
  selection: Selection
  onDelete: () => Promise<void>
  onClose: () => void
}

const sampled = 5

/** Asks for confirmation and shows a sample of the documents. */
export function DeleteDocumentsDialog({ collection, selection, onDelete, onClose }: Props) {
  const isOnline = useOnline()
  const also = text.also.get(collection)
  return (
    <ConfirmDialog
      title={text.title(selection.size)}
      confirm={text.confirm}
      busy={text.deleting}
      isDanger
      isLocked={!isOnline}
      // A failure is shown above the table.
      onConfirm={() => onDelete().then(() => undefined)}
      onClose={onClose}
    >
      <ul className="dt-samples">
        {[...selection].slice(0, sampled).map(([id, fields]) => (
          <li key={id}>
            <bdi className="block truncate font-mono text-text">{id}</bdi>
            {fields.length > 0 && (
              <span className="block truncate text-meta">
                {fields.map(([field, value], at) => (
                  <span key={field}>
                    {at > 0 && ', '}
                    <bdi>{field}</bdi>: <bdi>{value}</bdi>
                  </span>
                ))}
              </span>
            )}
          </li>
        ))}
      </ul>
      {selection.size > sampled && <p className="mt-2">{text.more(selection.size - sampled)}</p>}
      <p className="mt-4">
        {also !== undefined && `${also} `}
        {text.text}
      </p>
      <p role="status" className="mt-2 text-meta text-danger-text empty:hidden">
        {!isOnline && database.offline}
      </p>
    </ConfirmDialog>
  )
}
