import { useId, useState } from 'react'
import { Download, Trash2 } from 'lucide-react'
import type { User } from '../../../contract/endpoints/accounts.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { errorText } from '../../format/error-text.ts'
import { shortDate } from '../../format/dates.ts'
import { ownAccount } from '../../texts/account-messages.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { OutcomeText } from '../../ui/forms/form-outcome.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AccountSection } from './account-section.tsx'
import { deleteAccount, downloadOwnData, restoreAccount } from './own-account.ts'

const texts = ownAccount.data

/** @param onDeleted called when the account has been deleted at once */
export function DataSection({ user, onDeleted }: { user: User; onDeleted: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const { isBusy, outcome, run } = useAction()
  const { deletion_at: deletionAt } = user

  return (
    <AccountSection title={texts.title} text={texts.text}>
      <div className="grid justify-items-start gap-2">
        <p className="text-dense text-text-2">{texts.downloadText(user.imageCount, formatBytes(user.imageBytes))}</p>
        <button
          type="button"
          className="btn btn-quiet"
          disabled={isBusy}
          onClick={() => void run(downloadOwnData, (error) => errorText(error, texts.downloadFailed))}
        >
          <Download className="size-4" aria-hidden />
          {texts.download}
        </button>
      </div>
      <div className="grid justify-items-start gap-2 border-t border-border pt-5">
        {deletionAt === null ? (
          <>
            <p className="text-dense text-text-2">{texts.deleteText}</p>
            <button
              type="button"
              className="btn btn-quiet text-danger-text"
              disabled={isBusy}
              onClick={() => setAsking(true)}
            >
              <Trash2 className="size-4" aria-hidden />
              {texts.delete}
            </button>
          </>
        ) : (
          <div className="grid w-full justify-items-start gap-3 rounded-control bg-warning-soft px-4 py-3.5">
            <p className="text-dense font-medium text-warning-text">{texts.pending(shortDate(deletionAt))}</p>
            <button
              type="button"
              className="btn btn-primary btn-sm coarse:h-11"
              disabled={isBusy}
              onClick={() => void run(restoreAccount, (error) => errorText(error, ownAccount.failed))}
            >
              {texts.restore}
            </button>
          </div>
        )}
      </div>
      <OutcomeText outcome={outcome} />
      {isAsking && <DeleteDialog user={user} onClose={() => setAsking(false)} onDeleted={onDeleted} />}
    </AccountSection>
  )
}

interface DialogProps {
  user: User
  onClose: () => void
  onDeleted: () => void
}

function DeleteDialog({ user, onClose, onDeleted }: DialogProps) {
  const [isNow, setNow] = useState(false)
  const id = useId()
  const choices = [
    [false, texts.later, texts.laterText],
    [true, texts.now, texts.nowText],
  ] as const

  async function confirm(): Promise<string | undefined> {
    const reason = await deleteAccount({ immediately: isNow })
    if (reason === undefined && isNow) onDeleted()
    return reason
  }

  return (
    <ConfirmDialog
      title={texts.question}
      confirm={isNow ? texts.confirmNow : texts.confirmLater}
      busy={texts.deleting}
      isDanger
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{texts.explain(user.imageCount, formatBytes(user.imageBytes))}</p>
      <fieldset className="mt-4 grid gap-3 text-text">
        <legend className="sr-only">{texts.when}</legend>
        {choices.map(([value, label, text]) => (
          <div key={label} className="flex gap-3">
            <input
              id={`${id}${value}`}
              type="radio"
              name="when"
              className="checkbox-box"
              aria-describedby={`${id}${value}text`}
              checked={isNow === value}
              onChange={() => setNow(value)}
            />
            <div>
              <label className="font-medium" htmlFor={`${id}${value}`}>
                {label}
              </label>
              <p id={`${id}${value}text`} className="text-dense text-text-2">
                {text}
              </p>
            </div>
          </div>
        ))}
      </fieldset>
      <p className="mt-4 text-dense">{texts.backups}</p>
    </ConfirmDialog>
  )
}
