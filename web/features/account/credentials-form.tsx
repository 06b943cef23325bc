// Email and password, for logging in and for registering.
import { useId, useRef, useState, type SubmitEvent } from 'react'
import { limits } from '../../../contract/limits.ts'
import { errorText } from '../../data/api-error.ts'
import { account } from '../../texts/account-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { LabelledField } from '../../ui/labelled-field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

interface Props {
  texts: { submit: string; busy: string; failed: string }
  email?: string
  /** A new password is validated; an existing one is not. */
  isNewPassword?: boolean
  onSubmit: (email: string, password: string) => Promise<void>
}

export function CredentialsForm({ texts, email = '', isNewPassword = false, onSubmit }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const [isShort, setShort] = useState(false)
  const emailField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const id = useId()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const address = emailField.current?.value.trim() ?? ''
    const password = passwordField.current?.value ?? ''
    setRefusal(undefined)
    if (isNewPassword && password.length < limits.account.minPasswordLength) {
      setShort(true)
      passwordField.current?.focus()
      return
    }
    setBusy(true)
    try {
      await onSubmit(address, password)
    } catch (error) {
      const text = errorText(error, texts.failed)
      setRefusal(text)
      notify.error(text)
      emailField.current?.focus()
    }
    setBusy(false)
  }

  return (
    <form className="grid gap-5" onSubmit={submit}>
      <div className="grid gap-1.5">
        <label className="font-medium" htmlFor={`${id}email`}>
          {account.email}
        </label>
        <input
          ref={emailField}
          id={`${id}email`}
          className="field"
          name="email"
          type="email"
          required
          autoComplete="username"
          maxLength={limits.account.maxEmailLength}
          defaultValue={email}
          aria-describedby={refusal === undefined ? undefined : `${id}refusal`}
        />
      </div>
      <LabelledField
        id={`${id}password`}
        label={account.password}
        hint={isNewPassword ? account.passwordRule : undefined}
        error={isShort ? account.passwordShort : undefined}
      >
        <PasswordField
          id={`${id}password`}
          showLabel={account.showPassword}
          field={passwordField}
          isNew={isNewPassword}
          isInvalid={isShort}
          describedBy={isNewPassword ? `${id}passwordhint` : undefined}
          onLength={(length) => setShort((wasShort) => wasShort && length < limits.account.minPasswordLength)}
        />
      </LabelledField>
      {refusal !== undefined && (
        <p id={`${id}refusal`} role="alert" className="rounded-control bg-danger-soft px-3 py-2.5 text-danger-text">
          {refusal}
        </p>
      )}
      <button type="submit" className="btn btn-primary btn-lg" disabled={isBusy}>
        {isBusy ? texts.busy : texts.submit}
      </button>
    </form>
  )
}
