import { useRef } from 'react'
import type { User } from '../../../contract/accounts.ts'
import { formatBytes } from '../../format/bytes.ts'
import { goes, userActions } from '../../texts/admin-messages.ts'
import { common } from '../../texts/messages.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { doTo, type UserAction } from './user-actions.ts'

interface Props {
  user: User
  action: UserAction
  attempt: (run: () => Promise<string>, failed: string) => Promise<string | undefined>
  /** @param isGone whether the account was deleted */
  onClose: (isGone: boolean) => void
}

/** Asks for confirmation of an action on an account, and explains its effect. */
export function UserConfirm({ user, action, attempt, onClose }: Props) {
  const words = userActions[action]
  const isDone = useRef(false)

  const run = () =>
    attempt(async () => {
      await doTo[action](user)
      isDone.current = true
      return words.done(user.email)
    }, words.failed)

  return (
    <ConfirmDialog
      title={words.title}
      confirm={words.confirm}
      busy={words.busy}
      cancel={common.cancel}
      isDanger={action === 'delete' || action === 'deactivate'}
      onConfirm={run}
      onClose={() => onClose(isDone.current && action === 'delete')}
    >
      <p className="mb-2 wrap-anywhere">
        <b className="font-semibold text-text">{user.email}</b>
      </p>
      <p>
        {action === 'delete' && `${goes(user.imageCount, formatBytes(user.imageBytes))} `}
        {words.text}
      </p>
    </ConfirmDialog>
  )
}
