import { useState } from 'react'
import { useLocation } from 'wouter'
import { completePasswordReset, requestPasswordReset, useLinkToken } from '../features/account/email-links.ts'
import { useSite } from '../model/site.ts'
import { AuthCard } from '../features/account/login/auth-card.tsx'
import { EmailField } from '../features/account/email-field.tsx'
import { LinkForm } from '../features/account/login/link-form.tsx'
import { NewPasswordField } from '../features/account/new-password-field.tsx'
import { account } from '../texts/account-messages.ts'
import { titles } from '../texts/messages.ts'
import { paths } from '../paths.ts'
import { notify } from '../ui/toast/toast.ts'
import { usePageTitle } from './use-page-title.ts'

const texts = account.reset
const other = { text: texts.otherText, link: texts.otherLink, to: paths.login }

/** Without a token in the fragment it sends a link; the page of that link takes the new password. */
export function ResetPasswordPage() {
  const { mail } = useSite()
  const token = useLinkToken()
  usePageTitle(titles.resetPassword)
  if (token !== '') return <ChoosePassword key={token} token={token} />
  return mail ? <RequestLink /> : <AuthCard title={texts.title} lead={texts.off} other={other} />
}

function RequestLink() {
  const [sentTo, setSentTo] = useState<string>()

  async function submit(email: string): Promise<void> {
    await requestPasswordReset(email.trim())
    setSentTo(email.trim())
  }

  if (sentTo !== undefined) return <AuthCard isResult title={texts.sentTitle} lead={texts.sent(sentTo)} other={other} />
  return (
    <AuthCard title={texts.title} lead={texts.lead} other={other}>
      <LinkForm texts={texts} onSubmit={submit}>
        {({ id, field }) => <EmailField id={id} label={account.email} field={field} autoComplete="username" />}
      </LinkForm>
    </AuthCard>
  )
}

function ChoosePassword({ token }: { token: string }) {
  const { passwordMin } = useSite()
  const [, navigate] = useLocation()

  async function submit(password: string): Promise<void> {
    const email = await completePasswordReset(token, password)
    notify.success(texts.done)
    navigate(paths.login, { state: { email } })
  }

  return (
    <AuthCard title={texts.choose} lead={texts.chooseLead} other={other}>
      <LinkForm
        texts={{ submit: texts.save, busy: texts.saving, failed: texts.saveFailed }}
        problemIn={(password) => (password.length < passwordMin ? account.passwordShort(passwordMin) : undefined)}
        onSubmit={submit}
      >
        {({ id, field, error, clearError }) => (
          <NewPasswordField
            id={id}
            label={texts.next}
            field={field}
            emailOf={() => ''}
            error={error}
            onLength={(length) => length >= passwordMin && clearError()}
          />
        )}
      </LinkForm>
    </AuthCard>
  )
}
