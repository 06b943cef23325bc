import { useId, useState, type ReactNode } from 'react'
import type { NewApiKey } from '../../../contract/endpoints/api-keys.ts'
import { newKey } from '../../texts/api-keys-messages.ts'
import { CopyField } from '../../ui/copy/copy-field.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useLeaveGuard } from '../../ui/forms/use-leave-guard.ts'
import { WarningText } from '../../ui/warning-text.tsx'

interface Props {
  created: NewApiKey
  /** What the key can be used in. @param onTaken to be called when the key has been copied or downloaded with it */
  children: (onTaken: () => void) => ReactNode
  /** The key cannot be shown again. */
  onDone: () => void
}

/** Shows a new key, once. It is in memory only; closing without copying asks for confirmation. */
export function NewKeyDialog({ created: { key: apiKey }, children, onDone }: Props) {
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const onceId = useId()
  useLeaveGuard(!isCopied)

  return (
    <Dialog title={newKey.title} describedBy={onceId} isFirm onClose={onDone}>
      <CopyField texts={newKey} value={apiKey} isPrimary onCopied={() => setCopied(true)} />
      <WarningText id={onceId}>{newKey.once}</WarningText>
      {children(() => setCopied(true))}
      {isAsking ? (
        <LeaveQuestion onBack={() => setAsking(false)} onLeave={onDone} />
      ) : (
        <div className="flex justify-end">
          <button
            type="button"
            className="btn btn-quiet min-w-24 max-xs:w-full"
            onClick={() => (isCopied ? onDone() : setAsking(true))}
          >
            {newKey.done}
          </button>
        </div>
      )}
    </Dialog>
  )
}

function LeaveQuestion({ onBack, onLeave }: { onBack: () => void; onLeave: () => void }) {
  return (
    <div className="grid gap-4 rounded-control border border-danger p-4">
      <div role="alert">
        <p className="font-semibold text-danger-text">{newKey.notCopied}</p>
        <p className="text-dense text-text-2">{newKey.notCopiedText}</p>
      </div>
      <div className="flex flex-wrap justify-end gap-3">
        <button type="button" className="btn btn-quiet max-xs:w-full" onClick={onLeave}>
          {newKey.anyway}
        </button>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed */}
        <button type="button" className="btn btn-primary max-xs:w-full" autoFocus onClick={onBack}>
          {newKey.back}
        </button>
      </div>
    </div>
  )
}
