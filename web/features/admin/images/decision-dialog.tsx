import { useState } from 'react'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import { decisions } from '../../../texts/admin/admin-images-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'

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
  const texts = decisions[decision]
  const [only, ...others] = images
  return (
    <ConfirmDialog
      title={texts.title(images.length)}
      subject={others.length === 0 ? only?.original_name : undefined}
      confirm={texts.label}
      busy={texts.busy}
      isDanger
      onConfirm={() => onConfirm(reason.trim())}
      onClose={onClose}
    >
      <p>{others.length === 0 ? texts.text : texts.textOfSeveral}</p>
      {decision === 'block' && (
        <div className="mt-4 text-text">
          <TextField
            label={decisions.block.reason}
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
