import type { TrashedImage } from '../../../contract/endpoints/trash.ts'
import { serverText } from '../../model/api-error.ts'
import { attempt } from '../../model/attempt.ts'
import { shownName } from '../../model/images/stored-image.ts'
import { deleteFromTrash, emptyTrash } from '../../model/images/trash.ts'
import { trash } from '../../texts/trash-messages.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { notify } from '../../ui/toast/toast.ts'

export type Asked = readonly TrashedImage[] | 'all'

interface Props {
  asked: Asked
  total: number
  onDeleted: () => void
  onClose: () => void
}

/** The question before images are deleted for good. */
export function DeletionDialog({ asked, total, onDeleted, onClose }: Props) {
  const [only, ...others] = asked === 'all' ? [] : asked

  async function remove(): Promise<void> {
    if (asked === 'all') await emptyTrash()
    else await deleteFromTrash(asked)
    notify.success(asked === 'all' ? trash.emptied : trash.deleted(asked.length))
    onDeleted()
  }

  return (
    <ConfirmDialog
      title={asked === 'all' ? trash.emptyTitle : trash.deleteTitle(asked.length)}
      subject={only && others.length === 0 ? shownName(only) : undefined}
      confirm={trash.delete}
      busy={trash.deleting}
      isDanger
      onConfirm={() => attempt(remove, trash.deleteFailed, serverText)}
      onClose={onClose}
    >
      <p>{asked === 'all' ? trash.emptyText(total) : trash.deleteText}</p>
    </ConfirmDialog>
  )
}
