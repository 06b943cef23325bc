// Email and password, for logging in and for registering.
import { useId, useRef, useState, type SubmitEvent } from 'react'
import { errorText } from '../../../model/api-error.ts'
import { useSite } from '../../../model/site.ts'
import { account } from '../../../texts/account-messages.ts'
import { CurrentPasswordField } from '../../../ui/forms/current-password-field.tsx'
import { notify } from '../../../ui/toast/toast.ts'
import { EmailField } from '../email-field.tsx'
import { NewPasswordField } from '../new-password-field.tsx'

interface Props {
  texts: { submit: string; busy: string; failed: string }
  email?: string
  /** A new password is validated; an existing one is not. */
  isNewPassword?: boolean
  onSubmit: (email: string, password: string) => Promise<void>
}

export function CredentialsForm({ texts, email = '', isNewPassword = false, onSubmit }: Props) {
  const { passwordMin } = useSite()
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const [isShort, setShort] = useState(false)
  const emailField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const id = useId()
  const emailOf = () => emailField.current?.value.trim() ?? ''
  const passwordProps = { id: `${id}password`, name: 'password', field: passwordField }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const password = passwordField.current?.value ?? ''
    setRefusal(undefined)
    if (isNewPassword && password.length < passwordMin) {
      setShort(true)
      passwordField.current?.focus()
      return
    }
    setBusy(true)
    try {
      await onSubmit(emailOf(), password)
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
      <EmailField
        id={`${id}email`}
        label={account.email}
        field={emailField}
        autoComplete="username"
        defaultValue={email}
        describedBy={refusal === undefined ? undefined : `${id}refusal`}
      />
      {isNewPassword ? (
        <NewPasswordField
          {...passwordProps}
          label={account.password}
          emailOf={emailOf}
          error={isShort ? account.passwordShort(passwordMin) : undefined}
          onLength={(length) => setShort((wasShort) => wasShort && length < passwordMin)}
        />
      ) : (
        <CurrentPasswordField {...passwordProps} label={account.password} />
      )}
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
