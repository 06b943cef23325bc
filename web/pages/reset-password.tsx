import { useState } from 'react'
import { useLocation } from 'wouter'
import { completePasswordReset, requestPasswordReset, useLinkToken } from '../features/account/email-links.ts'
import { keepInvite } from '../model/albums/pending-invite.ts'
import { useSite } from '../model/site.ts'
import { AuthCard } from '../features/account/login/auth-card.tsx'
import { EmailField } from '../features/account/email-field.tsx'
import { AuthForm } from '../features/account/login/auth-form.tsx'
import { NewPasswordField } from '../features/account/new-password-field.tsx'
import { account } from '../texts/account-messages.ts'
import { titles } from '../texts/messages.ts'
import { paths } from '../paths.ts'
import { textIn } from '../ui/forms/use-submit.ts'
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

  async function send(form: HTMLFormElement): Promise<void> {
    const email = textIn(form, 'email').trim()
    await requestPasswordReset(email)
    setSentTo(email)
  }

  if (sentTo !== undefined) return <AuthCard isResult title={texts.sentTitle} lead={texts.sent(sentTo)} other={other} />
  return (
    <AuthCard title={texts.title} lead={texts.lead} other={other}>
      <AuthForm texts={texts} refocus="email" send={send}>
        {() => <EmailField label={account.email} autoComplete="username" />}
      </AuthForm>
    </AuthCard>
  )
}

/** @param props.token that of an invitation to an album may follow, as in the mail of a registration */
function ChoosePassword(props: { token: string }) {
  const [token = '', albumInvite = ''] = props.token.split('.')
  const [, navigate] = useLocation()

  async function send(form: HTMLFormElement): Promise<void> {
    const email = await completePasswordReset(token, textIn(form, 'password'))
    notify.success(texts.done)
    if (albumInvite !== '') keepInvite(albumInvite)
    navigate(paths.login, { state: { email } })
  }

  return (
    <AuthCard title={texts.choose} lead={texts.chooseLead} other={other}>
      <AuthForm
        texts={{ submit: texts.save, busy: texts.saving, failed: texts.saveFailed }}
        isNewPassword
        refocus="password"
        send={send}
      >
        {({ problem }) => <NewPasswordField name="password" label={texts.next} emailOf={() => ''} error={problem} />}
      </AuthForm>
    </AuthCard>
  )
}
