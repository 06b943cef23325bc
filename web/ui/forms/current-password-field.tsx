import type { RefObject } from 'react'
import { LabelledField } from './labelled-field.tsx'
import { PasswordField } from './password-field.tsx'

interface Props {
  id: string
  name?: string
  label: string
  hint?: string
  error?: string | undefined
  field: RefObject<HTMLInputElement | null>
  onLength?: (length: number) => void
}

/** A field for the password that an account has. */
export function CurrentPasswordField({ id, name = 'current-password', label, hint, error, field, onLength }: Props) {
  const hasText = hint !== undefined || error !== undefined
  return (
    <LabelledField id={id} label={label} hint={hint} error={error}>
      <PasswordField
        id={id}
        name={name}
        field={field}
        isNew={false}
        isInvalid={error !== undefined}
        describedBy={hasText ? `${id}hint` : undefined}
        onLength={onLength}
      />
    </LabelledField>
  )
}
