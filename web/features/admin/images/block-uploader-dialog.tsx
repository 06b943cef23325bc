import { useId, useState } from 'react'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import { blockUploaderTexts as texts } from '../../../texts/admin/admin-images-messages.ts'
import { blockedNetworks, optionalNote } from '../../../texts/admin/blocklist-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
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
  const id = useId()
  const block = () =>
    attempt(async () => {
      await blockUploader(image.id, note.trim(), daysOf(end))
      return texts.done
    }, texts.failed)
  return (
    <ConfirmDialog
      title={texts.title}
      confirm={texts.label}
      busy={texts.busy}
      isDanger
      onConfirm={block}
      onClose={onClose}
    >
      <p className="mb-2 font-semibold text-text wrap-anywhere">{image.original_name}</p>
      <p>{texts.text}</p>
      <div className="mt-4 grid gap-1.5">
        <label htmlFor={id} className="font-medium text-text">
          {blockedNetworks.note}
        </label>
        <input
          id={id}
          className="field"
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
