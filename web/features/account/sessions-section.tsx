import { useRef, useState } from 'react'
import { ownAccount } from '../../texts/account-messages.ts'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { logoutEverywhere } from './own-account.ts'
import { AccountSection } from './account-section.tsx'
import { SessionList } from './session-list.tsx'

const texts = ownAccount.sessions

/** @param onEnd called when all sessions have ended, this one too */
export function SessionsSection({ onEnd }: { onEnd: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const [keepApiKeys, setKeepApiKeys] = useState(false)
  const everywhere = useRef<HTMLButtonElement>(null)

  /** The next dialog starts without the choice of this one. */
  function close(): void {
    setAsking(false)
    setKeepApiKeys(false)
  }
  async function end(): Promise<string | undefined> {
    const reason = await logoutEverywhere({ keepApiKeys })
    if (reason === undefined) onEnd()
    return reason
  }

  return (
    <AccountSection title={texts.title} text={texts.text}>
      <SessionList onNoneLeft={() => everywhere.current?.focus()} />
      <div className="grid gap-2 border-t border-border pt-5">
        <p className="text-dense text-text-2">{texts.everywhere}</p>
        <button
          ref={everywhere}
          type="button"
          className="btn btn-quiet justify-self-start"
          onClick={() => setAsking(true)}
        >
          {texts.end}
        </button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={texts.question}
          confirm={texts.end}
          busy={texts.busy}
          isDanger
          onConfirm={end}
          onClose={close}
        >
          <p>{texts.explain}</p>
          <Checkbox
            className="mt-4 text-text"
            label={texts.keepKeys}
            text={texts.keepKeysText}
            isChecked={keepApiKeys}
            onChange={setKeepApiKeys}
          />
        </ConfirmDialog>
      )}
    </AccountSection>
  )
}
