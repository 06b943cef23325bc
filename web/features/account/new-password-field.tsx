import { useState, type RefObject } from 'react'
import { useSite } from '../../model/site.ts'
import { LabelledField } from '../../ui/forms/labelled-field.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { passwordHint } from './password-hint.ts'

interface Props {
  id: string
  name?: string
  label: string
  field: RefObject<HTMLInputElement | null>
  /** Returns that of the account, as far as it is known. */
  emailOf: () => string
  error: string | undefined
  onLength: (length: number) => void
}

/** A field for a new password, with a hint that follows what is typed. */
export function NewPasswordField({ id, name = 'new-password', label, field, emailOf, error, onLength }: Props) {
  const { passwordMin: min, siteName } = useSite()
  const [hint, setHint] = useState(() => passwordHint('', { min, names: [] }))
  return (
    <LabelledField id={id} label={label} hint={hint} error={error}>
      <PasswordField
        id={id}
        name={name}
        field={field}
        isNew
        isInvalid={error !== undefined}
        describedBy={`${id}hint`}
        onLength={onLength}
        onText={(text) => setHint(passwordHint(text, { min, names: [emailOf(), siteName] }))}
      />
    </LabelledField>
  )
}
