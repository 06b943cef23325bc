import { Eye, EyeOff } from 'lucide-react'
import { useState, type RefObject } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { form } from '../../texts/form-messages.ts'

interface Props {
  id: string
  name?: string
  field: RefObject<HTMLInputElement | null>
  isNew: boolean
  isInvalid: boolean
  /** Default: required. */
  isRequired?: boolean
  describedBy: string | undefined
  onLength?: ((length: number) => void) | undefined
  onText?: (text: string) => void
}

export function PasswordField(props: Props) {
  const { id, name = 'password', field, isNew, isInvalid, isRequired = true, describedBy, onLength, onText } = props
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <div className="relative">
      <input
        ref={field}
        id={id}
        className="field pr-12"
        name={name}
        type={isShown ? 'text' : 'password'}
        required={isRequired}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        maxLength={limits.account.maxPasswordLength}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        onChange={({ target }) => {
          onLength?.(target.value.length)
          onText?.(target.value)
        }}
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
  )
}
