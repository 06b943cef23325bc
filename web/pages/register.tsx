import { useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import { register } from '../features/account/login/login.ts'
import { afterLogin, pendingInvite } from '../model/albums/pending-invite.ts'
import { useSession } from '../model/session.ts'
import { formatBytes } from '../../contract/plain/format-bytes.ts'
import { useLinkToken } from '../features/account/email-links.ts'
import { uploadLimits, useSite } from '../model/site.ts'
import { AuthCard } from '../features/account/login/auth-card.tsx'
import { CredentialsForm } from '../features/account/login/credentials-form.tsx'
import { account } from '../texts/account-messages.ts'
import { common, titles } from '../texts/messages.ts'
import { notify } from '../ui/toast/toast.ts'
import { paths } from '../paths.ts'
import { Loading } from '../ui/loading.tsx'
import { usePageTitle } from './use-page-title.ts'

/** The fragment of the address has the token of an invitation. */
export function RegisterPage() {
  const { status } = useSession()
  const { registration } = useSite()
  const invite = useLinkToken()
  const [mailedTo, setMailedTo] = useState<string>()
  const [, navigate] = useLocation()
  usePageTitle(titles.register)

  async function submit(email: string, password: string): Promise<void> {
    if (await register(email, password, { invite, albumInvite: pendingInvite() })) return setMailedTo(email)
    notify.success(account.register.done)
    navigate(paths.login, { state: { email } })
  }

  if (status === 'loading') return <Loading text={common.loading} />
  if (status === 'in') return <Redirect to={afterLogin()} replace />
  const { user } = uploadLimits
  const { title, lead, otherText, otherLink, closed, inviteOnly, invited, mailed, mailedTitle, ...texts } =
    account.register
  const other = { text: otherText, link: otherLink, to: paths.login }
  if (mailedTo !== undefined) return <AuthCard isResult title={mailedTitle} lead={mailed(mailedTo)} other={other} />
  if (registration === 'closed') return <AuthCard title={title} lead={closed} other={other} />
  if (registration === 'invite' && invite === '') return <AuthCard title={title} lead={inviteOnly} other={other} />
  return (
    <AuthCard title={title} lead={invite === '' ? lead(formatBytes(user.maxBytes), user) : invited} other={other}>
      <CredentialsForm texts={texts} isNewPassword onSubmit={submit} />
    </AuthCard>
  )
}
