import { useState } from 'react'
import { Redirect } from 'wouter'
import { useHistoryState, useSearch } from 'wouter/use-browser-location'
import { loginWithPassword, type PendingLogin } from '../features/account/login/login.ts'
import { afterLogin } from '../model/albums/pending-invite.ts'
import { useSession } from '../model/session.ts'
import { useSite } from '../model/site.ts'
import { AuthCard } from '../features/account/login/auth-card.tsx'
import { CredentialsForm } from '../features/account/login/credentials-form.tsx'
import { LoginMethods } from '../features/account/login/login-methods.tsx'
import { SecondFactorForm } from '../features/account/login/second-factor-form.tsx'
import { account } from '../texts/account-messages.ts'
import { common, titles } from '../texts/messages.ts'
import { nextPath, paths } from '../paths.ts'
import { Link } from '../ui/link.tsx'
import { Loading } from '../ui/loading.tsx'
import { usePageTitle } from './use-page-title.ts'

/** A successful login changes the session, which then redirects. */
export function LoginPage() {
  const { status } = useSession()
  // The router's own search is decoded once too often for a path inside it.
  const next = nextPath(new URLSearchParams(useSearch()).get('next') ?? afterLogin())
  usePageTitle(titles.login)

  if (status === 'loading') return <Loading text={common.loading} />
  if (status === 'in') return <Redirect to={next} replace />
  return <LoginSteps next={next} />
}

/** The credentials, and then the second factor of an account that has one. */
function LoginSteps({ next }: { next: string }) {
  const { passwordLogin, registration } = useSite()
  const state = useHistoryState<{ email?: string } | null>()
  const [pending, setPending] = useState<PendingLogin>()

  if (pending !== undefined) return <SecondFactorForm pending={pending} onBack={() => setPending(undefined)} />
  const { title, lead, forgotten, otherText, otherLink, ...texts } = account.login
  const canRegister = passwordLogin && registration !== 'closed'
  const register = { text: otherText, link: otherLink, to: paths.register }
  return (
    <AuthCard title={title} lead={lead} other={canRegister ? register : undefined}>
      {passwordLogin && (
        <>
          <CredentialsForm
            texts={texts}
            email={state?.email ?? ''}
            onSubmit={async (email, password) => setPending(await loginWithPassword(email, password))}
          />
          <Link className="link mt-4 inline-block py-1" to={paths.resetPassword}>
            {forgotten}
          </Link>
        </>
      )}
      <LoginMethods next={next} />
    </AuthCard>
  )
}
