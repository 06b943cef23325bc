import type { RefObject } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { LabelledField } from '../../ui/forms/labelled-field.tsx'

interface Props {
  id: string
  label: string
  field: RefObject<HTMLInputElement | null>
  autoComplete: 'username' | 'email'
  defaultValue?: string
  error?: string | undefined
  describedBy?: string | undefined
  onChange?: () => void
}

export function EmailField(props: Props) {
  const { id, label, field, autoComplete, defaultValue, error, describedBy, onChange } = props
  return (
    <LabelledField id={id} label={label} error={error}>
      <input
        ref={field}
        id={id}
        className="field"
        name="email"
        type="email"
        required
        autoComplete={autoComplete}
        maxLength={limits.account.maxEmailLength}
        defaultValue={defaultValue}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy ?? `${id}hint`}
        onChange={onChange}
      />
    </LabelledField>
  )
}
