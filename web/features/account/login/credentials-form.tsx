// Email and password, for logging in and for registering.
import { useRef, type ComponentProps } from 'react'
import { account } from '../../../texts/account-messages.ts'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import { textIn } from '../../../ui/forms/use-submit.ts'
import { EmailField } from '../email-field.tsx'
import { NewPasswordField } from '../new-password-field.tsx'
import { AuthForm } from './auth-form.tsx'

interface Props extends Pick<ComponentProps<typeof AuthForm>, 'texts' | 'isNewPassword'> {
  email?: string
  onSubmit: (email: string, password: string) => Promise<void>
}

export function CredentialsForm({ email = '', onSubmit, ...form }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const emailOf = () => field.current?.value.trim() ?? ''
  return (
    <AuthForm
      {...form}
      hasToast
      refocus={form.isNewPassword === true ? 'email' : 'password'}
      send={(element) => onSubmit(emailOf(), textIn(element, 'password'))}
    >
      {({ problem, refusalId }) => (
        <>
          <EmailField
            ref={field}
            label={account.email}
            autoComplete="username"
            defaultValue={email}
            aria-describedby={form.isNewPassword === true ? refusalId : undefined}
          />
          {form.isNewPassword === true ? (
            <NewPasswordField name="password" label={account.password} emailOf={emailOf} error={problem} />
          ) : (
            <PasswordField name="password" label={account.password} describedBy={refusalId} />
          )}
        </>
      )}
    </AuthForm>
  )
}
