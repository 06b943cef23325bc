import { useState } from 'react'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import { createInvite } from './invites.ts'
import { errorText } from '../../../format/error-text.ts'
import { inviteForm as texts, invites } from '../../../texts/admin/invites-messages.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { textIn, useSubmit } from '../../../ui/forms/use-submit.ts'
import { OwnPasswordField } from '../users/own-password-field.tsx'

interface Props {
  /** Receives the text of the success. */
  onDone: (text: string) => void
  /** Receives the link of the new invitation. */
  onLink: (link: string) => void
  onClose: () => void
}

type Days = keyof typeof texts.daysIn
type Role = keyof typeof invites.roles
const roles = ['user', 'admin'] as const satisfies Role[]
const periods = ['7', '1', '30', '90', '365'] as const satisfies Days[]
const { maxUses, maxNoteLength } = accountLimits.invites

export function InviteDialog({ onDone, onLink, onClose }: Props) {
  const [role, setRole] = useState<Role>('user')
  const [period, setPeriod] = useState<Days>('7')
  const { problems, clearOutcome, ...form } = useSubmit<'uses'>({
    async send(element) {
      const uses = element.elements.namedItem('uses')
      if (!(uses instanceof HTMLInputElement) || !uses.validity.valid || uses.value === '')
        return { uses: texts.usesProblem(maxUses) }
      const link = await createInvite({
        note: textIn(element, 'note').trim(),
        role,
        maxUses: Number(uses.value),
        days: Number(period),
        ...(role === 'admin' ? { currentPassword: textIn(element, 'currentPassword') } : {}),
      })
      onDone(texts.done)
      return onLink(link)
    },
    explain: (error) => errorText(error, texts.failed),
    refocus: role === 'admin' ? 'currentPassword' : 'note',
  })

  return (
    <FormDialog title={texts.title} submit={texts.submit} busy={texts.busy} form={form} onClose={onClose}>
      <TextField name="note" label={texts.note} hint={texts.noteHint} autoComplete="off" maxLength={maxNoteLength} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label={texts.role}
          hasLabel
          value={role}
          options={roles.map((one) => [one, invites.roles[one]])}
          onChange={setRole}
        />
        <Select
          label={texts.days}
          hasLabel
          value={period}
          options={periods.map((one) => [one, texts.daysIn[one]])}
          onChange={setPeriod}
        />
      </div>
      <TextField
        name="uses"
        label={texts.uses}
        hint={texts.usesHint}
        error={problems.uses}
        type="number"
        inputMode="numeric"
        min={1}
        max={maxUses}
        step={1}
        defaultValue={1}
      />
      {role === 'admin' && <OwnPasswordField onText={clearOutcome} />}
    </FormDialog>
  )
}
