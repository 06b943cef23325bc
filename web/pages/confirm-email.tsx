import { useLocation } from 'wouter'
import { confirmEmail, useLinkToken } from '../features/account/email-links.ts'
import { loginWithPassword } from '../features/account/login/login.ts'
import { afterLogin, keepInvite } from '../model/albums/pending-invite.ts'
import { refreshUser, useSession } from '../model/session.ts'
import { AuthCard } from '../features/account/login/auth-card.tsx'
import { AuthForm } from '../features/account/login/auth-form.tsx'
import { account } from '../texts/account-messages.ts'
import { common, titles } from '../texts/messages.ts'
import { paths } from '../paths.ts'
import { PasswordField } from '../ui/forms/password-field.tsx'
import { textIn } from '../ui/forms/use-submit.ts'
import { Loading } from '../ui/loading.tsx'
import { notify } from '../ui/toast/toast.ts'
import { usePageTitle } from './use-page-title.ts'

/**
 * Of the link in a mail, to a new user or to one who changes the address. The token of an invitation to an album may follow: who
 * registered to accept it goes on to it, also where the mail was opened in another browser.
 */
export function ConfirmEmailPage() {
  const { status } = useSession()
  const [token = '', albumInvite = ''] = useLinkToken().split('.')
  const [, navigate] = useLocation()
  usePageTitle(titles.confirmEmail)

  async function send(form: HTMLFormElement): Promise<void> {
    const password = textIn(form, 'password')
    const email = await confirmEmail(token, password)
    notify.success(account.confirm.done)
    if (albumInvite !== '') keepInvite(albumInvite)
    if (status === 'in') {
      await refreshUser()
      return navigate(albumInvite === '' ? paths.account : paths.albumInvite)
    }
    try {
      const pending = await loginWithPassword(email, password)
      if (pending === undefined) return navigate(afterLogin())
    } catch (error) {
      console.info('The login failed', error)
    }
    navigate(paths.login, { state: { email } })
  }

  if (status === 'loading') return <Loading text={common.loading} />
  const { title, lead, done: _, ...texts } = account.confirm
  const { otherText: text, otherLink: link } = account.register
  const other = status === 'in' ? undefined : { text, link, to: paths.login }
  if (token === '') return <AuthCard title={title} lead={account.incomplete} other={other} />
  return (
    <AuthCard title={title} lead={lead} other={other}>
      <AuthForm texts={texts} refocus="password" send={send}>
        {() => <PasswordField name="password" label={account.password} />}
      </AuthForm>
    </AuthCard>
  )
}
