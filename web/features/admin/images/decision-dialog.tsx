import { useId, useState } from 'react'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import { decisions } from '../../../texts/admin/admin-images-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'

interface Props {
  decision: 'remove' | 'block'
  images: readonly ModeratedImage[]
  /** Returns the reason of a failure. */
  onConfirm: (reason: string) => Promise<string | undefined>
  onClose: () => void
}

/** Asks before images are removed, and for the reason of a block. */
export function DecisionDialog({ decision, images, onConfirm, onClose }: Props) {
  const [reason, setReason] = useState('')
  const id = useId()
  const texts = decisions[decision]
  const [only, ...others] = images
  return (
    <ConfirmDialog
      title={texts.title(images.length)}
      confirm={texts.label}
      busy={texts.busy}
      isDanger
      onConfirm={() => onConfirm(reason.trim())}
      onClose={onClose}
    >
      {only !== undefined && others.length === 0 && (
        <p className="mb-2 font-semibold text-text wrap-anywhere">{only.original_name}</p>
      )}
      <p>{others.length === 0 ? texts.text : texts.textOfSeveral}</p>
      {decision === 'block' && (
        <div className="mt-4 grid gap-1.5">
          <label htmlFor={id} className="font-medium text-text">
            {decisions.block.reason}
          </label>
          <input
            id={id}
            className="field"
            maxLength={moderationLimits.maxReasonLength}
            placeholder={decisions.block.reasonHint}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
      )}
    </ConfirmDialog>
  )
}
