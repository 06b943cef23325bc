import type { ReactNode } from 'react'
import type { UserFields, FieldErrors } from './user-validation.ts'

interface LabelledProps {
  id: string
  label: string
  hint?: string | undefined
  error: string | undefined
  children: ReactNode
}

/** A field with its label above and, below it, its rule or its error. */
export function LabelledField({ id, label, hint, error, children }: LabelledProps) {
  return (
    <div className="grid content-start gap-1.5">
      <label className="font-medium" htmlFor={id}>
        {label}
      </label>
      {children}
      <div id={`${id}hint`} className="text-meta empty:hidden">
        {error === undefined ? (
          hint !== undefined && <p className="text-text-2">{hint}</p>
        ) : (
          <p role="alert" className="text-danger-text">
            {error}
          </p>
        )}
      </div>
    </div>
  )
}

interface TextFieldProps {
  /** Of the field in the form. */
  id: string
  name: Exclude<keyof UserFields, 'role' | 'status' | 'password'>
  label: string
  hint?: string | undefined
  type?: 'text' | 'email'
  value: string | undefined
  maxLength: number
  isRequired?: boolean
  errors: FieldErrors
  onChange: (field: keyof UserFields) => void
}

export function TextField(props: TextFieldProps) {
  const { id, name, label, hint, type = 'text', value, maxLength, isRequired = false, errors, onChange } = props
  return (
    <LabelledField id={id + name} label={label} hint={hint} error={errors[name]}>
      <input
        id={id + name}
        className="field"
        name={name}
        type={type}
        required={isRequired}
        // It is another user's account: the browser must not fill in the admin's own data.
        autoComplete="off"
        maxLength={maxLength}
        defaultValue={value}
        aria-invalid={errors[name] !== undefined}
        aria-describedby={`${id}${name}hint`}
        onChange={() => onChange(name)}
      />
    </LabelledField>
  )
}
