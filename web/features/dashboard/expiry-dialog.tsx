import { useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { endOfLocalDay, localDay } from '../../format/dates.ts'
import { errorText } from '../../format/error-text.ts'
import { expiring as texts } from '../../texts/dashboard-messages.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'

interface Props {
  /** At least one. */
  images: readonly Image[]
  onChoose: (images: readonly Image[], expiresAt: string) => Promise<void>
  onClose: () => void
}

/** A date for one or several images, on which they expire. */
export function ExpiryDialog({ images, onChoose, onClose }: Props) {
  const [day, setDay] = useState(() => dayOf(images))
  const form = useSubmit({
    async send() {
      if (day === '') return texts.noDate
      await onChoose(images, new Date(endOfLocalDay(day)).toISOString())
      return ''
    },
    explain: (error) => errorText(error, texts.failed),
  })
  return (
    <FormDialog
      title={texts.dialogTitle(images.length)}
      submit={texts.save}
      busy={texts.busy}
      form={form}
      onClose={onClose}
    >
      <TextField
        label={texts.date}
        type="date"
        value={day}
        min={localDay(new Date())}
        required
        onChange={({ target }) => setDay(target.value)}
        hint={texts.hint(images.length)}
      />
    </FormDialog>
  )
}

/** The day on which all expire; empty when they differ, or are kept. */
function dayOf(images: readonly Image[]): string {
  const days = new Set(images.map(({ expires_at: at }) => (at === null ? '' : localDay(new Date(at)))))
  const [only = ''] = days
  return days.size === 1 ? only : ''
}
