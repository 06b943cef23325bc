// Where a login provider sends the browser back to: finishes the login and goes on.
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { errorText } from '../format/error-text.ts'
import { type PendingLogin, returnFromProvider } from '../features/account/login/login.ts'
import { AuthCard } from '../features/account/login/auth-card.tsx'
import { SecondFactorForm } from '../features/account/login/second-factor-form.tsx'
import { account } from '../texts/account-messages.ts'
import { common, titles } from '../texts/messages.ts'
import { paths } from '../paths.ts'
import { OutcomeText } from '../ui/forms/form-outcome.tsx'
import { Link } from '../ui/link.tsx'
import { Loading } from '../ui/loading.tsx'
import { notify } from '../ui/toast/toast.ts'
import { useSession } from '../model/session.ts'
import { usePageTitle } from './use-page-title.ts'

const texts = account.loginReturn

export function LoginReturnPage() {
  const [, navigate] = useLocation()
  const { status } = useSession()
  const [next, setNext] = useState<string>()
  const [pending, setPending] = useState<PendingLogin>()
  const [failure, setFailure] = useState<string>()
  const hasStarted = useRef(false)
  usePageTitle(titles.login)

  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    const query = location.search.slice(1)
    // The address holds a code, which belongs neither into the history nor into a bookmark.
    history.replaceState(history.state, '', paths.loginReturn)
    returnFromProvider(query).then(
      (result) => {
        if (result === undefined) return setFailure(texts.unknown)
        if (result.isConnected) notify.success(texts.connected, 'account')
        setPending(result.pending)
        setNext(result.next)
      },
      (error: unknown) => {
        console.info('The login at a provider failed', error)
        setFailure(errorText(error, texts.failed))
      },
    )
  }, [])

  const isDone = next !== undefined && status === 'in'
  useEffect(() => {
    if (isDone) navigate(next, { replace: true })
  }, [isDone, next, navigate])

  if (pending !== undefined && status === 'out')
    return <SecondFactorForm pending={pending} onBack={() => navigate(paths.login, { replace: true })} />
  if (failure === undefined) return <Loading text={common.loading} />
  return (
    <AuthCard title={texts.title} lead={texts.failed}>
      <OutcomeText outcome={{ kind: 'failed', text: failure }} />
      <p className="mt-6">
        <Link className="link inline-block py-1" to={status === 'in' ? paths.account : paths.login}>
          {status === 'in' ? titles.account : texts.back}
        </Link>
      </p>
    </AuthCard>
  )
}
