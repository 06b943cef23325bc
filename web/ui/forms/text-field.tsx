import { clsx } from 'clsx'
import { useId, type ComponentProps } from 'react'
import { LabelledField } from './labelled-field.tsx'

interface Props extends Omit<ComponentProps<'input'>, 'id'> {
  label: string
  hint?: string | undefined
  /** Replaces the hint. */
  error?: string | undefined
}

/** A field of one line with its label, and its hint or its error. */
export function TextField({ label, hint, error, className, ...input }: Props) {
  const id = useId()
  return (
    <LabelledField id={id} label={label} hint={hint} error={error}>
      <input
        {...input}
        id={id}
        className={clsx('field', className)}
        aria-invalid={error !== undefined}
        aria-describedby={clsx(`${id}hint`, input['aria-describedby'])}
      />
    </LabelledField>
  )
}
