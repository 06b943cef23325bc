import { Redirect } from 'wouter'
import { useHistoryState, useSearch } from 'wouter/use-browser-location'
import { login, useSession } from '../data/session.ts'
import { useSite } from '../data/site.ts'
import { AuthCard } from '../features/account/auth-card.tsx'
import { CredentialsForm } from '../features/account/credentials-form.tsx'
import { account } from '../texts/account-messages.ts'
import { common, titles } from '../texts/messages.ts'
import { nextPath, paths } from '../paths.ts'
import { Link } from '../ui/link.tsx'
import { Loading } from '../ui/loading.tsx'
import { usePageTitle } from './use-page-title.ts'

/** A successful login changes the session, which then redirects. */
export function LoginPage() {
  const { status } = useSession()
  const { registration } = useSite()
  // The router's own search is decoded once too often for a path inside it.
  const search = useSearch()
  const state = useHistoryState<{ email?: string } | null>()
  usePageTitle(titles.login)

  if (status === 'loading') return <Loading text={common.loading} />
  if (status === 'in') return <Redirect to={nextPath(new URLSearchParams(search).get('next'))} replace />
  const { title, lead, forgotten, otherText, otherLink, ...texts } = account.login
  return (
    <AuthCard
      title={title}
      lead={lead}
      other={registration === 'closed' ? undefined : { text: otherText, link: otherLink, to: paths.register }}
    >
      <CredentialsForm texts={texts} email={state?.email ?? ''} onSubmit={login} />
      <Link className="link mt-4 inline-block py-1" to={paths.resetPassword}>
        {forgotten}
      </Link>
    </AuthCard>
  )
}
