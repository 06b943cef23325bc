import type { RefObject } from 'react'
import { userForm } from '../../texts/admin-messages.ts'
import { LabelledField } from '../../ui/labelled-field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

interface Props {
  id: string
  field: RefObject<HTMLInputElement | null>
  error?: string | undefined
  onLength: (length: number) => void
}

/** The password of the admin, which confirms a change. */
export function OwnPasswordField({ id, field, error, onLength }: Props) {
  return (
    <LabelledField id={id} label={userForm.currentPassword} hint={userForm.currentPasswordHint} error={error}>
      <PasswordField
        id={id}
        name="currentPassword"
        showLabel={userForm.showPassword}
        field={field}
        isNew={false}
        isInvalid={error !== undefined}
        describedBy={`${id}hint`}
        onLength={onLength}
      />
    </LabelledField>
  )
}
