import { type ReactNode, useState } from 'react'
import { Redirect } from 'wouter'
import { useSession, useIsAdmin } from '../model/session.ts'
import { common } from '../texts/messages.ts'
import { loginFor, paths } from '../paths.ts'
import { Loading } from '../ui/loading.tsx'

interface Props {
  /** Shown until the user is known. */
  loadingText?: string
  children: ReactNode
}

/** Renders its children for signed-in users; others are redirected to the login page and back afterwards. */
export function LoginRequired({ loadingText = common.loading, children }: Props) {
  const session = useSession()
  const { status } = session
  // A user who just logged out is already on the way to the login page and must not be sent back here.
  if (status === 'loading' || (status === 'out' && location.pathname === paths.login))
    return <Loading text={loadingText} />
  // The router's hooks return the decoded address, and `next` must stay encoded.
  if (status === 'out') return <Redirect to={loginFor(location.pathname + location.search + location.hash)} replace />
  const isIncomplete = session.status === 'in' && session.needsSecondFactor
  if (isIncomplete && location.pathname !== paths.account) return <Redirect to={paths.account} replace />
  return children
}

/**
 * Renders its children for admins only. Others see the page for unknown addresses, since a login would not help them.
 * An admin whose session ends here is sent to the login.
 */
export function AdminOnly({ children, otherwise }: { children: ReactNode; otherwise: ReactNode }) {
  const session = useSession()
  const { status } = session
  const isAdmin = useIsAdmin()
  const [wasAdmin, setWasAdmin] = useState(isAdmin)
  if (isAdmin && !wasAdmin) setWasAdmin(true)
  if (status === 'loading') return <Loading text={common.loading} />
  // A user who could not be loaded may be an admin.
  const isLeaving = status === 'out' && (wasAdmin || session.failure !== undefined)
  return isAdmin || isLeaving ? <LoginRequired>{children}</LoginRequired> : otherwise
}
