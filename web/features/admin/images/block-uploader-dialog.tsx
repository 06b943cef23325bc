import { useState } from 'react'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import { blockUploaderTexts as texts } from '../../../texts/admin/admin-images-messages.ts'
import { blockedNetworks, optionalNote } from '../../../texts/admin/blocklist-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { type BlockEnd, BlockEndSelect, daysOf } from '../blocklist/block-end.tsx'
import { blockUploader } from '../blocklist/blocklists.ts'
import type { useActionOutcome } from '../use-action-outcome.ts'

interface Props {
  image: ModeratedImage
  attempt: ReturnType<typeof useActionOutcome>['attempt']
  onClose: () => void
}

/** Blocks the network from which an image was uploaded; the admin need not know the address. */
export function BlockUploaderDialog({ image, attempt, onClose }: Props) {
  const [end, setEnd] = useState<BlockEnd>('7')
  const [note, setNote] = useState('')
  const block = () =>
    attempt(async () => {
      await blockUploader(image.id, note.trim(), daysOf(end))
      return texts.done
    }, texts.failed)
  return (
    <ConfirmDialog
      title={texts.title}
      subject={image.original_name}
      confirm={texts.label}
      busy={texts.busy}
      isDanger
      onConfirm={block}
      onClose={onClose}
    >
      <p>{texts.text}</p>
      <div className="mt-4 text-text">
        <TextField
          label={blockedNetworks.note}
          maxLength={moderationLimits.maxReasonLength}
          placeholder={optionalNote}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
      <div className="mt-4 text-text">
        <BlockEndSelect value={end} onChange={setEnd} />
      </div>
    </ConfirmDialog>
  )
}
