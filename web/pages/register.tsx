import { Redirect, useLocation } from 'wouter'
import { register, useSession } from '../data/session.ts'
import { formatBytes } from '../../contract/format-bytes.ts'
import { uploadLimits } from '../data/site.ts'
import { AuthCard } from '../features/account/auth-card.tsx'
import { CredentialsForm } from '../features/account/credentials-form.tsx'
import { account } from '../texts/account-messages.ts'
import { common, titles } from '../texts/messages.ts'
import { notify } from '../ui/toast/toast.ts'
import { paths } from '../paths.ts'
import { Loading } from '../ui/loading.tsx'
import { usePageTitle } from './use-page-title.ts'

export function RegisterPage() {
  const { status } = useSession()
  const [, navigate] = useLocation()
  usePageTitle(titles.register)

  async function submit(email: string, password: string): Promise<void> {
    await register(email, password)
    notify.success(account.register.done)
    navigate(paths.login, { state: { email } })
  }

  if (status === 'loading') return <Loading text={common.loading} />
  if (status === 'in') return <Redirect to={paths.dashboard} replace />
  const { maxBytes, retentionDays } = uploadLimits.user
  const { title, lead, otherText, otherLink, ...texts } = account.register
  return (
    <AuthCard
      title={title}
      lead={lead(formatBytes(maxBytes), retentionDays)}
      other={{ text: otherText, link: otherLink, to: paths.login }}
    >
      <CredentialsForm texts={texts} isNewPassword onSubmit={submit} />
    </AuthCard>
  )
}
