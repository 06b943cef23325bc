import { clsx } from 'clsx'
import { Eye, EyeOff } from 'lucide-react'
import { useId, useState, type Ref } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { form } from '../../texts/form-messages.ts'
import { LabelledField } from './labelled-field.tsx'

interface Props {
  ref?: Ref<HTMLInputElement>
  name: string
  label: string
  hint?: string | undefined
  /** Replaces the hint. */
  error?: string | undefined
  /** Password managers suggest one; otherwise they fill in the one that the account has. */
  isNew?: boolean
  isRequired?: boolean
  /** The id of a text elsewhere that is about what was typed. */
  describedBy?: string | undefined
  onText?: (text: string) => void
}

/** A field for a password with its label, its hint or its error, and a button that shows what is typed. */
export function PasswordField(props: Props) {
  const { ref, name, label, hint, error, isNew = false, isRequired = true, describedBy, onText } = props
  const [isShown, setShown] = useState(false)
  const id = useId()
  const Icon = isShown ? EyeOff : Eye
  return (
    <LabelledField id={id} label={label} hint={hint} error={error}>
      <div className="relative">
        <input
          ref={ref}
          id={id}
          className="field pr-12"
          name={name}
          type={isShown ? 'text' : 'password'}
          required={isRequired}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          maxLength={limits.account.maxPasswordLength}
          aria-invalid={error !== undefined}
          aria-describedby={clsx(`${id}hint`, describedBy)}
          onChange={({ target }) => onText?.(target.value)}
        />
        <button
          type="button"
          className="btn-icon absolute top-1/2 right-1 size-8 -translate-y-1/2 coarse:right-0.5 coarse:size-11"
          aria-label={form.showPassword}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Icon className="size-[1.125rem]" aria-hidden />
        </button>
      </div>
    </LabelledField>
  )
}
