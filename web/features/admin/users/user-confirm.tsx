import { useRef } from 'react'
import type { User } from '../../../../contract/endpoints/accounts.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { deletionSummary, userActions } from '../../../texts/admin/admin-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { runAccountAction, type UserAction } from './user-actions.ts'

interface Props {
  user: User
  action: UserAction
  attempt: (run: () => Promise<string>, failed: string) => Promise<string | undefined>
  /** @param isDeleted whether the account was deleted */
  onClose: (isDeleted: boolean) => void
}

/** Asks for confirmation of an action on an account, and explains its effect. */
export function UserConfirm({ user, action, attempt, onClose }: Props) {
  const texts = userActions[action]
  const isDone = useRef(false)

  const run = () =>
    attempt(async () => {
      await runAccountAction[action](user)
      isDone.current = true
      return texts.done(user.email)
    }, texts.failed)

  return (
    <ConfirmDialog
      title={texts.title}
      confirm={texts.confirm}
      busy={texts.busy}
      isDanger={action === 'delete' || action === 'deactivate'}
      onConfirm={run}
      onClose={() => onClose(isDone.current && action === 'delete')}
    >
      <p className="mb-2 wrap-anywhere">
        <b className="font-semibold text-text">{user.email}</b>
      </p>
      <p>
        {action === 'delete' && `${deletionSummary(user.imageCount, formatBytes(user.imageBytes))} `}
        {texts.text}
      </p>
    </ConfirmDialog>
  )
}
