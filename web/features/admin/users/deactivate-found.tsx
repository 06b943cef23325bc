import { Ban } from 'lucide-react'
import { useState } from 'react'
import { useOnline } from '../../../model/online.ts'
import { deactivateFound as texts } from '../../../texts/admin/admin-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { deactivateFound } from './admin-users.ts'

interface Props {
  /** What was searched for. */
  q: string
  /** Of the users found, admins among them. */
  total: number
  attempt: (run: () => Promise<string>, failed: string) => Promise<string | undefined>
}

/** Deactivates all accounts that a search finds, such as those that a script has registered. */
export function DeactivateFound({ q, total, attempt }: Props) {
  const [isAsked, setAsked] = useState(false)
  const [done, setDone] = useState(0)
  return (
    <>
      <div>
        <button type="button" className="btn btn-quiet" disabled={!useOnline()} onClick={() => setAsked(true)}>
          <Ban className="size-4.5 shrink-0" aria-hidden />
          {texts.label}
        </button>
      </div>
      {isAsked && (
        <ConfirmDialog
          title={texts.title}
          subject={texts.subject(total, q)}
          confirm={texts.confirm}
          busy={texts.busy(done)}
          isDanger
          onConfirm={() => attempt(async () => texts.done(await deactivateFound(q, setDone)), texts.failed)}
          onClose={() => setAsked(false)}
        >
          <p>{texts.text}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
