import { Ban } from 'lucide-react'
import { useState } from 'react'
import { useOnline } from '../../../model/online.ts'
import { usePages } from '../../../model/row-list.ts'
import { deactivateFound as texts } from '../../../texts/admin/admin-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { deactivateFound, toDeactivate, userList } from './admin-users.ts'

interface Props {
  /** What was searched for. */
  q: string
  attempt: (run: () => Promise<string>, failed: string) => Promise<string | undefined>
}

/** Deactivates all accounts that a search finds, such as those that a script has registered. */
export function DeactivateFound(props: Props) {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <div>
        <button type="button" className="btn btn-quiet" disabled={!useOnline()} onClick={() => setAsked(true)}>
          <Ban className="size-4.5 shrink-0" aria-hidden />
          {texts.label}
        </button>
      </div>
      {isAsked && <Question {...props} onClose={() => setAsked(false)} />}
    </>
  )
}

function Question({ q, attempt, onClose }: Props & { onClose: () => void }) {
  const [done, setDone] = useState(0)
  // The list behind it may have admins and inactive users.
  const { isReady, total } = usePages(userList(toDeactivate(q)))
  return (
    <ConfirmDialog
      title={texts.title}
      subject={isReady ? texts.subject(total, q) : undefined}
      confirm={texts.confirm}
      busy={texts.busy(done)}
      isDanger
      isLocked={isReady && total === 0}
      onConfirm={() => attempt(async () => texts.done(await deactivateFound(q, setDone)), texts.failed)}
      onClose={onClose}
    >
      <p>{texts.text}</p>
    </ConfirmDialog>
  )
}
